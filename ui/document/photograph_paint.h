#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/texturing/texture_view.h"
#include "render/scene.h"
#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/document/first_picture_gate.h"

namespace threefold::ui {

/// View numbers of a result's photographs: the network's views, then the views that only the fit
/// used.
std::vector<int> photographsOf(const Result& result);

/// Bakes views into a texture of a mesh in world space, as on export (bakeTexture()). Null for a
/// mesh without faces, with too many for a texture, or visible in no view. Throws Cancelled.
render::SceneTextureRef projectPhotographs(const render::SceneMesh& mesh,
                                           std::span<const TextureView> views,
                                           const std::stop_token& cancel = {});

/// Textures of the photographs on the document's meshes. Baked in the background once the look
/// needs them, one mesh after the other (about a second each on two cores), and cached until the
/// result changes. A child of its document. GUI thread only.
class PhotographPaint : public QObject {
    Q_OBJECT

  public:
    explicit PhotographPaint(Document& document);

    /// The mesh's texture; null while it is being baked, or if there is none.
    render::SceneTextureRef on(const render::SceneMeshRef& mesh) const;
    /// Whether the mesh will be painted.
    bool awaits(const render::SceneMeshRef& mesh) const;
    /// Whether a mesh is being painted, or will be after the picture that painting waits for.
    bool isBusy() const { return running_ > 0 || (gate_.isClosed() && nextMesh()); }

    /// Wait for the picture of each new result, before it is painted; not enabled at first.
    FirstPictureGate& gate() { return gate_; }

  Q_SIGNALS:
    void changed();
    /// A mesh cannot be painted and stays without a texture; the other meshes are painted.
    void failed(const threefold::ErrorReport& report);

  private:
    struct Painted {
        render::SceneMeshRef mesh;
        render::SceneTextureRef texture;
    };
    using Views = std::shared_ptr<const std::vector<TextureView>>;

    void bakeNext();
    std::vector<render::SceneMeshRef> paintableMeshes() const;
    render::SceneMeshRef nextMesh() const;  ///< the first without a texture; or null

    Document& document_;
    std::vector<Painted> painted_;
    ResultRef result_;              ///< of the photographs
    Views views_;                   ///< of `result_`, while there is a mesh to paint
    render::SceneMeshRef current_;  ///< mesh being painted
    RequestToken request_;
    int running_ = 0;
    FirstPictureGate gate_{[this] { bakeNext(); }};
};

}  // namespace threefold::ui
