#include "ui/batch/batch_histogram.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/batch/batch_column_text.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kBins = 25;

// Smallest of 1, 2, 5 or 10 times a power of ten that is not below `value`; 1 unless `value` is
// positive.
double roundedUp(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0, 10.0})
        if (step * power >= value) return step * power;
    return value;
}

}  // namespace

void BatchHistogram::setRecords(const std::vector<SampleRecord>& records, const BatchColumn& column,
                                std::size_t protocol) {
    decimals_ = column.decimals();
    std::vector<double> values;
    std::vector<bool> worse;
    for (const SampleRecord& record : records) {
        const std::optional<double> value = column.value(record, protocol);
        if (!value || !std::isfinite(*value)) continue;
        values.push_back(*value);
        const std::optional<double> before =
            column.previousColumn ? columnAt(*column.previousColumn).value(record, protocol)
                                  : std::nullopt;
        worse.push_back(column.isWorse(*value, before));
    }
    count_ = static_cast<int>(values.size());
    counts_.assign(kBins, 0);
    worseCounts_.assign(kBins, 0);
    mean_ = 0;
    min_ = 0;
    max_ = column.scaleMax().value_or(100);
    if (!values.empty() && !column.scaleMax()) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        max_ = roundedUp(std::max(std::abs(*low), std::abs(*high)));
        min_ = *low < 0 ? -max_ : 0;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        mean_ += value / count_;
        const double fraction = (value - min_) / (max_ - min_);
        const int bin = std::clamp(static_cast<int>(fraction * kBins), 0, kBins - 1);
        ++counts_[static_cast<std::size_t>(bin)];
        if (worse[i]) ++worseCounts_[static_cast<std::size_t>(bin)];
    }
    setAccessibleDescription(
        count_ == 0 ? QString()
                    : tr("%1 of %2 samples, mean %3")
                          .arg(titleOf(column), groupedCount(count_), fixedText(mean_, decimals_)));
    setToolTip(tooltipOf(column));
    update();
}

QRectF BatchHistogram::plotArea() const {
    const int line = QFontMetrics(numberFont(font())).height();
    return QRectF(rect()).adjusted(0, 4, 0, -line - 6);
}

QRectF BatchHistogram::labelArea() const {
    const QRectF area = plotArea();
    return {area.left(), area.bottom() + 4, area.width(), rect().bottom() - area.bottom() - 3};
}

qreal BatchHistogram::meanX() const {
    const QRectF area = plotArea();
    return area.left() + area.width() * (mean_ - min_) / (max_ - min_);
}

QRectF BatchHistogram::meanLabel() const {
    QRectF label = labelArea();
    const qreal width = QFontMetricsF(numberFont(font())).horizontalAdvance(meanText()) + 2;
    const qreal left = std::clamp(meanX() - width / 2, label.left(),
                                  std::max(label.left(), label.right() - width));
    label.setLeft(left);
    label.setWidth(width);
    return label;
}

void BatchHistogram::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(numberFont(font()));
    const QRectF area = plotArea();
    painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), colours.border);
    painter.setPen(colours.muted);
    const QRectF mean = count_ > 0 ? meanLabel() : QRectF();
    // Omits the label of an end of the scale if it would overlap the label of the mean.
    const auto drawEndLabel = [&](Qt::Alignment side, double value) {
        const QString text = fixedText(value, max_ >= 10 ? 0 : 1);
        const QRectF box =
            painter.boundingRect(labelArea(), static_cast<int>(side | Qt::AlignTop), text);
        constexpr qreal kGap = 6;
        if (box.adjusted(-kGap, 0, kGap, 0).intersects(mean)) return;
        painter.drawText(labelArea(), side | Qt::AlignTop, text);
    };
    drawEndLabel(Qt::AlignLeft, min_);
    drawEndLabel(Qt::AlignRight, max_);
    if (count_ == 0) return;
    painter.drawText(mean, Qt::AlignHCenter | Qt::AlignTop, meanText());
    const int maxCount = *std::max_element(counts_.begin(), counts_.end());
    const double width = area.width() / kBins;
    for (int bin = 0; bin < kBins; ++bin) {
        const int count = counts_[static_cast<std::size_t>(bin)];
        if (count == 0) continue;
        const double height = std::max(2.0, area.height() * count / maxCount);
        // The lower part of a bar is red: samples that a stage made worse. The table marks them,
        // too.
        const double red = height * worseCounts_[static_cast<std::size_t>(bin)] / count;
        const QRectF bar(area.left() + bin * width + 0.5, area.bottom() - height,
                         std::max(1.0, width - 1), height);
        painter.fillRect(bar, colours.accent);
        painter.fillRect(bar.adjusted(0, height - red, 0, 0), colours.bad);
    }
    const double x = meanX();
    painter.setPen(QPen(colours.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

}  // namespace threefold::ui
