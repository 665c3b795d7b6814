#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/views/camera.h"
#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/document/first_picture_gate.h"
#include "ui/document/newest_task.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// Render layers for the cameras of the result's photographs: a pyramid for each, and the
/// photograph as a backdrop seen from its own camera. Also fills the pane of photographs.
/// Photographs are read in the background once the look needs them. GUI thread only.
class CameraLayers : public QObject {
    Q_OBJECT

  public:
    /// The document becomes the QObject parent.
    CameraLayers(Document& document, std::shared_ptr<ViewCache> cache);

    /// Gate that delays photographs other than the first until the result's picture is on the
    /// screen; off until FirstPictureGate::enable().
    FirstPictureGate& firstPictureGate() { return firstPictureGate_; }

    /// Layers for every pane, to draw before the meshes. The first photograph's pyramid is
    /// accented. Colours sRGB-encoded, 0…1.
    std::vector<render::Layer> layers(glm::vec3 colour, glm::vec3 accent,
                                      glm::vec3 background) const;
    /// Fills a pane of photographs (MeshId::photograph): those of the sample that is shown or being
    /// reconstructed, with their backgrounds, each from its camera. The network's reference view
    /// comes first; the others follow once the network has computed.
    void addPhotographs(render::Pane& pane, glm::vec3 background) const;
    /// Camera centres of the photographs in world space; empty without a result.
    Points cameraCentres() const;

  Q_SIGNALS:
    void changed();
    /// Emitted once the pane's first photograph is read. `corners`: world space, around the
    /// object's pixels, in the plane through the origin that faces `camera`; the points to frame
    /// until there is a mesh.
    void objectSeen(const std::shared_ptr<const threefold::Points>& corners,
                    const threefold::Camera& camera);

  private:
    struct Backdrop {
        glm::vec3 centre{0.0F};
        render::SceneMeshRef mesh;
        render::SceneTextureRef texture;
    };
    using Backdrops = std::vector<Backdrop>;

    static render::Layer layerOfBackdrop(const Backdrop& backdrop, glm::vec3 background);

    void updateBackdrops();
    void readNextPhotograph();
    /// Discards the photographs of another sample; those of `sample` are pending then, its views
    /// `first` before the others.
    void followSample(const SampleRef& sample, const std::vector<int>& first);
    void readPhotograph(int view);

    Document& document_;
    const std::shared_ptr<ViewCache> cache_;
    ResultRef result_;     ///< of the pyramids and photographs
    ResultRef requested_;  ///< result whose photographs were requested
    render::SceneMeshRef firstPyramid_, otherPyramids_;
    Backdrops backdrops_;
    NewestTask request_;
    SampleRef sample_;         ///< of the pane of photographs
    std::deque<int> pending_;  ///< its views that are still to be read, in this order
    Backdrops photographs_;    ///< those that have been read
    bool readingPhotograph_ = false;
    NewestTask photographRequest_;
    ResultRef closedFor_;  ///< result for which the gate was closed
    FirstPictureGate firstPictureGate_{[this] { readNextPhotograph(); }};
};

}  // namespace threefold::ui
