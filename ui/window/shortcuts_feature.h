#pragma once

#include <QObject>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// F1: the list of keys over the window.
class ShortcutsFeature : public QObject {
    Q_OBJECT

  public:
    explicit ShortcutsFeature(const WindowParts& parts);
};

}  // namespace threefold::ui
