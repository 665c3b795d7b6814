#pragma once

#include <algorithm>
#include <atomic>
#include <fstream>
#include <future>

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSizeGrip>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/evaluation/run/output_files.h"
#include "tests/support/poll_until.h"
#include "tests/ui/desktop.h"
#include "tests/ui/window_fixture.h"
#include "ui/batch/batch_dialog.h"
#include "ui/batch/batch_feature.h"
#include "ui/batch/batch_histogram.h"
#include "ui/batch/batch_panel.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {

/// A window in which lists are evaluated, with the parts of its batch panel.
class BatchWindow : public test::WindowTest {
  protected:
    BatchFeature& batch() { return *window().findChild<BatchFeature*>(); }
    BatchRun& run() { return batch().run(); }
    BatchPanel& panel() { return *window().findChild<BatchPanel*>(); }
    QDockWidget& dock() { return child<QDockWidget>(window(), "batch"); }
    QTableView& table() { return child<QTableView>(panel(), "samples"); }
    QTableView& means() { return child<QTableView>(panel(), "means"); }
    QToolButton& button(const char* name) { return child<QToolButton>(panel(), name); }
    static QPushButton& evaluateButton(const BatchDialog& dialog) {
        return child<QPushButton>(dialog, "evaluate");
    }
    QComboBox& histogramColumn() { return child<QComboBox>(panel(), "histogramColumn"); }

    static std::filesystem::path bundled() {
        return std::filesystem::path(THREEFOLD_RESOURCES) / "samples";
    }
    // Writes a list of four bundled samples, followed by the lines of `extra`.
    std::filesystem::path list(const std::string& extra = "") {
        const std::filesystem::path file = folder() / "list.txt";
        std::ofstream out(file);
        for (const char* category : {"02691156", "02958343", "03001627", "04379243"}) {
            out << test::bundledSampleFolder(category).string() << '\n';
        }
        out << extra;
        return file;
    }
    BatchDialog& openDialog() {
        trigger(Qt::CTRL | Qt::Key_B);
        return *window().findChild<BatchDialog*>();
    }
    /// Opens the dialog for the list and the folder "out"; waits until the folder is checked.
    BatchDialog& openDialogForOut() {
        BatchDialog& dialog = openDialog();
        dialog.setSource(list());
        child<QLineEdit>(dialog, "output")
            .setText(QString::fromStdString((folder() / "out").string()));
        EXPECT_TRUE(waitUntil([&] { return dialog.isUpToDate(); }));
        return dialog;
    }
    bool waitUntilDone() {
        return waitUntil([&] { return run().state() == BatchRun::State::done; });
    }
    BatchPlan planInto(const char* output) {
        BatchPlan plan;
        plan.source = list();
        plan.output = folder() / output;
        return plan;
    }
    static EvaluationRun runIn(const std::filesystem::path& output) {
        JournalContents contents = readJournal(output);
        EvaluationRun run{contents.description, {}};
        for (auto& [position, record] : contents.records) run.records.push_back(record);
        return run;
    }
    QString cell(int row, std::string_view column) {
        return table().model()->index(row, columnIndex(column)).data().toString();
    }
    // Samples finish in any order; unsorted rows keep that order.
    int rowOf(const std::string& category) {
        const auto& records = run().records();
        const auto found = std::ranges::find(records, category, &SampleRecord::category);
        return static_cast<int>(found - records.begin());
    }
    void clickHeader(std::string_view column) {
        QHeaderView& header = *table().horizontalHeader();
        const int x = header.sectionViewportPosition(columnIndex(column)) + 8;
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {x, header.height() / 2});
    }
};

}  // namespace threefold::ui
