#pragma once

#include "render/scene.h"
#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// Layers of the cameras of the result's photographs: a pyramid for each, and the photograph as a
/// backdrop, seen from its own viewpoint. Photographs are read in the background once the look
/// needs them. For the window's thread.
class CameraLayers : public QObject {
    Q_OBJECT

  public:
    /// The document becomes the QObject parent.
    CameraLayers(Document& document, std::shared_ptr<ViewCache> cache);

    /// Layers for every pane, to draw before the meshes. The first photograph's pyramid is
    /// accented.
    std::vector<render::Layer> layers(glm::vec3 colour, glm::vec3 accent,
                                      glm::vec3 background) const;
    /// Camera centres of the photographs in world space; empty without a result.
    Points cameraCentres() const;

  Q_SIGNALS:
    void changed();

  private:
    struct Backdrop {
        glm::vec3 eye{0.0F};
        render::SceneMeshRef mesh;
        render::SceneTextureRef texture;
    };
    using Backdrops = std::vector<Backdrop>;

    void follow();

    Document& document_;
    const std::shared_ptr<ViewCache> cache_;
    ResultRef result_;     ///< of the pyramids and photographs
    ResultRef requested_;  ///< result whose photographs were requested
    render::SceneMeshRef first_, others_;
    Backdrops backdrops_;
    NewestRequest request_;
};

}  // namespace threefold::ui
