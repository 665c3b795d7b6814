#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <QObject>

#include "engine/views/camera.h"
#include "render/scene.h"
#include "ui/document/backdrop.h"
#include "ui/document/document.h"
#include "ui/document/first_picture_gate.h"
#include "ui/document/newest_task.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// Content of the pane of photographs (MeshId::photograph): the photographs of the sample that is
/// shown or being reconstructed, with their backgrounds, each seen from its camera. Read in the
/// background once a pane shows them: the network's reference view first, the others once the
/// network has computed. GUI thread only.
class PhotographPane : public QObject {
    Q_OBJECT

  public:
    /// The document becomes the QObject parent.
    PhotographPane(Document& document, std::shared_ptr<ViewCache> cache);

    /// Gate that delays photographs other than the first until the result's picture is on the
    /// screen; off until FirstPictureGate::enable().
    FirstPictureGate& firstPictureGate() { return firstPictureGate_; }

    /// Layers of the photographs that have been read. `background`: sRGB-encoded, 0…1.
    std::vector<render::Layer> layers(glm::vec3 background) const;

  Q_SIGNALS:
    void changed();
    /// Emitted once the pane's first photograph is read, unless the box around the photograph's
    /// opaque pixels is empty or covers the photograph. `corners`: corners of this box in world
    /// space, in the plane through the origin that faces `camera`; the points to frame until there
    /// is a mesh.
    void objectSeen(const std::shared_ptr<const threefold::Points>& corners,
                    const threefold::Camera& camera);

  private:
    void readNext();
    /// Discards the photographs of another sample. The photographs of `sample` become pending, its
    /// views `first` before the others.
    void followSample(const SampleRef& sample, const std::vector<int>& first);
    void read(int view);

    Document& document_;
    const std::shared_ptr<ViewCache> cache_;
    SampleRef sample_;
    std::deque<int> pending_;  ///< views of `sample_` that are still to be read, in this order
    std::vector<Backdrop> photographs_;  ///< the photographs read so far
    bool isReading_ = false;
    NewestTask readTask_;
    ResultRef closedFor_;  ///< result for which the gate was closed
    FirstPictureGate firstPictureGate_{[this] { readNext(); }};
};

}  // namespace threefold::ui
