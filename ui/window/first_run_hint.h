#pragma once

#include <QWidget>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// One line of help under the panes for new users; never shown again once closed.
class FirstRunHint : public QWidget {
    Q_OBJECT

  public:
    /// Adds the hint unless it was closed in an earlier run.
    static void addTo(const WindowParts& parts);

  private:
    explicit FirstRunHint(QSettings& settings);
};

}  // namespace threefold::ui
