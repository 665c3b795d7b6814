#include "ui/files/picture_progress.h"

#include <QLabel>

#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

PictureProgress::PictureProgress(PictureWriter& writer) : text_(roleLabel("muted", this)) {
    auto* cancel = flatButton(tr("Cancel"), tr("Stop drawing the picture; no file is written"),
                              this, tr("Cancel the screenshot"));
    text_->setFont(numberFont(font()));
    setLayout(rowOf({text_, cancel}));
    hide();
    connect(cancel, &QToolButton::clicked, &writer, &PictureWriter::cancel);
    connect(&writer, &PictureWriter::progressed, this, &PictureProgress::advance);
    connect(&writer, &PictureWriter::ended, this, [this] {
        elapsed_.invalidate();
        hide();
    });
}

void PictureProgress::advance(double fraction) {
    constexpr qint64 kShowAfter = 400;  // milliseconds
    if (!elapsed_.isValid()) elapsed_.start();
    if (elapsed_.elapsed() < kShowAfter) return;
    text_->setText(tr("Screenshot · %1 %").arg(static_cast<int>(100 * fraction)));
    show();
}

}  // namespace threefold::ui
