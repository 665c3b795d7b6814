#pragma once

#include <functional>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "render/scene.h"
#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// A photograph as the network sees it, and its camera in the space of the meshes.
struct TakenView {
    Camera camera;
    std::shared_ptr<const Image> image;
};

/// The photographs that a result was made from: the network's views, then those that only its fit
/// used.
std::vector<int> photographsOf(const Result& result);
/// Them as the network sees them. Throws what `read` throws.
std::vector<TakenView> takenViews(
    const Result& result,
    const std::function<std::shared_ptr<const Image>(const Sample& sample, int view)>& read);

/// The views, each laid over the faces that it shows best (texturing::chooseViews()). Faces that no
/// view sees are plain, and so is a mesh without faces: null. `views` share no storage with the
/// result. O(faces · views). Thread-safe.
render::SceneTextureRef projectPhotographs(const render::SceneMesh& mesh,
                                           std::span<const TakenView> views);

/// The photographs on the document's meshes, made in the background once the look wants them, and
/// kept while the meshes stay. A child of its document. Of the window's thread.
class PhotographPaint : public QObject {
    Q_OBJECT

  public:
    PhotographPaint(Document& document, std::shared_ptr<ViewCache> cache);

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
    using PaintedMeshes = std::vector<Painted>;

    void follow();
    std::vector<render::SceneMeshRef> wanted() const;

    Document& document_;
    const std::shared_ptr<ViewCache> cache_;
    std::shared_ptr<const PaintedMeshes> painted_ = std::make_shared<const PaintedMeshes>();
    ResultRef of_;  ///< whose photographs these are
    std::vector<render::SceneMeshRef> asked_;
    NewestRequest request_;
    int running_ = 0;
};

}  // namespace threefold::ui
