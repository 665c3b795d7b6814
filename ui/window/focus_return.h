#pragma once

#include <QObject>

#include "ui/window/window_parts.h"

class QWindow;

namespace threefold::ui {

/// Object name of the widget that holds the panes' window.
inline constexpr const char* kPanesName = "panes";

/// Gives the keyboard back to the panes when the dialog that took it from them is gone. They are a
/// window of their own, so that the widgets would give it to the first button there is.
class FocusReturn : public QObject {
    Q_OBJECT

  public:
    explicit FocusReturn(const WindowParts& parts);

  private:
    void follow(const QWindow* now);

    MainWindow& window_;
    Viewport& viewport_;
    bool owed_ = false;
};

}  // namespace threefold::ui
