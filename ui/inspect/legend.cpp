#include "ui/inspect/legend.h"

#include <algorithm>
#include <optional>

#include "ui/document/comparison_values.h"
#include "ui/document/shown_values.h"
#include "ui/results/morphed_mesh.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr float kPercentiles[] = {0.95F, 0.99F, 1.0F};

/// What the colours stand for, the longest text first: a narrow window shows the first that fits.
QStringList captionsOf(const QuantityInfo& info, std::optional<double> share) {
    const QString whole =
        info.unit.isEmpty() ? info.name : QStringLiteral("%1 (%2)").arg(info.name, info.unit);
    if (!share) return {whole, info.name};
    const int percent = qRound(100 * *share);
    const QString range = *share >= 1 ? Legend::tr("all values")
                                      : Legend::tr("up to the %1th percentile").arg(percent);
    const QString brief = *share >= 1 ? range : Legend::tr("%1th percentile").arg(percent);
    return {Legend::tr("%1 · range: %2").arg(whole, range), Legend::tr("%1 · %2").arg(whole, range),
            Legend::tr("%1 · %2").arg(info.name, range),
            Legend::tr("%1 · %2").arg(info.name, brief), info.name};
}

}  // namespace

Legend::Legend(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      bars_{new LegendBar(this), new LegendBar(this), new LegendBar(this)},
      reason_(rankedLabel("muted", this)),
      caption_(rankedLabel("muted", nullptr)),
      below_(new QStackedWidget(this)),
      fields_(new ValueRangeFields),
      mode_(flatButton({}, tr("Range and scale of the colours"), this)) {
    setObjectName(QStringLiteral("legend"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    reason_->setAlignment(Qt::AlignCenter);
    reason_->setWordWrap(true);
    caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    below_->addWidget(caption_);
    below_->addWidget(fields_);
    below_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);

    reason_->setFixedHeight(bars_[0]->sizeHint().height());
    for (LegendBar* bar : bars_) {
        connect(bar, &LegendBar::rangeWanted, this, &Legend::setRange);
        connect(bar, &LegendBar::resetWanted, this, [this] { setMode(RangeMode::shared); });
        connect(bar, &LegendBar::typingWanted, this, &Legend::beginTyping);
    }
    setLayout(columnOf({rowOf({{bars_[0], 1}, {bars_[1], 1}, {bars_[2], 1}, {reason_, 1}}, 0),
                        rowOf({{below_, 1}, mode_}, 0, {16, 0, 8, 0})},
                       0, {0, 0, 0, 4}));
    fillModeMenu();
    connect(fields_, &ValueRangeFields::chosen, this, &Legend::setRange);
    connect(fields_, &ValueRangeFields::done, this, &Legend::endTyping);
    connectAll(&document_, this, &Legend::refresh, &Document::resultChanged, &Document::runChanged,
               &Document::openedChanged, &Document::lookChanged);
    connect(&document_, &Document::fitAdvanced, this, [this] {
        if (document_.look().range == RangeMode::fitted) refresh();  // its pane has its own bar
    });
    if (const auto* values = document_.comparisonValues())
        connect(values, &ComparisonValues::changed, this, &Legend::refresh);
    refresh();
}

void Legend::fillModeMenu() {
    auto* menu = new QMenu(mode_);
    modes_ =
        choicesOf({tr("&Automatic, for all panes"), tr("Automatic, each &pane"), tr("&Manual")},
                  this, [this](std::size_t i) {
                      const auto mode = static_cast<RangeMode>(i);
                      mode == RangeMode::manual ? beginTyping(false) : setMode(mode);
                  });
    menu->addActions(modes_);
    menu->addSeparator();
    percentiles_ = choicesOf(QStringList(std::size(kPercentiles)), this, [this](std::size_t i) {
        document_.changeLook([&](Look& look) {
            look.percentile = kPercentiles[i];
            if (look.range == RangeMode::manual) look.range = RangeMode::shared;
            look.keepRange = false;
        });
    });
    menu->addActions(percentiles_);
    menu->addSeparator();
    keep_ = menu->addAction(tr("&Keep for the results to come"));
    scale_ = menu->addAction(tr("&Logarithmic"));
    for (QAction* action : {keep_, scale_}) action->setCheckable(true);
    connect(keep_, &QAction::triggered, this, &Legend::keepRange);
    connect(scale_, &QAction::triggered, this, [this](bool on) {
        document_.changeLook([&](Look& look) {
            look.scale = on ? render::ValueScale::logarithmic : render::ValueScale::linear;
        });
    });
    mode_->setMenu(menu);
    mode_->setPopupMode(QToolButton::InstantPopup);
}

void Legend::setRange(ValueRange range) {
    document_.changeLook([&](Look& look) {
        look.range = RangeMode::manual;
        look.lowest = range.lowest;
        look.highest = range.highest;
    });
}

void Legend::keepRange(bool on) {
    const bool first(surfaceValues(document_, firstShown(document_)).values);
    const ValueRange now = valueRange(document_, first ? firstShown(document_) : MeshId::result);
    document_.changeLook([&](Look& look) {
        look.keepRange = on;
        if (!on) return;
        look.lowest = now.lowest;
        look.highest = now.highest;
    });
}

void Legend::beginTyping(bool low) {
    cameFrom_ = low ? &bars_[0]->lowHandle() : &bars_[0]->highHandle();
    fields_->setRange(valueRange(document_, firstShown(document_)),
                      quantityInfo(document_.quantity()).unit);
    below_->setCurrentWidget(fields_);
    fields_->focus(low);
}

void Legend::endTyping() {
    below_->setCurrentWidget(caption_);
    if (cameFrom_ != nullptr) cameFrom_->setFocus(Qt::OtherFocusReason);
}

void Legend::refresh() {
    const Look& look = document_.look();
    const QuantityInfo info = quantityInfo(document_.quantity());
    const SurfaceValues first = surfaceValues(document_, firstShown(document_));
    const SurfaceValues second = surfaceValues(document_, MeshId::result);
    const bool any = first.values || second.values;
    const bool apart = any && look.range == RangeMode::fitted && !look.keepRange && first.values &&
                       second.values && look.layout == Layout::sideBySide;

    const SurfaceValues third = surfaceValues(document_, MeshId::fitted);
    const render::ValueColours colours =
        valueColours(document_, first.values ? firstShown(document_) : MeshId::result);
    const auto show = [&](std::size_t bar, bool on, const LegendBar::Content& content) {
        if (on) bars_[bar]->setContent(content);
        bars_[bar]->setVisible(on);
    };
    show(0, any, {colours, info, first.sorted, apart ? nullptr : second.sorted});
    show(1, apart, {valueColours(document_, MeshId::result), info, nullptr, second.sorted});
    show(2, apart && third.values,
         {valueColours(document_, MeshId::fitted), info, nullptr, third.sorted});
    reason_->setVisible(!any);
    if (!any) {
        const QString why = first.reason.isEmpty() ? second.reason : first.reason;
        const bool nothing = !document_.result() && document_.openedIds().empty();
        reason_->setText(nothing ? QString() : why.isEmpty() ? info.explanation : why);
    }

    modes_[static_cast<int>(look.range)]->setChecked(true);
    for (int i = 0; i < static_cast<int>(std::size(kPercentiles)); ++i) {
        const double share = fittedShare(kPercentiles[i], info);
        percentiles_[i]->setText(share < 1
                                     ? tr("Up to the &%1th percentile").arg(qRound(100 * share))
                                     : tr("&All values"));
        percentiles_[i]->setChecked(kPercentiles[i] == look.percentile);
    }
    const bool logarithmic = look.scale == render::ValueScale::logarithmic && !info.diverging;
    const QString names[] = {tr("Automatic"), tr("Each pane"), tr("Manual")};
    QString mode = look.keepRange ? tr("Kept") : names[static_cast<std::size_t>(look.range)];
    if (logarithmic) mode += tr(" · log");
    mode_->setText(mode + QStringLiteral(" ▾"));
    mode_->setAccessibleName(tr("Range of the colours: %1").arg(mode));
    mode_->setVisible(any);
    keep_->setChecked(look.keepRange);
    scale_->setEnabled(!info.diverging);
    scale_->setChecked(logarithmic);
    if (!any && below_->currentWidget() == fields_) below_->setCurrentWidget(caption_);

    const bool automatic = any && look.range != RangeMode::manual && !look.keepRange;
    captions_ = any ? captionsOf(info, automatic ? std::optional(fittedShare(look.percentile, info))
                                                 : std::nullopt)
                    : QStringList{QString()};
    const ResultRef& result = document_.result();
    if (any && info.ofFit != nullptr && result && fittedApart(*result))
        captions_.prepend(captions_.first() + QStringLiteral(" · ") + third.reason);
    QStringList lines{info.explanation};
    if (info.unit == Quantities::tr("object units"))
        lines << tr("One object unit is the diagonal of the object's bounding box ÷ 0.57");
    lines << tr(
        "Histogram: outline coarse, filled refined. Values beyond the range take the colour of its "
        "end");
    const QString tip = any ? lines.join(QStringLiteral(".\n")) + '.' : QString();
    caption_->setToolTip(tip);
    for (LegendBar* bar : bars_) bar->setToolTip(tip);
    setAccessibleName(any ? tr("%1 from %2 to %3 %4")
                                .arg(info.name, shortNumber(colours.lowest),
                                     shortNumber(colours.highest), info.unit)
                                .trimmed()
                          : reason_->text());
    updateCaption();
}

void Legend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateCaption();
}

void Legend::updateCaption() {
    const QFontMetrics metrics = caption_->fontMetrics();
    constexpr int kLeastWidth = 120;  // of "Distance to truth"; longer names are cut
    below_->setMinimumWidth(std::min(metrics.horizontalAdvance(captions_.back()), kLeastWidth));
    const auto fits = [&](const QString& text) {
        return metrics.horizontalAdvance(text) <= below_->width();
    };
    const auto found = std::find_if(captions_.begin(), captions_.end(), fits);
    caption_->setText(found != captions_.end()
                          ? *found
                          : metrics.elidedText(captions_.back(), Qt::ElideRight, below_->width()));
}

}  // namespace threefold::ui
