#pragma once

#include <QObject>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Tells when a person does something in the window: a click or drag that has ended, a key, a turn
/// of the wheel, a drop.
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

}  // namespace threefold::ui
