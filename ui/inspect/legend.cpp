#include "ui/inspect/legend.h"

#include <algorithm>
#include <optional>

#include <QBoxLayout>

#include "engine/mesh.h"
#include "ui/document/connections.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/shown_document.h"
#include "ui/panes/header_text.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/results/morphed_mesh.h"
#include "ui/shell/feature_context.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

/// A shown mesh with values.
struct ColouredMesh {
    MeshId id;
    SurfaceValues values;
};

namespace {

constexpr float kPercentiles[] = {0.95F, 0.99F, 1.0F};

/// "92nd".
QString ordinal(int number) {
    const int units = number % 10;
    const bool isTeen = number / 10 % 10 == 1;
    const char* suffix = isTeen       ? "th"
                         : units == 1 ? "st"
                         : units == 2 ? "nd"
                         : units == 3 ? "rd"
                                      : "th";
    return QString::number(number) + QLatin1String(suffix);
}

/// Captions for quantity and range, longest first: the legend shows the first caption that fits.
/// `fraction`: fraction of the values within an automatic range; none for any other range.
QStringList captionsOf(const QuantityInfo& info, std::optional<double> fraction) {
    const QString full =
        info.unit.isEmpty() ? info.name : QStringLiteral("%1 (%2)").arg(info.name, info.unit);
    if (!fraction) return {full, info.name};
    const QString rank = ordinal(qRound(100 * *fraction));
    const QString range =
        *fraction >= 1 ? Legend::tr("all values") : Legend::tr("up to the %1 percentile").arg(rank);
    const QString shortRange = *fraction >= 1 ? range : Legend::tr("%1 percentile").arg(rank);
    return {Legend::tr("%1 · range: %2").arg(full, range), Legend::tr("%1 · %2").arg(full, range),
            Legend::tr("%1 · %2").arg(info.name, range),
            Legend::tr("%1 · %2").arg(info.name, shortRange), info.name};
}

/// The coloured meshes of the panes, from left to right.
std::vector<ColouredMesh> colouredMeshes(const ShownDocument& shown) {
    std::vector<ColouredMesh> meshes;
    for (const MeshId id : shownIds(shown.document)) {
        if (!meshOf(shown.document, id)) continue;
        if (SurfaceValues values = surfaceValues(shown, id); values.values)
            meshes.push_back({id, std::move(values)});
    }
    return meshes;
}

/// The mesh that supplies the range for all panes.
MeshId rangeMesh(const ShownDocument& shown) {
    const std::vector<ColouredMesh> meshes = colouredMeshes(shown);
    return meshes.empty() ? defaultFirstMesh(shown.document) : meshes.front().id;
}

/// Why the panes' meshes have no values: the first mesh's reason, or else the description of the
/// quantity. Empty if no pane shows a mesh, and while a reconstruction will bring the values.
QString reasonWithoutValues(const ShownDocument& shown, const QuantityInfo& info) {
    bool any = false;
    for (const MeshId id : shownIds(shown.document)) {
        if (!meshOf(shown.document, id)) continue;
        any = true;
        if (QString reason = surfaceValues(shown, id).reason; !reason.isEmpty()) return reason;
    }
    const bool willCome = shown.document.run.state().isReconstructing() && info.hasValues();
    return any && !willCome ? info.explanation : QString();
}

}  // namespace

Legend::Legend(Document& document, const ShownDocument& shown, QWidget* parent)
    : QWidget(parent),
      document_(document),
      shown_(shown),
      reason_(roleLabel("muted", this)),
      caption_(roleLabel("muted", nullptr)),
      below_(new QStackedWidget(this)),
      fields_(new ValueRangeFields),
      mode_(named(flatButton({}, tr("Range and scale of the colours"), this), "mode")) {
    setObjectName(QStringLiteral("legend"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    reason_->setAlignment(Qt::AlignCenter);
    reason_->setWordWrap(true);
    caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    below_->addWidget(caption_);
    below_->addWidget(fields_);
    below_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);

    QBoxLayout* bars = rowOf({}, 0);
    for (LegendBar*& bar : bars_) {
        bar = new LegendBar(this);
        bars->addWidget(bar, 1);
        connect(bar, &LegendBar::rangeRequested, this, &Legend::setRange);
        connect(bar, &LegendBar::resetRequested, this, [this] { setMode(RangeMode::shared); });
        connect(bar, &LegendBar::typingRequested, this, &Legend::beginTyping);
    }
    reason_->setFixedHeight(bars_[0]->sizeHint().height());
    bars->addWidget(reason_, 1);
    setLayout(
        columnOf({bars, rowOf({stretched(below_), mode_}, 0, {16, 0, 8, 0})}, 0, {0, 0, 0, 4}));
    fillModeMenu();
    connect(fields_, &ValueRangeFields::chosen, this, &Legend::setRange);
    connect(fields_, &ValueRangeFields::done, this, &Legend::endTyping);
    connectChanged(this, &Legend::refresh, document_.result, document_.run, document_.opened,
                   document_.look);
    connect(&document_.fit, &FitModel::convergingMeshChanged, this, [this] {
        if (document_.look.current().range == RangeMode::perPane)
            refresh();  // the fitted mesh has a bar of its own
    });
    if (shown_.openedValues != nullptr)
        connect(shown_.openedValues, &OpenedMeshValues::changed, this, &Legend::refresh);
    refresh();
}

void Legend::fillModeMenu() {
    auto* menu = new QMenu(mode_);
    modes_ = exclusiveActions(
        {tr("&Automatic, for all panes"), tr("Automatic, each &pane"), tr("&Manual")}, this,
        [this](std::size_t i) {
            const auto mode = static_cast<RangeMode>(i);
            mode == RangeMode::custom ? beginTyping(RangeEnd::high) : setMode(mode);
        });
    menu->addActions(modes_);
    menu->addSeparator();
    percentiles_ =
        exclusiveActions(QStringList(std::size(kPercentiles)), this, [this](std::size_t i) {
            document_.look.change([&](Look& look) {
                look.upperQuantile = kPercentiles[i];
                if (look.range == RangeMode::custom) look.range = RangeMode::shared;
                look.keepRange = false;
            });
        });
    menu->addActions(percentiles_);
    menu->addSeparator();
    keepRangeAction_ = named(menu->addAction(tr("&Keep this range")), "keepRange");
    logarithmicAction_ = named(menu->addAction(tr("&Logarithmic")), "logarithmic");
    for (QAction* action : {keepRangeAction_, logarithmicAction_}) action->setCheckable(true);
    connect(keepRangeAction_, &QAction::triggered, this, &Legend::setRangeKept);
    connect(logarithmicAction_, &QAction::triggered, this, [this](bool on) {
        document_.look.change([&](Look& look) {
            look.scale = on ? render::ValueScale::logarithmic : render::ValueScale::linear;
        });
    });
    mode_->setMenu(menu);
    mode_->setPopupMode(QToolButton::InstantPopup);
}

void Legend::setRange(ValueRange range) {
    document_.look.change([&](Look& look) {
        look.range = RangeMode::custom;
        look.rangeMin = range.min;
        look.rangeMax = range.max;
    });
}

void Legend::setRangeKept(bool kept) {
    const ValueRange range = valueRange(shown_, rangeMesh(shown_));
    document_.look.change([&](Look& look) {
        look.keepRange = kept;
        if (!kept) return;
        look.rangeMin = range.min;
        look.rangeMax = range.max;
    });
}

void Legend::beginTyping(RangeEnd end) {
    focusReturn_ = end == RangeEnd::low ? &bars_[0]->lowHandle() : &bars_[0]->highHandle();
    fields_->setRange(valueRange(shown_, rangeMesh(shown_)),
                      quantityInfo(document_.shownQuantity()).unit);
    below_->setCurrentWidget(fields_);
    fields_->focus(end);
}

void Legend::endTyping() {
    below_->setCurrentWidget(caption_);
    if (focusReturn_ != nullptr) focusReturn_->setFocus(Qt::OtherFocusReason);
}

void Legend::refresh() {
    QuantityInfo info = shownQuantityInfo(document_);
    // Without a sample the unit of an opened mesh is unknown.
    if (!document_.result.current() && !info.unit.isEmpty() &&
        info.unit == Quantities::tr("object units"))
        info.unit = tr("units of the file");
    const std::vector<ColouredMesh> meshes = colouredMeshes(shown_);
    const Look& look = document_.look.current();
    const bool separateBars = meshes.size() > 1 && look.hasPaneRanges();
    refreshBars(info, meshes, separateBars);
    refreshModes(info, !meshes.empty());
    refreshCaptions(info, !meshes.empty());
    refreshHelp(info, meshes, separateBars);
    updateCaption();
}

// Fills the bars, or says why there are none.
void Legend::refreshBars(const QuantityInfo& info, const std::vector<ColouredMesh>& meshes,
                         bool separateBars) {
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const bool shown =
            i < (separateBars ? meshes.size() : std::min<std::size_t>(1, meshes.size()));
        if (shown) {
            const bool outlined = !separateBars && meshes.size() > 1;
            bars_[i]->setContent({colourScaleOf(shown_, meshes[i].id), info,
                                  outlined ? meshes[0].values.sorted : nullptr,
                                  meshes[outlined ? 1 : i].values.sorted});
        }
        bars_[i]->setVisible(shown);
    }
    reason_->setVisible(meshes.empty());
    if (meshes.empty()) reason_->setText(reasonWithoutValues(shown_, info));
}

// Sets the check marks in the menu of modes, and names the mode on the menu's button.
void Legend::refreshModes(const QuantityInfo& info, bool hasValues) {
    const Look& look = document_.look.current();
    modes_[static_cast<int>(look.range)]->setChecked(true);
    for (int i = 0; i < static_cast<int>(std::size(kPercentiles)); ++i) {
        const double fraction = automaticRangeFraction(kPercentiles[i], info);
        percentiles_[i]->setText(
            fraction < 1 ? tr("Up to the &%1 percentile").arg(ordinal(qRound(100 * fraction)))
                         : tr("&All values"));
        percentiles_[i]->setChecked(kPercentiles[i] == look.upperQuantile);
    }
    const bool logarithmic = look.scale == render::ValueScale::logarithmic && !info.diverging;
    const QString names[] = {tr("Automatic"), tr("Each pane"), tr("Manual")};
    QString mode = look.keepRange ? tr("Kept") : names[static_cast<std::size_t>(look.range)];
    if (logarithmic) mode += tr(" · log");
    mode_->setText(mode + QStringLiteral(" ▾"));
    mode_->setAccessibleName(tr("Range of the colours: %1").arg(mode));
    mode_->setVisible(hasValues);
    keepRangeAction_->setChecked(look.keepRange);
    logarithmicAction_->setEnabled(!info.diverging);
    logarithmicAction_->setChecked(logarithmic);
    if (!hasValues && below_->currentWidget() == fields_) below_->setCurrentWidget(caption_);
}

// Sets the captions below the bars, the longest first.
void Legend::refreshCaptions(const QuantityInfo& info, bool hasValues) {
    const Look& look = document_.look.current();
    const bool automatic = hasValues && !look.hasCustomOrKeptRange();
    captions_ = hasValues ? captionsOf(info, automatic ? std::optional(automaticRangeFraction(
                                                             look.upperQuantile, info))
                                                       : std::nullopt)
                          : QStringList{QString()};
    const ResultRef& result = document_.result.current();
    if (hasValues && info.ofFit != nullptr && result && hasOwnFittedVertices(*result))
        captions_.prepend(captions_.first() + QStringLiteral(" · ") +
                          surfaceValues(shown_, MeshId::fitted).reason);
}

// Sets tool tips and the accessible name.
void Legend::refreshHelp(const QuantityInfo& info, const std::vector<ColouredMesh>& meshes,
                         bool separateBars) {
    const bool hasValues = !meshes.empty();
    QStringList lines{info.explanation};
    if (info.unit == Quantities::tr("object units"))
        lines << tr("One object unit is the diagonal of the object's bounding box ÷ %1")
                     .arg(kObjectDiagonal);
    if (!separateBars && meshes.size() > 1)
        lines << tr("Histogram: outline %1, filled %2")
                     .arg(headerText(shown_, meshes[0].id).title,
                          headerText(shown_, meshes[1].id).title);
    lines << tr("Values beyond the range have the colour of its nearest end");
    const QString tip = hasValues ? lines.join(QStringLiteral(".\n")) + '.' : QString();
    caption_->setToolTip(tip);
    for (LegendBar* bar : bars_) bar->setToolTip(tip);
    const ValueRange range =
        valueRange(shown_, hasValues ? meshes.front().id : defaultFirstMesh(document_));
    setAccessibleName(
        hasValues ? tr("%1 from %2 to %3 %4")
                        .arg(info.name, shortNumber(range.min), shortNumber(range.max), info.unit)
                        .trimmed()
                  : reason_->text());
}

void Legend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateCaption();
}

void Legend::updateCaption() {
    const QFontMetrics metrics = caption_->fontMetrics();
    constexpr int kMinCaptionWidth = 120;  // fits "Distance to truth"; longer names are elided
    below_->setMinimumWidth(
        std::min(metrics.horizontalAdvance(captions_.back()), kMinCaptionWidth));
    const auto fits = [&](const QString& text) {
        return metrics.horizontalAdvance(text) <= below_->width();
    };
    const auto found = std::find_if(captions_.begin(), captions_.end(), fits);
    caption_->setText(found != captions_.end()
                          ? *found
                          : metrics.elidedText(captions_.back(), Qt::ElideRight, below_->width()));
}

Legend& addLegend(const FeatureContext& context, QBoxLayout& belowPanes) {
    auto* legend = new Legend(context.document, context.shown);
    belowPanes.insertWidget(0, legend);
    return *legend;
}

}  // namespace threefold::ui
