#include "ui/pane_header.h"

#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/measure_rows.h"
#include "ui/number_format.h"
#include "ui/theme.h"

namespace threefold::ui {

PaneHeader::PaneHeader(Level level, QWidget* parent)
    : QWidget(parent), level_(level), detail_(new QLabel(this)) {
    auto* title = new QLabel(
        level == Level::coarse ? QStringLiteral("Coarse") : QStringLiteral("Refined"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    detail_->setTextFormat(Qt::RichText);
    detail_->setFont(numberFont(font()));
    detail_->setMinimumWidth(0);
    detail_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    detail_->setToolTip(
        QStringLiteral("Vertices · Chamfer distance in object units² · F-score at "
                       "τ = 1e-4 in percent, published protocol"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(2);
    layout->addWidget(title);
    layout->addWidget(detail_);
}

void PaneHeader::show(const Result* result) {
    parts_.clear();
    difference_.clear();
    better_ = worse_ = false;
    if (result != nullptr) {
        const bool coarse = level_ == Level::coarse;
        const auto& mesh = coarse ? result->coarse : result->refined;
        parts_ << groupedCount(static_cast<std::int64_t>(mesh->vertices.size())) + " v";
        if (result->evaluation) {
            const Evaluation& evaluation = *result->evaluation;
            const Measures& measures = (coarse ? evaluation.coarse : evaluation.refined).measures;
            parts_ << "CD " + shortScientific(measures.chamfer)
                   << "F(τ) " + fixed(measures.atTau().f, 2) + " %";
            if (!coarse) {
                const MeasureRow f = measureRows(evaluation)[1];
                difference_ = f.difference;
                better_ = f.verdict == Verdict::better;
                worse_ = f.verdict == Verdict::worse;
            }
        }
    }
    refresh();
}

QString PaneHeader::detail() const {
    const QString plain = parts_.join(QStringLiteral(" · "));
    return difference_.isEmpty() ? plain : plain + ' ' + difference_;
}

void PaneHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void PaneHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

void PaneHeader::refresh() {
    const ThemeColours colours = themeColours(palette());
    // In a narrow pane the first parts give way: whole numbers or none.
    QStringList parts = parts_;
    const QFontMetrics metrics(detail_->font());
    const QString separator = QStringLiteral(" · ");
    while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(separator) + "   " +
                                                         difference_) > detail_->width()) {
        parts.removeFirst();
    }
    QString text = QStringLiteral("<span style='color:%1'>%2</span>")
                       .arg(colours.muted.name(), parts.join(separator));
    if (!difference_.isEmpty()) {
        const QColor colour = better_ ? colours.good : worse_ ? colours.bad : colours.muted;
        text += QStringLiteral("&nbsp; <span style='color:%1'>%2</span>")
                    .arg(colour.name(), difference_);
    }
    detail_->setText(text);
    setAccessibleName((level_ == Level::coarse ? "Coarse: " : "Refined: ") + detail());
}

}  // namespace threefold::ui
