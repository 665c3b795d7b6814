#include "ui/inspect/inspector.h"

#include <initializer_list>

#include <QBoxLayout>
#include <QLabel>

#include "ui/inspect/history_line.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/stage_bars.h"
#include "ui/inspect/threshold_plot.h"
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

// What a person reads: the description's text, then the sampler. Hashes stay in the tooltip.
QString inShort(const QString& provenance) {
    QStringList lines;
    for (const QString& line : provenance.split('\n')) {
        const QString description = QStringLiteral("description: ");
        if (line.startsWith(description)) lines << line.mid(description.size());
        if (line.startsWith(QStringLiteral("sampler: "))) lines << line;
    }
    return lines.join('\n');
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
      provenance_(note(this)),
      renderer_(note(this)) {
    auto* title = heading(tr("MEASURES · τ = 1e-4"), this);
    title->setToolTip(
        tr("The mesh's vertices against the truth's points, squared distances in "
           "object units²"));
    setLayout(columnOf({title, measures_, noTruth_, protocol_, 8, plotHeading_, plot_, 8,
                        stagesHeading_, stages_, historyLine_, 8, heading(tr("NETWORK"), this),
                        backend_, model_, provenance_, renderer_, kGrowing},
                       8, {16, 12, 12, 16}));
    const std::initializer_list<QWidget*> later = {
        model_, provenance_, renderer_, measures_, protocol_, plotHeading_, plot_, historyLine_};
    for (QWidget* widget : later) widget->hide();
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
    provenance_->setText(inShort(backend.provenance));
    provenance_->setVisible(!provenance_->text().isEmpty());
    const QString whole =
        QStringLiteral("SHA-256 %1\n%2").arg(backend.modelHash, backend.provenance);
    for (QLabel* label : {model_, provenance_}) label->setToolTip(whole);
}

void Inspector::showRenderer(const QString& device, bool software) {
    renderer_->show();
    renderer_->setText(QStringLiteral("Vulkan · ") + device +
                       (software ? QStringLiteral(" (in software)") : QString()));
}

}  // namespace threefold::ui
