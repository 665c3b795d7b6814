#include "ui/batch/batch_feature.h"

#include <memory>
#include <utility>

#include "engine/sample/view_candidates.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
BatchFeature::BatchFeature(const FeatureContext& context, BatchRun& run, DataSetBrowser& browser)
    : QObject(&context.window),
      context_(context),
      run_(run),
      browser_(browser),
      dock_(new QDockWidget(tr("Batch evaluation"), &context.window)),
      panel_(new BatchPanel(context, run_)) {
    dock_->setObjectName(QStringLiteral("batch"));
    dock_->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea);
    dock_->setWidget(panel_);
    context.window.addDockWidget(Qt::BottomDockWidgetArea, dock_);
    dock_->hide();

    context.actions.add(
        {.menu = MenuSection::evaluate,
         .text = tr("&Batch evaluation…"),
         .keys = Qt::CTRL | Qt::Key_B,
         .tooltip =
             tr("Evaluate every sample of a list or folder and save the results as `eval` does")},
        this, [this] { openDialog({}); });
    context.actions.add({.menu = MenuSection::evaluate,
                         .text = tr("Evaluate the &whole data set…"),
                         .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_B,
                         .tooltip = tr("Evaluate every sample of the data set on the left")},
                        this, [this] { openDialog(browser_.root()); });
    QAction* show = context.actions.add({.menu = MenuSection::viewPanels,
                                         .text = tr("&Batch evaluation"),
                                         .keys = Qt::Key_F10,
                                         .tooltip = tr("Show the table of the last batch")},
                                        dock_, &QWidget::setVisible);
    show->setCheckable(true);
    connect(dock_->toggleViewAction(), &QAction::toggled, show, &QAction::setChecked);
    connect(dock_, &QDockWidget::topLevelChanged, panel_, &BatchPanel::setFloating);
    connect(panel_, &BatchPanel::rowChosen, this, &BatchFeature::openRow);
    connect(&run_, &BatchRun::planned, this, [this] {
        if (const QString text = textOfRepeatedSamples(run_.overview()); !text.isEmpty())
            context_.status.showMessage(text);
    });
    connect(&run_, &BatchRun::failed, this,
            [this](const ErrorReport& report) { context_.banner.show(report); });
}

void BatchFeature::evaluate(const std::filesystem::path& source) {
    BatchPlan plan;
    plan.source = source;
    plan.name = fileName(source);
    evaluate(std::move(plan));
}

void BatchFeature::evaluate(BatchPlan plan) {
    plan.fallbackImageRoot = browser_.root();
    dock_->show();
    dock_->raise();
    run_.start(std::move(plan));
}

void BatchFeature::openDialog(const std::filesystem::path& source) {
    if (!dialog_) {
        dialog_ = new BatchDialog(context_.settings, &context_.window);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &QDialog::accepted, this, [this] { evaluate(dialog_->plan()); });
    }
    if (!source.empty()) dialog_->setSource(source);
    dialog_->show();
    dialog_->raise();
}

void BatchFeature::openRow(int row) {
    const auto session = run_.session();
    if (!session) return;
    struct Located {
        SampleRef sample;
        std::vector<int> views;
        ResultRef result;  // null: meshes are no longer cached
    };
    const SampleRecord& chosen = run_.records()[static_cast<std::size_t>(row)];
    const auto show = [this, failed = !chosen.succeeded()](const Located& located) {
        SampleOpener& opener = context_.opener;
        if (located.result) return opener.showResult(located.result);
        // A failed sample may fail again; openSample() then leaves the window unchanged.
        if (failed) return opener.openSample(located.sample->folder, located.views);
        opener.showInput(located.sample, located.views);
        opener.reconstruct();
    };
    inBackground(
        this, rowRequest_.restart(),
        [session, position = chosen.position,
         meshes = run_.cachedMeshes(static_cast<std::size_t>(row)),
         views = run_.overview().choices.measures.views] {
            Located located{std::make_shared<const Sample>(session->find(position)), views,
                            nullptr};
            if (views.empty()) located.views = defaultViews(*located.sample);
            if (meshes) located.result = makeResult(located.sample, located.views, *meshes);
            return located;
        },
        show, [this](const ErrorReport& report) { context_.banner.show(report); });
}

BatchFeature& addBatchFeature(const FeatureContext& context, BatchRun& run,
                              DataSetBrowser& browser) {
    return *new BatchFeature(context, run, browser);
}

}  // namespace threefold::ui
