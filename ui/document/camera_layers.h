#pragma once

#include <memory>
#include <vector>

#include "render/scene.h"
#include "ui/document/backdrop.h"
#include "ui/document/document.h"
#include "ui/document/newest_task.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// Render layers for the cameras of the result's photographs: a pyramid for each, and the
/// photograph as a backdrop seen from its own camera. Photographs are read in the background once
/// the look needs them. GUI thread only.
class CameraLayers : public QObject {
    Q_OBJECT

  public:
    /// The document becomes the QObject parent.
    CameraLayers(Document& document, std::shared_ptr<ViewCache> cache);

    /// Layers for every pane, to draw before the meshes. The first photograph's pyramid is
    /// accented. The colours are sRGB-encoded, 0…1.
    std::vector<render::Layer> layers(glm::vec3 colour, glm::vec3 accent,
                                      glm::vec3 background) const;
    /// Camera centres of the photographs in world space; empty without a result.
    Points cameraCentres() const;

  Q_SIGNALS:
    void changed();

  private:
    void updateBackdrops();

    Document& document_;
    const std::shared_ptr<ViewCache> cache_;
    ResultRef result_;     ///< of the pyramids and backdrops
    ResultRef requested_;  ///< result whose photographs were requested
    render::SceneMeshRef firstPyramid_, otherPyramids_;
    std::vector<Backdrop> backdrops_;
    NewestTask backdropTask_;
};

}  // namespace threefold::ui
