#pragma once

#include <QObject>

#include "ui/shell/window_parts.h"

class QMenu;

namespace threefold::ui {

/// While a key is held the two meshes change places in their panes, so that the eye sees what
/// differs. Released, or when the focus goes, they are back.
class CompareBlink : public QObject {
    Q_OBJECT

  public:
    CompareBlink(const WindowParts& parts, QMenu& menu);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    Document& document_;
    Shell& window_;
    Viewport& viewport_;
};

}  // namespace threefold::ui
