#pragma once

#include <QElapsedTimer>
#include <QWidget>

#include "ui/files/picture_writer.h"

class QLabel;

namespace threefold::ui {

/// Progress of a picture with a button to cancel it; shown only if the picture takes long.
class PictureProgress : public QWidget {
    Q_OBJECT

  public:
    explicit PictureProgress(PictureWriter& writer);

  private:
    void advance(double fraction);

    QLabel* text_;
    QElapsedTimer elapsed_;
};

}  // namespace threefold::ui
