#pragma once

#include <QWidget>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// One line under the panes for whoever opens the program for the first time; gone for good once
/// closed.
class FirstRunHint : public QWidget {
    Q_OBJECT

  public:
    /// Puts itself under the panes, unless it was closed in an earlier run.
    static void addTo(const WindowParts& parts);

  private:
    explicit FirstRunHint(QSettings& settings);
};

}  // namespace threefold::ui
