#pragma once

#include <QObject>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Signals input of the user in the window: a click or drag that has ended, a key, a turn of the
/// wheel, a drop.
class PersonWatch : public QObject {
    Q_OBJECT

  public:
    PersonWatch(const WindowParts& parts, QObject* parent);

  Q_SIGNALS:
    void acted();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    Shell& window_;
    Viewport& viewport_;
};

/// One sentence above the panes that explains the first picture, until the user's first action.
void addGreeting(const WindowParts& parts);

/// One line of help under the panes for new users. Goes after their first steps, after a while, or
/// when closed, and is not shown again.
void addFirstRunHint(const WindowParts& parts);

}  // namespace threefold::ui
