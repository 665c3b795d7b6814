#include "ui/batch/batch_histogram.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kBins = 25;

// A round number not below the magnitude of `value`.
double roundedUp(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0, 10.0}) {
        if (step * power >= value) return step * power;
    }
    return value;
}

}  // namespace

BatchHistogram::BatchHistogram(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Histogram"));
}

void BatchHistogram::show(const std::vector<BatchRow>& rows, BatchColumn column,
                          std::size_t protocol) {
    column_ = column;
    std::vector<double> values;
    for (const BatchRow& row : rows) {
        const std::optional<double> value = batchValue(row, column, protocol);
        if (value && std::isfinite(*value)) values.push_back(*value);
    }
    count_ = static_cast<int>(values.size());
    bins_.assign(kBins, 0);
    mean_ = 0;
    const bool percent = column == BatchColumn::fCoarse || column == BatchColumn::fRefined ||
                         column == BatchColumn::fTwoTau || column == BatchColumn::fFitted;
    lowest_ = 0;
    highest_ = 100;
    const bool share = column == BatchColumn::overlapCoarse ||
                       column == BatchColumn::overlapRefined ||
                       column == BatchColumn::overlapFitted;
    if (share) {
        highest_ = 1;
    } else if (!values.empty() && !percent) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        highest_ = roundedUp(std::max(std::abs(*low), std::abs(*high)));
        lowest_ = *low < 0 ? -highest_ : 0;
    }
    for (const double value : values) {
        mean_ += value / count_;
        const double along = (value - lowest_) / (highest_ - lowest_);
        const int bin = std::clamp(static_cast<int>(along * kBins), 0, kBins - 1);
        ++bins_[static_cast<std::size_t>(bin)];
    }
    setAccessibleDescription(count_ == 0 ? QString()
                                         : tr("%1 of %2 items, mean %3")
                                               .arg(batchColumnTitle(column), groupedCount(count_),
                                                    fixed(mean_, batchColumnDecimals(column))));
    setToolTip(batchColumnTooltip(column));
    update();
}

void BatchHistogram::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(numberFont(font()));
    const int line = painter.fontMetrics().height();
    const QRectF plot = QRectF(rect()).adjusted(0, 4, 0, -line - 6);
    painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), colours.border);
    const QRectF texts(plot.left(), plot.bottom() + 4, plot.width(), line);
    painter.setPen(colours.muted);
    const int decimals = highest_ >= 10 ? 0 : 1;
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignTop, fixed(lowest_, decimals));
    painter.drawText(texts, Qt::AlignRight | Qt::AlignTop, fixed(highest_, decimals));
    if (count_ == 0) return;
    painter.drawText(texts, Qt::AlignHCenter | Qt::AlignTop,
                     tr("mean %1").arg(fixed(mean_, batchColumnDecimals(column_))));
    const int most = *std::max_element(bins_.begin(), bins_.end());
    const double width = plot.width() / kBins;
    for (int bin = 0; bin < kBins; ++bin) {
        const int count = bins_[static_cast<std::size_t>(bin)];
        if (count == 0) continue;
        const double height = std::max(2.0, plot.height() * count / most);
        // Where a stage made it worse, as in the table.
        const bool worse = isDifference(column_) && bin < kBins / 2;
        painter.fillRect(QRectF(plot.left() + bin * width + 0.5, plot.bottom() - height,
                                std::max(1.0, width - 1), height),
                         worse ? colours.bad : colours.accent);
    }
    const double at = plot.left() + plot.width() * (mean_ - lowest_) / (highest_ - lowest_);
    painter.setPen(QPen(colours.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
}

}  // namespace threefold::ui
