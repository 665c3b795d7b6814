#include "ui/files/screenshot_progress.h"

#include <QLabel>

#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

ScreenshotProgress::ScreenshotProgress(ScreenshotWriter& writer) : text_(roleLabel("muted", this)) {
    auto* cancel = flatButton(tr("Cancel"), tr("Stop drawing the picture; no file is written"),
                              this, tr("Cancel the screenshot"));
    text_->setFont(numberFont(font()));
    setLayout(rowOf({text_, cancel}));
    hide();
    connect(cancel, &QToolButton::clicked, &writer, &ScreenshotWriter::cancel);
    connect(&writer, &ScreenshotWriter::progressed, this, &ScreenshotProgress::advance);
    connect(&writer, &ScreenshotWriter::ended, this, [this] {
        elapsed_.invalidate();
        hide();
    });
}

void ScreenshotProgress::advance(double fraction) {
    constexpr qint64 kShowAfter = 400;  // milliseconds
    if (!elapsed_.isValid()) elapsed_.start();
    if (elapsed_.elapsed() < kShowAfter) return;
    text_->setText(tr("Screenshot · %1 %").arg(static_cast<int>(100 * fraction)));
    show();
}

}  // namespace threefold::ui
