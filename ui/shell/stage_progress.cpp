#include "ui/shell/stage_progress.h"

#include <algorithm>
#include <iterator>

#include <QPainter>

#include "ui/style/theme.h"

namespace threefold::ui {

StageProgress::StageProgress(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(QStringLiteral("Progress of the reconstruction"));
    start(StageHistory());
}

void StageProgress::start(const StageHistory& history) {
    shares_.clear();
    double sum = 0;
    // Before the first run: METHOD.md's work, most of it in the two hypothesis blocks.
    constexpr double kExpected[] = {0.02, 0.02, 0.08, 0.05, 0.05, 0.06, 0.06, 0.33, 0.33};
    static_assert(std::size(kExpected) == std::size(kAllStages));
    for (std::size_t i = 0; i < std::size(kAllStages); ++i) {
        const double usual =
            history.runs() > 0 ? history.median(kAllStages[i]).value_or(0) : kExpected[i];
        shares_.push_back(usual);
        sum += usual;
    }
    for (double& share : shares_) share /= std::max(sum, 1e-9);
    advance({Stage::load, 0});
}

void StageProgress::advance(const Progress& progress) {
    now_ = progress;
    update();
}

double StageProgress::done() const {
    double sum = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        if (kAllStages[i] == now_.stage) {
            return sum + shares_[i] * std::clamp(now_.done, 0.0F, 1.0F);
        }
        sum += shares_[i];
    }
    return sum;
}

void StageProgress::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF track(0, (height() - 6) / 2.0, width(), 6);
    painter.setBrush(colours.border);
    painter.drawRoundedRect(track, 3, 3);
    QRectF filled = track;
    filled.setWidth(track.width() * done());
    painter.setBrush(colours.accent);
    painter.drawRoundedRect(filled, 3, 3);
    double edge = 0;
    for (const double share : shares_) {
        edge += share;
        if (edge > 0.995) break;
        painter.fillRect(QRectF(track.width() * edge - 0.5, track.top(), 1, track.height()),
                         colours.panel);
    }
}

}  // namespace threefold::ui
