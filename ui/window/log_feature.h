#pragma once

#include <QObject>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// The log in a dock at the bottom, hidden until asked for.
class LogFeature : public QObject {
    Q_OBJECT

  public:
    explicit LogFeature(const WindowParts& parts);
};

}  // namespace threefold::ui
