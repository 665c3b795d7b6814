#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include <QAction>

#include "ui/panes/pane_arrangement.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class Viewport;

/// Whether boxes of meshes differ too much for one camera: the largest diagonal of a box is more
/// than twice the smallest, or the distance of a box's centre from the first box's centre exceeds
/// the largest diagonal.
bool needOwnCameras(const std::vector<Box3f>& boxes);

/// Frames opened meshes that are shown without a result. If the meshes need cameras of their own,
/// each pane frames its own meshes, and a command shows all panes at one scale. A child of the
/// window.
class OpenedFraming : public QObject {
    Q_OBJECT

  public:
    OpenedFraming(const FeatureContext& context, Viewport& viewport);

    /// Whether each pane frames its own meshes.
    bool framesEachPane() const { return needOwnCameras_ && !sameScale_->isChecked(); }

  private:
    void updateFromOpened();
    void updateFromLook();
    void setFramedPoints();

    FeatureContext context_;
    Viewport& viewport_;
    QAction* sameScale_;
    bool needOwnCameras_ = false;
    std::vector<std::pair<MeshId, std::filesystem::path>> framed_;  // the meshes last framed
    std::vector<std::vector<MeshId>> arrangement_;                  // their arrangement
};

}  // namespace threefold::ui
