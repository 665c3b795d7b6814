#include "ui/inspect/inspector.h"

#include <utility>

#include <QGraphicsOpacityEffect>
#include <QStyle>

#include "ui/style/bounded_scroll.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Largest width of the measures table, logical pixels; a wider table scrolls.
constexpr int kMaxTableWidth = 380;

QLabel* note(QWidget* parent) {
    QLabel* label = roleLabel("muted", parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// "18 % of the truth is not within τ of the fitted mesh (drawn in red)"; empty below half a
/// percent, and without an evaluation.
QString missedText(const Result& result) {
    const std::size_t stage =
        result.mesh(MeshId::fitted) ? result.morph.fittedIndex() : result.morph.resultIndex();
    if (result.evaluation() == nullptr) return {};
    const int percent = qRound(100 * result.evaluation()->missed[stage].fraction);
    if (percent < 1) return {};
    return Inspector::tr("%1 % of the truth is not within τ of the %2 mesh (drawn in red)")
        .arg(percent)
        .arg(stageLabel(result.morph.stages[stage]));
}

}  // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent),
      tabs_(named(new QTabBar(this), "sections")),
      aboveMeasures_(columnOf({})),
      measuresHeading_(new ElidedLabel(this)),
      protocolButton_(flatButton({}, {}, this)),
      measures_(new MeasuresTable(this)),
      measuresScroll_(new BoundedScroll(
          measures_, Qt::Horizontal, [] { return kMaxTableWidth; }, this)),
      problems_(named(note(this), "problems")),
      noTruth_(note(this)),
      missed_(named(note(this), "missed")),
      fit_(named(note(this), "fit")),
      plotHeading_(roleLabel("heading", this, tr("F OVER THRESHOLD · %"))),
      sections_(columnOf({}, 8)),
      plot_(new ThresholdPlot(this)),
      stepsHeading_(named(roleLabel("heading", this, tr("STEPS · MS")), "stepsHeading")),
      steps_(new StepBars(this)),
      historyLine_(new HistoryLine(this)),
      networkLabel_(note(this)),
      modelLabel_(note(this)) {
    setTextRole(*measuresHeading_, "heading");
    measuresHeading_->setFullText(
        tr("MEASURES · τ = 1e-4"),
        tr("The mesh's vertices against the truth's points, squared distances in "
           "object units²"));
    addPage(tr("Measures"),
            columnOf({aboveMeasures_, rowOf({stretched(measuresHeading_), protocolButton_}),
                      measuresScroll_, noTruth_, problems_, missed_, fit_, spacing(8), plotHeading_,
                      plot_}));
    addPage(tr("Results"), sections_);
    addPage(tr("Steps"),
            columnOf({stepsHeading_, steps_, historyLine_, networkLabel_, modelLabel_}));
    tabs_->setAccessibleName(tr("Sections of the inspector"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    QBoxLayout* layout = columnOf({tabs_}, 16, {16, 12, 12, 16});
    for (QWidget* page : pages_) layout->addWidget(page);
    layout->addStretch(1);
    setLayout(layout);
    connect(tabs_, &QTabBar::currentChanged, this, &Inspector::showPages);
    showPages();
    const std::initializer_list<QWidget*> hiddenAtFirst = {
        stepsHeading_, steps_,          networkLabel_, modelLabel_, measuresScroll_,
        problems_,     protocolButton_, plotHeading_,  plot_,       historyLine_,
        fit_,          missed_};
    for (QWidget* widget : hiddenAtFirst) widget->hide();
    plotHeading_->setToolTip(
        tr("F-score of the meshes at squared distances from 0 to 3 τ, protocol as above"));
    whyNoMeasures_ = tr("Nothing reconstructed yet.");
    noTruth_->setText(whyNoMeasures_);
}

void Inspector::setResult(const Result& result, const StepHistory& history) {
    whyNoMeasures_ = result.truthProblem() ? tr("The ground truth cannot be used.")
                                           : tr("This sample has no ground truth, so nothing is "
                                                "measured. The file's name would be "
                                                "gt/{category}_{sample}_{view}.dat.");
    missed_->setText(missedText(result));
    fit_->setText(result.fitted() ? fitSummary(result.fitted()->fit) : QString());
    showMeasures();
    fit_->setProperty("verdict", result.fitted() && result.fitted()->fit.result &&
                                         result.fitted()->fit.result->hasLowOverlap()
                                     ? QStringLiteral("worse")
                                     : QString());
    // A style sheet reads changed properties only after unpolish() and polish().
    fit_->style()->unpolish(fit_);
    fit_->style()->polish(fit_);
    steps_->setHistory(history);
    steps_->show();
    stepsHeading_->show();
    historyLine_->setHistory(history);
    historyLine_->setVisible(history.runs() > 1);
    const int runs = static_cast<int>(history.runs());
    stepsHeading_->setText(runs > 1 ? tr("STEPS · MS · %n RUNS", nullptr, runs) : tr("STEPS · MS"));
    stepsHeading_->setToolTip(tr("Runs with as many views (%1) on the same backend (%2)")
                                  .arg(history.conditions().views)
                                  .arg(QString::fromStdString(history.conditions().backend)));
}

void Inspector::setMeasures(const MeasuredMeshes& measured) {
    const std::vector<MeasuredMesh> meshes = measured.meshes();
    hasMeasures_ = !meshes.empty();
    std::vector<ThresholdCurve> curves;
    for (const MeasuredMesh& mesh : meshes) {
        if (mesh.scores()) curves.push_back({mesh.name, mesh.id, mesh.scores()->fScoreCurve});
    }
    plot_->setCurves(std::move(curves));
    measures_->setMeshes(meshes);
    problems_->setText(measured.problemLines());
    showMeasures();
    protocolButton_->setToolTip(tr("Points that represent the meshes in the measures.") + '\n' +
                                measured.protocolNote());
    const QString name =
        measured.protocol() == Protocol::surface ? tr("Measure: surface") : tr("Measure: vertices");
    protocolButton_->setText(name + QStringLiteral(" ▾"));
    protocolButton_->setAccessibleName(tr("Protocol of the measures: %1").arg(name));
}

void Inspector::setMeshesAlone(bool alone) {
    meshesAlone_ = alone;
    showMeasures();
}

void Inspector::setAnotherSample(bool another) {
    if (std::exchange(isAnotherSample_, another) != another) showMeasures();
}

void Inspector::showMeasures() {
    const bool shown = hasMeasures_ && !isAnotherSample_;
    for (QWidget* widget :
         std::initializer_list<QWidget*>{measuresScroll_, protocolButton_, plotHeading_, plot_})
        widget->setVisible(shown);
    for (QLabel* label : {problems_, missed_, fit_})
        label->setVisible(!isAnotherSample_ && !label->text().isEmpty());
    measuresHeading_->setVisible(shown || !meshesAlone_);
    noTruth_->setText(isAnotherSample_ ? tr("Nothing reconstructed yet.") : whyNoMeasures_);
    noTruth_->setVisible(!shown && !meshesAlone_);
}

void Inspector::addPage(const QString& title, QBoxLayout* content) {
    auto* page = new QWidget(this);
    page->setLayout(content);
    tabs_->addTab(title);
    pages_.push_back(page);
}

void Inspector::showPages() {
    tabs_->setVisible(folded_);
    for (std::size_t i = 0; i < pages_.size(); ++i)
        pages_[i]->setVisible(!folded_ || tabs_->currentIndex() == static_cast<int>(i));
}

void Inspector::setFolded(bool folded) {
    folded_ = folded;
    showPages();
}

void Inspector::setStale(bool stale) {
    for (QWidget* widget :
         std::initializer_list<QWidget*>{measures_, plot_, problems_, missed_, fit_}) {
        if (stale == (widget->graphicsEffect() != nullptr)) continue;
        auto* effect = stale ? new QGraphicsOpacityEffect(widget) : nullptr;
        if (effect != nullptr) effect->setOpacity(kStaleNumbersOpacity);
        widget->setGraphicsEffect(effect);
    }
}

void Inspector::setNetwork(const NetworkDescription& network) {
    networkLabel_->setText(network.description);
    constexpr int kHashPrefix = 12;
    modelLabel_->setText(network.modelHash.isEmpty()
                             ? network.modelName
                             : network.modelName + " · " + network.modelHash.left(kHashPrefix));
    networkLabel_->show();
    modelLabel_->show();
    modelLabel_->setToolTip(
        QStringLiteral("SHA-256 %1\n%2").arg(network.modelHash, network.provenance));
}

}  // namespace threefold::ui
