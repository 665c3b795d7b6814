#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/texturing/texture_view.h"
#include "render/scene.h"
#include "ui/document/background.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// The photographs that a result was made from: the network's views, then those that only its fit
/// used.
std::vector<int> photographsOf(const Result& result);

/// The views on a mesh in their world space, as they are exported (bakeTexture()). Null for a mesh
/// without faces, with too many for a texture, or that no view shows. Throws Cancelled.
render::SceneTextureRef projectPhotographs(const render::SceneMesh& mesh,
                                           std::span<const TextureView> views,
                                           const std::stop_token& cancel = {});

/// The photographs on the meshes that the document may show, made in the background once the look
/// wants them, a mesh after the other (a second each on two cores), and kept while the meshes stay.
/// A child of its document. Of the window's thread.
class PhotographPaint : public QObject {
    Q_OBJECT

  public:
    explicit PhotographPaint(Document& document);

    /// Null while it is being made, and for a mesh that is not the document's.
    render::SceneTextureRef on(const render::SceneMeshRef& mesh) const;
    bool busy() const { return running_ > 0; }

  Q_SIGNALS:
    void changed();

  private:
    struct Painted {
        render::SceneMeshRef mesh;
        render::SceneTextureRef texture;
    };
    using Views = std::shared_ptr<const std::vector<TextureView>>;

    void follow();
    std::vector<render::SceneMeshRef> wanted() const;

    Document& document_;
    std::vector<Painted> painted_;
    ResultRef of_;                ///< whose photographs these are
    Views views_;                 ///< of it, while there is a mesh to paint
    render::SceneMeshRef asked_;  ///< the one that is being painted
    NewestRequest request_;
    int running_ = 0;
};

}  // namespace threefold::ui
