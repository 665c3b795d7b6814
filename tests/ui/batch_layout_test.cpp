#include "tests/ui/batch_fixture.h"

namespace threefold::ui {
namespace {

TEST_F(BatchWindow, namesSamplesByCategoryAndShowsFittedMeans_inTwelveRows) {
    window().resize(1600, 1200);  // high enough for twelve rows below the panes
    BatchPlan plan = planInto("fit");
    plan.choices.fit = FitRequest{FitViews{FitViews::Kind::chosen}};
    batch().evaluate(plan);
    ASSERT_TRUE(waitUntilDone());
    EXPECT_TRUE(cell(rowOf("02691156"), "item").startsWith("airplane · "));
    settle();
    const QTableView& samples = table();
    EXPECT_GE(samples.viewport()->height(), 12 * samples.verticalHeader()->defaultSectionSize());
    // In both tables, F(τ) of the fitted mesh is the first F(τ) column, visible without scrolling.
    for (const QTableView* each : std::initializer_list<const QTableView*>{&samples, &means()}) {
        const QHeaderView& header = *each->horizontalHeader();
        int first = 0;
        while (!each->model()->headerData(first, Qt::Horizontal).toString().startsWith("F(τ)"))
            ++first;
        EXPECT_EQ(each->model()->headerData(first, Qt::Horizontal), "F(τ) fitted");
        EXPECT_FALSE(each->isColumnHidden(first));
        EXPECT_LT(header.sectionViewportPosition(first), each->viewport()->width() / 2);
    }
}

TEST_F(BatchWindow, showsTwelveRows_atUsualSizes_untilItsBorderIsDragged) {
    batch().evaluate(list());
    ASSERT_TRUE(waitUntilDone());
    const int rows = 12 * table().verticalHeader()->defaultSectionSize();
    for (const QSize size : {QSize(1600, 1000), QSize(1280, 800)}) {
        window().resize(size);
        settle();
        EXPECT_TRUE(waitUntil([&] { return table().viewport()->height() >= rows; }))
            << size.height() << ' ' << table().viewport()->height();
        EXPECT_EQ(window().size(), size);
    }
    const int before = dock().height();
    const QPoint border(window().width() / 2, dock().y() - 3);
    ASSERT_EQ(window().childAt(border), nullptr);
    QTest::mousePress(&window(), Qt::LeftButton, {}, border);
    QTest::mouseMove(&window(), border - QPoint(0, 40));
    EXPECT_TRUE(waitUntil([&] { return dock().height() > before; }));
    QTest::mouseRelease(&window(), Qt::LeftButton, {}, border - QPoint(0, 40));
    settle();
    EXPECT_GT(dock().height(), before);
}

TEST_F(BatchWindow, coloursDifferencesOnly) {
    batch().evaluate(list());
    ASSERT_TRUE(waitUntilDone());
    for (int row = 0; row < table().model()->rowCount(); ++row) {
        for (const int column : numberColumns()) {
            const QModelIndex index = table().model()->index(row, column);
            if (!columnAt(column).isDifference()) {
                EXPECT_FALSE(index.data(Qt::ForegroundRole).isValid());
            }
        }
    }
}

TEST_F(BatchWindow, reservesWidthForTheSortArrow) {
    batch().evaluate(list());
    ASSERT_TRUE(waitUntilDone());
    clickHeader("f_tau_refined");
    const int column = columnIndex("f_tau_refined");
    const QString title =
        table().model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    EXPECT_TRUE(title.endsWith("▴") || title.endsWith("▾")) << title.toStdString();
    const int padding = 16;
    EXPECT_GE(table().columnWidth(column),
              table().horizontalHeader()->fontMetrics().horizontalAdvance(title) + padding);
}

TEST_F(BatchWindow, hasASizeGrip_whileItIsAWindowOfItsOwn) {
    dock().show();
    auto& grip = child<QSizeGrip>(panel(), "grip");
    EXPECT_FALSE(grip.isVisible());
    dock().setFloating(true);
    EXPECT_TRUE(waitUntil([&] { return grip.isVisible(); }));
    EXPECT_TRUE(waitUntil([&] { return table().mapTo(&panel(), QPoint()).x() > 0; }));
    dock().setFloating(false);
    EXPECT_TRUE(waitUntil([&] { return !grip.isVisible(); }));
}

}  // namespace
}  // namespace threefold::ui
