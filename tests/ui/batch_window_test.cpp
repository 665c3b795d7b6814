#include "tests/ui/batch_fixture.h"

namespace threefold::ui {
namespace {

TEST_F(BatchWindow, fillsTheTableAndItsMeans) {
    EXPECT_TRUE(dock().isHidden());
    batch().evaluate(bundled());
    EXPECT_TRUE(dock().isVisible());
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().overview().total, 8U);
    EXPECT_EQ(run().means().at("").count, 8U);
    EXPECT_EQ(table().model()->rowCount(), 8);
    // One row for all samples, and one for each of five categories.
    ASSERT_TRUE(waitUntil([&] { return means().model()->rowCount() == 6; }));
    EXPECT_EQ(means().model()->index(1, 0).data().toString(), "airplane");
    int counted = 0;
    for (const int bin : panel().findChild<BatchHistogram*>()->counts()) counted += bin;
    EXPECT_EQ(counted, 8);
    // The batch evaluation gives the same measures as the window's result.
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const Evaluation& evaluation = *window().document().result.current()->evaluation();
    const SampleScores& scores =
        run().records()[static_cast<std::size_t>(rowOf("02691156"))].scores.at(0);
    EXPECT_DOUBLE_EQ(scores.result().measures.atTau().fScore,
                     evaluation.result().measures.atTau().fScore);
    EXPECT_DOUBLE_EQ(scores.first().measures.chamfer, evaluation.first().measures.chamfer);
}

TEST_F(BatchWindow, explainsFailedSamples_andSortsThemLast) {
    const auto broken = test::sampleWithBrokenView(folder(), 6);
    batch().evaluate(list(broken.string() + "\nno_such_item\n"));
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().means().at("").failed, 2U);
    for (int click = 0; click < 2; ++click) {
        clickHeader("f_tau_refined");  // ascending, then descending
        for (const int row : {4, 5}) {
            EXPECT_FALSE(cell(row, columnAt(BatchModel::kFirstNumberColumn).name).isEmpty());
            EXPECT_EQ(cell(row, "f_tau_refined"), "");
        }
        const double first = cell(0, "f_tau_refined").toDouble();
        const double last = cell(3, "f_tau_refined").toDouble();
        const bool rises = table().horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder;
        EXPECT_TRUE(rises ? first <= last : first >= last) << first << ' ' << last;
    }
    ASSERT_TRUE(waitUntil([&] { return panel().progressText().contains("2 failed"); }));
}

TEST_F(BatchWindow, opensTheReport_orNamesItsPathWithoutABrowser) {
    batch().evaluate(list());
    ASSERT_TRUE(waitUntilDone());
    QToolButton* button = nullptr;
    for (QToolButton* each : panel().findChildren<QToolButton*>())
        if (each->text() == "Open report") button = each;
    ASSERT_TRUE(button != nullptr && button->isVisible());
    const QString report = QString::fromStdString(run().report().string());
    {
        test::Desktop desktop;
        QTest::mouseClick(button, Qt::LeftButton);
        EXPECT_EQ(desktop.opened, report);
        EXPECT_FALSE(window().statusLine().text().contains(report));
    }
    // The URL handler lacks the receiver "take", so Qt prints a warning and opens nothing.
    QObject none;
    QDesktopServices::setUrlHandler("file", &none, "take");
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    QTest::mouseClick(button, Qt::LeftButton);
    qInstallMessageHandler(before);
    QDesktopServices::unsetUrlHandler("file");
    EXPECT_TRUE(window().statusLine().text().contains(report));
}

TEST_F(BatchWindow, opensARowWithoutAnotherRun_whenClicked) {
    batch().evaluate(list());
    ASSERT_TRUE(waitUntilDone());
    const int runs = network().runs;
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                      table().visualRect(table().model()->index(rowOf("02958343"), 0)).center());
    ASSERT_TRUE(waitUntil([&] {
        const ResultRef& result = window().document().result.current();
        return result && result->sample->category == "02958343";
    }));
    EXPECT_EQ(network().runs, runs);
}

TEST_F(BatchWindow, yieldsToARequest_withoutLosingSamples) {
    network().stageMilliseconds = 20;
    batch().evaluate(list());
    ASSERT_TRUE(waitUntil([&] { return network().runs > 0; }));
    std::size_t doneBefore = 4;
    QObject::connect(&window().document().result, &ResultModel::changed, &panel(),
                     [&] { doneBefore = run().records().size(); });
    ASSERT_TRUE(open(test::bundledSampleFolder("04379243")));
    EXPECT_LT(doneBefore, 4U);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().means().at("").count, 4U);
}

TEST_F(BatchWindow, pausesCancelsAndContinues_withoutLosingSamples) {
    network().stageMilliseconds = 30;
    batch().evaluate(list());
    ASSERT_TRUE(waitUntil([&] { return !run().records().empty(); }));
    QTest::mouseClick(&button("pause"), Qt::LeftButton);
    EXPECT_EQ(run().state(), BatchRun::State::paused);
    EXPECT_EQ(button("pause").text(), "Resume");
    QTest::mouseClick(&button("pause"), Qt::LeftButton);
    EXPECT_EQ(run().state(), BatchRun::State::running);
    QTest::mouseClick(&button("cancel"), Qt::LeftButton);
    EXPECT_EQ(run().state(), BatchRun::State::cancelled);
    EXPECT_FALSE(button("cancel").isVisible());
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_LT(run().records().size(), 4U);
    EXPECT_FALSE(run().records().empty());
    QTest::mouseClick(&button("pause"), Qt::LeftButton);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().means().at("").count, 4U);
    EXPECT_EQ(table().model()->rowCount(), 4);
}

// pause() may come after the last sample is stored; the task then ends by itself.
TEST_F(BatchWindow, staysRunning_whenThePausedTaskEndsAfterResume) {
    std::atomic<int> starts = 0;
    std::promise<void> release;
    run().setMachineOf([&starts, gate = release.get_future().share()](const NetworkInfo&) {
        if (++starts == 2) gate.wait();
        return describeMachine(0);
    });
    const BatchPlan plan = planInto("out");
    batch().evaluate(plan);
    // Polls until the first task has finished, without processing events.
    EXPECT_TRUE(threefold::test::pollUntil(
        [&] { return std::filesystem::exists(plan.output / kReportHtmlName); }));
    run().pause();
    run().resume();
    EXPECT_TRUE(threefold::test::pollUntil([&] { return starts == 2; }));
    QCoreApplication::processEvents();
    EXPECT_EQ(run().state(), BatchRun::State::running);
    release.set_value();
    EXPECT_TRUE(waitUntilDone());
    EXPECT_EQ(run().means().at("").count, 4U);
}

TEST_F(BatchWindow, doesNotUseTheNetwork_whilePaused) {
    network().stageMilliseconds = 30;
    batch().evaluate(list());
    ASSERT_TRUE(waitUntil([&] { return network().runs > 0; }));
    run().pause();
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int runs = network().runs;
    ASSERT_TRUE(open(test::bundledSampleFolder("04379243")));
    EXPECT_EQ(network().runs, runs + 1);
}

TEST_F(BatchWindow, writesTheFilesOfEval) {
    BatchPlan plan = planInto("out");
    plan.choices.measures.protocols = {Protocol::published, Protocol::surface};
    plan.meshes = true;
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    for (const char* file : {"report.html", "metrics_results.csv", "metrics_summary.txt",
                             "combined_timings.txt", "report.json", "journal.jsonl",
                             "02958343_p0001_00_predict.obj", "02958343_p0001_00_predict.xyz"}) {
        EXPECT_TRUE(std::filesystem::exists(plan.output / file)) << file;
    }
    EXPECT_EQ(run().report(), plan.output / "report.html");
    EXPECT_TRUE(button("report").isVisible());
    const EvaluationRun kept = runIn(plan.output);
    ASSERT_EQ(kept.records.size(), 4U);
    EXPECT_EQ(kept.description.identity.backend, "cpu");
    const auto shown = [](const SampleRecord& of, std::string_view column, std::size_t protocol) {
        return columnAt(columnIndex(column)).value(of, protocol);
    };
    for (const SampleRecord& row : run().records()) {
        ASSERT_EQ(row.scores.size(), 2U);
        const SampleRecord& record = kept.records.at(row.position);
        EXPECT_DOUBLE_EQ(shown(row, "f_tau_refined", 1).value_or(-1),
                         record.scores.at(1).result().measures.atTau().fScore);
        EXPECT_TRUE(shown(row, "overlap_refined", 1));
    }
    // The table shows the measures of the chosen protocol.
    const int row = rowOf("02958343");
    const QString published = cell(row, "f_tau_refined");
    child<QComboBox>(panel(), "protocol").setCurrentIndex(1);
    EXPECT_NE(cell(row, "f_tau_refined"), published);
}

TEST_F(BatchWindow, showsColumnsOfTheFit_onlyAfterARunWithAFit) {
    const auto isHidden = [&](std::string_view column) {
        return table().isColumnHidden(columnIndex(column));
    };
    BatchPlan plan = planInto("plain");
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_TRUE(isHidden("f_tau_fitted"));
    EXPECT_FALSE(run().records().front().scores.at(0).fitted());
    EXPECT_FALSE(panel().csv().contains("fit"));
    EXPECT_EQ(histogramColumn().findText("F(τ) fitted"), -1);
    const QString header = panel().csv().section('\n', 0, 0);
    const int hidden = means().horizontalHeader()->hiddenSectionCount();

    plan = planInto("fitted");
    plan.choices.fit = fitRequestFromName("8");
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_FALSE(isHidden("f_tau_fitted"));
    EXPECT_EQ(means().horizontalHeader()->hiddenSectionCount(), hidden - 5);
    EXPECT_NE(histogramColumn().findText("F(τ) fitted"), -1);
    EXPECT_TRUE(panel().csv().startsWith(header + ",fit_views,"));
    EXPECT_TRUE(panel().csv().section('\n', 1, 1).contains(",8,"));
    const EvaluationRun kept = runIn(plan.output);
    EXPECT_EQ(kept.description.identity.fit, "8");
    for (const SampleRecord& row : run().records()) {
        const SampleRecord& record = kept.records.at(row.position);
        ASSERT_TRUE(record.scores.at(0).fitted()) << record.fitNote.value_or("");
        const auto value = [&](std::string_view column) {
            return columnAt(columnIndex(column)).value(row);
        };
        EXPECT_EQ(value("f_tau_fitted"), record.scores[0].fitted()->measures.atTau().fScore);
        EXPECT_TRUE(value("overlap_fitted") && value("fit_milliseconds"));
    }
}

TEST_F(BatchWindow, asksWhetherToFit_andRemembersTheChoice) {
    BatchDialog& dialog = openDialog();
    dialog.setSource(list());
    EXPECT_FALSE(dialog.plan().choices.fit);  // default: as published, without a fit
    for (const auto& [index, views] : {std::pair{1, "chosen"}, {2, "all"}, {3, "5"}}) {
        child<QComboBox>(dialog, "fit").setCurrentIndex(index);
        child<QSpinBox>(dialog, "fitNumber").setValue(5);
        EXPECT_EQ(dialog.plan().choices.fit, fitRequestFromName(std::string(views) + "+auto"));
        EXPECT_EQ(child<QSpinBox>(dialog, "fitNumber").isVisible(), index == 3);
    }
    child<QComboBox>(dialog, "fitSurface").setCurrentIndex(2);
    EXPECT_EQ(dialog.plan().choices.fit->source, FitSource::hull);
    child<QComboBox>(dialog, "fitSurface").setCurrentIndex(0);
    child<QLineEdit>(dialog, "views").setText("0, 1, x");
    EXPECT_FALSE(evaluateButton(dialog).isEnabled());
    child<QLineEdit>(dialog, "views").setText("0");
    EXPECT_FALSE(evaluateButton(dialog).isEnabled());
    child<QLineEdit>(dialog, "views").setText("7, 1,0");
    EXPECT_TRUE(evaluateButton(dialog).isEnabled());
    EXPECT_EQ(dialog.plan().choices.measures.views, (std::vector<int>{7, 1, 0}));
    child<QLineEdit>(dialog, "views").clear();
    EXPECT_TRUE(dialog.plan().choices.measures.views.empty());
    QTest::mouseClick(&evaluateButton(dialog), Qt::LeftButton);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_TRUE(run().records().front().scores.at(0).fitted());
    newWindow();
    EXPECT_EQ(openDialog().plan().choices.fit, fitRequestFromName("5+auto"));
}

TEST_F(BatchWindow, continuesTheRunInItsFolder_withThatRunsChoices) {
    BatchPlan plan = planInto("out");
    plan.choices.measures.protocols = {Protocol::surface};
    plan.choices.measures.views = {0, 1};
    network().stageMilliseconds = 30;
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntil([&] { return !run().records().empty(); }));
    run().cancel();
    newWindow();
    network().stageMilliseconds = 1;
    const std::size_t before = runIn(plan.output).records.size();
    EXPECT_LT(before, 4U);
    batch().evaluate(planInto("out"));  // the plan has other choices, but the run keeps its own
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().overview().choices.measures.views, (std::vector<int>{0, 1}));
    EXPECT_EQ(run().overview().choices.measures.protocols,
              std::vector<Protocol>{Protocol::surface});
    EXPECT_EQ(run().earlierCount(), before);
    EXPECT_EQ(run().means().at("").count, 4U);
    EXPECT_EQ(runIn(plan.output).records.size(), 4U);
    // With `overwrite`, the run starts from the beginning.
    BatchPlan anew = planInto("out");
    anew.overwrite = true;
    batch().evaluate(anew);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().earlierCount(), 0U);
    EXPECT_TRUE(runIn(plan.output).description.identity.measures.views.empty());
}

TEST_F(BatchWindow, saysWhichSamplesItEvaluatesAgain_whenFilesOfTheRunHaveChanged) {
    BatchPlan plan = planInto("out");
    plan.meshes = true;
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(textOfRepeatedSamples(run().overview()), "");
    const auto mesh = meshFilesOf(plan.output, run().records().front()).front();
    std::ofstream(mesh) << "v 0 0 0\n";
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().earlierCount(), 3U);
    EXPECT_TRUE(window().statusLine().text().contains("changed after this run wrote them"))
        << window().statusLine().text().toStdString();
    EXPECT_TRUE(hasUnchangedMeshFiles(plan.output, run().records().back()));
    // A continued run keeps writing meshes, even if all its mesh files have changed.
    const std::vector<SampleRecord> records = run().records();
    for (const SampleRecord& record : records)
        std::ofstream(meshFilesOf(plan.output, record).front()) << "v 0 0 0\n";
    batch().evaluate(planInto("out"));
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().earlierCount(), 0U);
    for (const SampleRecord& record : run().records())
        EXPECT_TRUE(hasUnchangedMeshFiles(plan.output, record)) << record.name;
}

TEST_F(BatchWindow, changesNothing_whenTheFolderHoldsARunOfAnotherList) {
    batch().evaluate(planInto("out"));
    ASSERT_TRUE(waitUntilDone());
    BatchPlan other = planInto("out");
    other.source = test::bundledSampleFolder();
    batch().evaluate(other);
    ASSERT_TRUE(waitUntil([&] { return run().state() == BatchRun::State::cancelled; }));
    EXPECT_TRUE(window().banner().isVisible());
    EXPECT_EQ(runIn(other.output).records.size(), 4U);
}

TEST_F(BatchWindow, retriesFailedSamples_whenItContinues) {
    const auto broken = test::sampleWithBrokenView(folder(), 6);
    std::filesystem::create_directory(folder() / "gt");
    std::filesystem::copy_file(bundled() / "gt" / "02691156_p0001_00.dat",
                               folder() / "gt" / "02691156_broken_00.dat");
    BatchPlan plan = planInto("out");
    plan.source = list(broken.string() + "\n");
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    ASSERT_EQ(run().means().at("").failed, 1U);
    const auto view = std::filesystem::path("rendering") / "06.png";
    std::filesystem::copy_file(test::bundledSampleFolder() / view, broken / view,
                               std::filesystem::copy_options::overwrite_existing);
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().means().at("").count, 5U);
    EXPECT_EQ(run().earlierCount(), 4U);
}

TEST_F(BatchWindow, writesMeshes_whenItContinuesARunWithoutDoneSamples) {
    const auto broken = test::sampleWithBrokenView(folder(), 6);
    std::filesystem::create_directory(folder() / "gt");
    std::filesystem::copy_file(bundled() / "gt" / "02691156_p0001_00.dat",
                               folder() / "gt" / "02691156_broken_00.dat");
    BatchPlan plan = planInto("out");
    plan.source = folder() / "broken.txt";
    plan.meshes = true;
    std::ofstream(plan.source) << broken.string() << '\n';
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    ASSERT_EQ(run().means().at("").failed, 1U);
    const auto view = std::filesystem::path("rendering") / "06.png";
    std::filesystem::copy_file(test::bundledSampleFolder() / view, broken / view,
                               std::filesystem::copy_options::overwrite_existing);
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    ASSERT_EQ(run().means().at("").count, 1U);
    EXPECT_TRUE(std::filesystem::exists(plan.output / "02691156_broken_00_predict.obj"));
}

TEST_F(BatchWindow, runs_afterEarlierRunsWereCancelled) {
    const std::filesystem::path samples = list();
    for (int i = 0; i < 4; ++i) {
        batch().evaluate(samples);
        ASSERT_TRUE(waitUntilDone());
        batch().evaluate(samples);
        run().cancel();
    }
    batch().evaluate(samples);
    ASSERT_TRUE(waitUntilDone());
}

TEST_F(BatchWindow, copiesRowsAsCsv) {
    batch().evaluate(list());
    ASSERT_TRUE(waitUntilDone());
    table().setFocus();
    table().selectRow(rowOf("03001627"));
    QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[1].startsWith("03001627,p0001,published,")) << lines[1].toStdString();
}

TEST_F(BatchWindow, cancelsTheRun_whenAListCannotBeRead) {
    batch().evaluate(folder() / "missing.txt");
    ASSERT_TRUE(waitUntil([&] { return run().state() == BatchRun::State::cancelled; }));
    EXPECT_EQ(run().records().size(), 0U);
    EXPECT_TRUE(window().banner().isVisible());
}

TEST_F(BatchWindow, asksForAFolder_andDescribesTheRunInIt) {
    batch().evaluate(planInto("out"));
    ASSERT_TRUE(waitUntilDone());
    BatchDialog& dialog = openDialog();
    EXPECT_FALSE(evaluateButton(dialog).isEnabled());
    dialog.setSource(list());
    EXPECT_TRUE(evaluateButton(dialog).isEnabled());
    child<QComboBox>(dialog, "protocol").setCurrentIndex(2);
    EXPECT_EQ(dialog.plan().choices.measures.protocols.size(), 2U);
    EXPECT_EQ(dialog.note(), "");
    child<QLineEdit>(dialog, "output").setText(QString::fromStdString((folder() / "out").string()));
    ASSERT_TRUE(waitUntil([&] { return dialog.isUpToDate(); }));
    EXPECT_EQ(dialog.note(), "Holds a finished run of 4 samples.");
    EXPECT_FALSE(child<QComboBox>(dialog, "protocol").isEnabled());
    EXPECT_FALSE(dialog.plan().overwrite);
    child<QCheckBox>(dialog, "overwrite").setChecked(true);
    EXPECT_TRUE(child<QComboBox>(dialog, "protocol").isEnabled());
    EXPECT_TRUE(dialog.plan().overwrite);
    QTest::mouseClick(&evaluateButton(dialog), Qt::LeftButton);
    EXPECT_EQ(run().overview().choices.measures.protocols.size(), 2U);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_EQ(run().earlierCount(), 0U);
}

TEST_F(BatchWindow, acceptsAFolder_onceItsRunHasEnded) {
    network().stageMilliseconds = 50;
    batch().evaluate(planInto("out"));
    ASSERT_TRUE(waitUntil([&] { return !run().records().empty(); }));
    BatchDialog& dialog = openDialogForOut();
    EXPECT_TRUE(dialog.note().startsWith("Another evaluation"));
    EXPECT_FALSE(evaluateButton(dialog).isEnabled());
    network().stageMilliseconds = 0;
    ASSERT_TRUE(waitUntilDone());
    EXPECT_TRUE(QTest::qWaitFor([&] { return evaluateButton(dialog).isEnabled(); }, 5000));
    EXPECT_EQ(dialog.note(), "Holds a finished run of 4 samples.");
}

TEST_F(BatchWindow, beginsNothing_whenAnotherFileHasTheJournalsName) {
    std::filesystem::create_directory(folder() / "out");
    std::ofstream(folder() / "out" / "journal.jsonl") << "a diary";
    BatchDialog& dialog = openDialogForOut();
    EXPECT_TRUE(dialog.note().startsWith("The folder's journal.jsonl "));
    EXPECT_FALSE(evaluateButton(dialog).isEnabled());
}

TEST_F(BatchWindow, endsCleanly_whenTheWindowIsClosedDuringARun) {
    network().stageMilliseconds = 50;
    batch().evaluate(list());
    ASSERT_TRUE(waitUntil([&] { return network().runs > 0; }));
}

}  // namespace
}  // namespace threefold::ui
