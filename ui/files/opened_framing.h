#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include <QAction>

#include "ui/panes/pane_arrangement.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class Viewport;

/// Whether meshes cannot share one camera, by the diagonals of their boxes: the largest is more
/// than twice the smallest, or the centres of the first and another box are farther apart than the
/// largest.
bool sizesDiffer(const std::vector<Box3f>& boxes);

/// Frames opened meshes that are shown without a result. Where their sizes differ, each pane frames
/// its own mesh, and a command shows all at the same scale. A child of the window.
class OpenedFraming : public QObject {
    Q_OBJECT

  public:
    OpenedFraming(const FeatureContext& context, Viewport& viewport);

    /// Whether the panes frame their meshes each by itself.
    bool framesApart() const { return apart_ && !sameScale_->isChecked(); }

  private:
    void updateFromOpened();
    void updateFromLook();
    void setFramedPoints();

    FeatureContext context_;
    Viewport& viewport_;
    QAction* sameScale_;
    bool apart_ = false;
    std::vector<std::pair<MeshId, std::filesystem::path>> framed_;  // the meshes last framed
    std::vector<std::vector<MeshId>> panes_;                        // their arrangement
};

}  // namespace threefold::ui
