#include "ui/inspect/inspector.h"

#include <initializer_list>

#include <QBoxLayout>
#include <QGraphicsOpacityEffect>
#include <QLabel>
#include <QToolButton>

#include "ui/inspect/history_line.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/stage_bars.h"
#include "ui/inspect/threshold_plot.h"
#include "ui/style/elided_label.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setRank(*label, "heading");
    return label;
}

QLabel* note(QWidget* parent) {
    auto* label = new QLabel(parent);
    setRank(*label, "muted");
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString protocolText(const Result& result) {
    return Inspector::tr(
               "Published protocol: %1 vertices against %2 true points, squared distances")
        .arg(groupedCount(static_cast<std::int64_t>(result.refined->vertices.size())),
             groupedCount(static_cast<std::int64_t>(result.truthPoints)));
}

QString valueOf(const QString& provenance, const QString& key) {
    for (const QString& line : provenance.split('\n'))
        if (line.startsWith(key)) return line.mid(key.size());
    return {};
}

}  // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent),
      measures_(new MeasuresTable(this)),
      protocol_(note(this)),
      noTruth_(note(this)),
      plotHeading_(heading(tr("F OVER THRESHOLD · %"), this)),
      plot_(new ThresholdPlot(this)),
      stagesHeading_(heading(tr("STAGES · MS"), this)),
      stages_(new StageBars(this)),
      historyLine_(new HistoryLine(this)),
      backend_(note(this)),
      model_(note(this)),
      description_(new ElidedLabel(this)),
      more_(flatButton(tr("More"), {}, this, tr("Whole description of the model"))),
      wholeDescription_(note(this)),
      sampler_(note(this)),
      renderer_(note(this)) {
    auto* title = heading(tr("MEASURES · τ = 1e-4"), this);
    title->setToolTip(
        tr("The mesh's vertices against the truth's points, squared distances in "
           "object units²"));
    QBoxLayout* network = columnOf({backend_, model_, wholeDescription_,
                                    rowOf({{description_, 1}, more_}), sampler_, renderer_},
                                   8);
    setLayout(
        columnOf({title, measures_, noTruth_, protocol_, 8, plotHeading_, plot_, 8, stagesHeading_,
                  stages_, historyLine_, 8, heading(tr("NETWORK"), this), network, kGrowing},
                 8, {16, 12, 12, 16}));
    const std::initializer_list<QWidget*> later = {
        model_,    description_, more_, wholeDescription_, sampler_, renderer_, measures_,
        protocol_, plotHeading_, plot_, historyLine_};
    for (QWidget* widget : later) widget->hide();
    setRank(*description_, "muted");
    more_->setCheckable(true);
    connect(more_, &QToolButton::toggled, this, [this](bool open) {
        more_->setText(open ? tr("Less") : tr("More"));
        description_->setVisible(!open);
        wholeDescription_->setVisible(open);
    });
    plotHeading_->setToolTip(
        tr("F-score of the meshes at squared distances from 0 to 3 τ, published protocol"));
    noTruth_->setText(tr("Nothing reconstructed yet."));
    backend_->setText(tr("Not loaded yet"));
    stages_->show(StageHistory());
}

void Inspector::show(const Result& result, const StageHistory& history) {
    const bool judged = result.evaluation.has_value();
    for (QWidget* widget :
         std::initializer_list<QWidget*>{measures_, protocol_, plotHeading_, plot_}) {
        widget->setVisible(judged);
    }
    noTruth_->setVisible(!judged);
    plot_->show(result.coarseSweep, result.refinedSweep, result.fittedSweep);
    if (result.evaluation) {
        measures_->show(measureRows(*result.evaluation));
        protocol_->setText(protocolText(result));
    } else {
        noTruth_->setText(result.truthProblem ? tr("The ground truth cannot be used.")
                                              : tr("No ground truth beside this sample: nothing to "
                                                   "measure against. It is looked for as "
                                                   "gt/{category}_{item}_{view}.dat."));
    }
    stages_->show(history);
    historyLine_->show(history);
    historyLine_->setVisible(history.runs() > 1);
    stagesHeading_->setText(
        history.runs() > 1 ? tr("STAGES · MS · %n RUNS", nullptr, static_cast<int>(history.runs()))
                           : tr("STAGES · MS"));
}

void Inspector::setStale(bool stale) {
    constexpr double kDimmed = 0.35;
    for (QWidget* widget : std::initializer_list<QWidget*>{measures_, plot_, protocol_}) {
        if (stale == (widget->graphicsEffect() != nullptr)) continue;
        auto* effect = stale ? new QGraphicsOpacityEffect(widget) : nullptr;
        if (effect != nullptr) effect->setOpacity(kDimmed);
        widget->setGraphicsEffect(effect);
    }
}

void Inspector::awaitFit(bool on) {
    measures_->awaitFit(on);
}

void Inspector::setCompact(bool compact) {
    measures_->setCompact(compact);
}

void Inspector::show(const BackendInfo& backend) {
    backend_->setText(backend.description);
    constexpr int kPrefix = 12;
    model_->setText(backend.modelHash.isEmpty()
                        ? backend.modelName
                        : backend.modelName + " · " + backend.modelHash.left(kPrefix));
    model_->show();
    // Hashes and the rest stay in the tooltip.
    const QString whole =
        QStringLiteral("SHA-256 %1\n%2").arg(backend.modelHash, backend.provenance);
    model_->setToolTip(whole);
    const QString description = valueOf(backend.provenance, QStringLiteral("description: "));
    description_->setWholeText(description, whole);
    wholeDescription_->setText(description);
    const QString sampler = valueOf(backend.provenance, QStringLiteral("sampler: "));
    sampler_->setText(tr("sampler: %1").arg(sampler));
    sampler_->setVisible(!sampler.isEmpty());
    QSizePolicy policy = description_->sizePolicy();
    policy.setRetainSizeWhenHidden(!description.isEmpty());  // the button stays where it is
    description_->setSizePolicy(policy);
    more_->setVisible(!description.isEmpty());
    description_->setVisible(!description.isEmpty() && !more_->isChecked());
    wholeDescription_->setVisible(!description.isEmpty() && more_->isChecked());
}

void Inspector::showRenderer(const QString& device, bool software) {
    renderer_->show();
    renderer_->setText(QStringLiteral("Vulkan · ") + device +
                       (software ? QStringLiteral(" (in software)") : QString()));
}

}  // namespace threefold::ui
