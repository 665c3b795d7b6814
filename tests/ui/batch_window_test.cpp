// Evaluating many items in the real window.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QHeaderView>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/batch/batch_feature.h"
#include "ui/batch/batch_histogram.h"
#include "ui/batch/batch_panel.h"

namespace threefold::ui {
namespace {

class BatchWindow : public test::WindowTest {
  protected:
    BatchFeature& batch() { return *window().findChild<BatchFeature*>(); }
    BatchRun& run() { return batch().run(); }
    BatchPanel& panel() { return batch().panel(); }

    static std::filesystem::path bundled() {
        return std::filesystem::path(THREEFOLD_RESOURCES) / "samples";
    }
    // The bundled items' names, `extra` lines after them.
    std::filesystem::path list(const std::string& extra = "") {
        const std::filesystem::path file = folder() / "list.txt";
        std::ofstream out(file);
        for (const char* category : {"02691156", "02958343", "03001627", "04379243"}) {
            out << test::bundledItem(category).string() << '\n';
        }
        out << extra;
        return file;
    }
    bool isDone() {
        return waitUntil([&] { return run().state() == BatchRun::State::done; });
    }
    QString cell(int row, BatchColumn column) {
        return panel().table().model()->index(row, static_cast<int>(column)).data().toString();
    }
    // Items end in any order; rows that nobody has sorted stand as they ended.
    int rowOf(const std::string& category) {
        const auto& rows = run().rows();
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const BatchRow& row) {
            return row.category == category;
        });
        return static_cast<int>(found - rows.begin());
    }
    void clickHeader(BatchColumn column) {
        QHeaderView& header = *panel().table().horizontalHeader();
        const int x = header.sectionViewportPosition(static_cast<int>(column)) + 8;
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {x, header.height() / 2});
    }
};

TEST_F(BatchWindow, fillsTheTable_andItsMeans) {
    EXPECT_TRUE(batch().dock().isHidden());
    batch().evaluate(bundled());
    EXPECT_TRUE(batch().dock().isVisible());
    ASSERT_TRUE(isDone());
    EXPECT_EQ(run().total(), 4U);
    EXPECT_EQ(run().overall().count, 4U);
    EXPECT_EQ(panel().table().model()->rowCount(), 4);
    ASSERT_TRUE(waitUntil([&] { return panel().means().model()->rowCount() == 5; }));
    EXPECT_EQ(panel().means().model()->index(1, 0).data().toString(), "airplane");
    int counted = 0;
    for (const int bin : panel().histogram().bins()) counted += bin;
    EXPECT_EQ(counted, 4);
    // What is shown is what the engine measures.
    ASSERT_TRUE(open(test::bundledItem()));
    const Evaluation& evaluation = *window().document().result()->evaluation;
    const BatchRow& row = run().rows()[static_cast<std::size_t>(rowOf("02691156"))];
    EXPECT_DOUBLE_EQ(row.fRefined, evaluation.refined.measures.atTau().f);
    EXPECT_DOUBLE_EQ(row.chamferCoarse, evaluation.coarse.measures.chamfer);
}

TEST_F(BatchWindow, saysWhyItemsFailed_andSortsThemLast) {
    const auto broken = test::itemWithBrokenView(folder(), 6);
    batch().evaluate(list(broken.string() + "\nno_such_item\n"));
    ASSERT_TRUE(isDone());
    EXPECT_EQ(run().overall().failed, 2U);
    for (const BatchColumn column : {BatchColumn::fRefined, BatchColumn::fRefined}) {
        clickHeader(column);  // first one way, then the other
        for (const int row : {4, 5}) EXPECT_FALSE(cell(row, BatchColumn::problem).isEmpty());
        const double first = cell(0, BatchColumn::fRefined).toDouble();
        const double last = cell(3, BatchColumn::fRefined).toDouble();
        const bool rises =
            panel().table().horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder;
        EXPECT_TRUE(rises ? first <= last : first >= last) << first << ' ' << last;
    }
    ASSERT_TRUE(waitUntil([&] { return panel().progressText().contains("2 failed"); }));
}

TEST_F(BatchWindow, opensARowWithoutAnotherRun_whenClicked) {
    batch().evaluate(list());
    ASSERT_TRUE(isDone());
    const int runs = network().runs;
    QTableView& table = panel().table();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                      table.visualRect(table.model()->index(rowOf("02958343"), 0)).center());
    ASSERT_TRUE(waitUntil([&] {
        const ResultRef& result = window().document().result();
        return result && result->sample->category == "02958343";
    }));
    EXPECT_EQ(network().runs, runs);
}

TEST_F(BatchWindow, yieldsToARequest_andLosesNothing) {
    network().stageMilliseconds = 20;
    batch().evaluate(list());
    ASSERT_TRUE(waitUntil([&] { return network().runs > 0; }));
    EXPECT_GT(run().queueDepth(), 0U);
    std::size_t doneBefore = 4;
    QObject::connect(&window().document(), &Document::resultChanged, &panel(),
                     [&] { doneBefore = run().rows().size(); });
    ASSERT_TRUE(open(test::bundledItem("04379243")));
    EXPECT_LT(doneBefore, 4U);
    ASSERT_TRUE(isDone());
    EXPECT_EQ(run().overall().count, 4U);
    EXPECT_EQ(run().queueDepth(), 0U);
}

TEST_F(BatchWindow, pausesResumesAndCancels) {
    network().stageMilliseconds = 50;
    batch().evaluate(list());
    QTest::mouseClick(&panel().pauseButton(), Qt::LeftButton);
    EXPECT_EQ(run().state(), BatchRun::State::paused);
    QTest::mouseClick(&panel().pauseButton(), Qt::LeftButton);
    EXPECT_EQ(run().state(), BatchRun::State::running);
    QTest::mouseClick(&panel().cancelButton(), Qt::LeftButton);
    EXPECT_EQ(run().state(), BatchRun::State::cancelled);
    const std::size_t rows = run().rows().size();
    EXPECT_LT(rows, 4U);
    ASSERT_TRUE(open(test::bundledItem()));
    EXPECT_EQ(run().rows().size(), rows);
}

TEST_F(BatchWindow, letsGoOfEarlierRunsThreads) {
    const std::filesystem::path items = list();
    for (int i = 0; i < 4; ++i) {
        batch().evaluate(items);
        ASSERT_TRUE(isDone());
        batch().evaluate(items);
        run().cancel();
    }
    ASSERT_TRUE(waitUntil([&] {
        batch().evaluate(items);
        return isDone() && run().threads() <= 2U;
    }));
}

TEST_F(BatchWindow, copiesRowsAsCsv) {
    batch().evaluate(list());
    ASSERT_TRUE(isDone());
    panel().table().setFocus();
    panel().table().selectRow(rowOf("03001627"));
    QTest::keyClick(&panel().table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[1].startsWith("03001627,p0001,")) << lines[1].toStdString();
}

TEST_F(BatchWindow, showsTheBanner_whenAListCannotBeRead) {
    batch().evaluate(folder() / "missing.txt");
    ASSERT_TRUE(waitUntil([&] { return run().state() == BatchRun::State::cancelled; }));
    EXPECT_EQ(run().rows().size(), 0U);
}

TEST_F(BatchWindow, endsCleanly_whenTheWindowIsClosedMeanwhile) {
    network().stageMilliseconds = 50;
    batch().evaluate(list());
    ASSERT_TRUE(waitUntil([&] { return network().runs > 0; }));
}

}  // namespace
}  // namespace threefold::ui
