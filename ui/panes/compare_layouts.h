#pragma once

#include <array>

#include <QObject>

#include "ui/shell/window_parts.h"

class QAction;
class QMenu;

namespace threefold::ui {

/// How the meshes stand beside each other: the segmented control in the tool bar, the commands and
/// their keys, and the seam of a wipe, which the mouse drags and keys move. In an overlay the same
/// keys change the opacity.
class CompareLayouts : public QObject {
    Q_OBJECT

  public:
    /// Commands go into `menu`.
    CompareLayouts(const WindowParts& parts, QMenu& menu);

  private:
    void addControl(const WindowParts& parts);
    void follow();
    void shift(float share);

    Document& document_;
    std::array<QAction*, 3> layouts_{};  // by Layout
    QAction* truth_ = nullptr;
    QAction* swap_ = nullptr;
    std::array<QAction*, 2> shifts_{};
};

}  // namespace threefold::ui
