#pragma once

#include <QElapsedTimer>
#include <QWidget>

#include "ui/files/screenshot_writer.h"

class QLabel;

namespace threefold::ui {

/// Progress of a screenshot with a button to cancel it; shown only if the screenshot takes long.
class ScreenshotProgress : public QWidget {
    Q_OBJECT

  public:
    explicit ScreenshotProgress(ScreenshotWriter& writer);

  private:
    void advance(double fraction);

    QLabel* text_;
    QElapsedTimer elapsed_;
};

}  // namespace threefold::ui
