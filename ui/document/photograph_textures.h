#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/texturing/texture_view.h"
#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/document/first_picture_gate.h"
#include "ui/document/newest_task.h"

namespace threefold::ui {

/// View numbers of a result's photographs: the network's views, then the views that only the fit
/// used.
std::vector<int> photographsOf(const Result& result);

/// Bakes views into a texture of a mesh in world space by bakeTexture(), like the export of meshes.
/// Null for a mesh that has no faces, has too many faces for a texture, or is visible in no view.
/// Throws Cancelled.
render::SceneTextureRef bakePhotographs(const render::SceneMesh& mesh,
                                        std::span<const TextureView> views,
                                        const std::stop_token& cancel = {});

/// Textures of the photographs on the document's meshes. Baked in the background once the look
/// needs them, one mesh after the other, and cached until the result changes; baking takes about a
/// second a mesh. A child of its document. GUI thread only.
class PhotographTextures : public QObject {
    Q_OBJECT

  public:
    explicit PhotographTextures(Document& document);

    /// The mesh's texture; null while it is being baked, or if there is none.
    render::SceneTextureRef texture(const render::SceneMeshRef& mesh) const;
    /// Whether the mesh's texture is still to be baked.
    bool isPending(const render::SceneMeshRef& mesh) const;
    /// Whether a texture is being baked, or will be after the picture that baking waits for.
    bool isBusy() const { return running_ > 0 || (firstPictureGate_.isClosed() && nextMesh()); }

    /// Gate that delays textures until the result's picture is on the screen; off until
    /// FirstPictureGate::enable().
    FirstPictureGate& firstPictureGate() { return firstPictureGate_; }

  Q_SIGNALS:
    void changed();
    /// A texture cannot be baked; the mesh stays without one, and the next mesh follows.
    void failed(const threefold::ErrorReport& report);

  private:
    struct BakedMesh {
        render::SceneMeshRef mesh;
        render::SceneTextureRef texture;
    };
    using Views = std::shared_ptr<const std::vector<TextureView>>;

    void bakeNext();
    std::vector<render::SceneMeshRef> texturableMeshes() const;
    render::SceneMeshRef nextMesh() const;  ///< the first mesh that is still to be baked; or null

    Document& document_;
    std::vector<BakedMesh> baked_;
    ResultRef result_;              ///< of the photographs
    Views views_;                   ///< of `result_`, while there is a mesh to texture
    render::SceneMeshRef current_;  ///< mesh whose texture is being baked
    NewestTask bakingTask_;
    int running_ = 0;
    FirstPictureGate firstPictureGate_{[this] { bakeNext(); }};
};

}  // namespace threefold::ui
