#pragma once

#include "render/scene.h"
#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// Where the photographs of the document's result were taken: a pyramid for each, and the
/// photograph behind the meshes while it is looked at from its own viewpoint. Made in the
/// background once the look wants them. For the window's thread.
class CameraLayers : public QObject {
    Q_OBJECT

  public:
    /// The document is its QObject parent.
    CameraLayers(Document& document, std::shared_ptr<ViewCache> cache);

    /// For every pane, before the meshes. The first photograph's pyramid has the accent's colour.
    std::vector<render::Layer> layers(glm::vec3 colour, glm::vec3 accent,
                                      glm::vec3 background) const;
    /// The points where the photographs were taken; empty without a result.
    Points eyes() const;

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
    ResultRef of_;     ///< whose pyramids and photographs these are
    ResultRef shown_;  ///< whose photographs were asked for
    render::SceneMeshRef first_, others_;
    Backdrops backdrops_;
    NewestRequest request_;
};

}  // namespace threefold::ui
