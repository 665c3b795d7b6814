#include "ui/batch/batch_row.h"

#include <gtest/gtest.h>

#include <QStringList>

namespace threefold::ui {
namespace {

BatchRow measured(const std::string& item, double coarse, double refined) {
    BatchRow row;
    row.category = "02691156";
    row.item = item;
    row.scores = {{8e-4, 7e-4, coarse, refined, 0}, {4e-4, 3e-4, coarse / 2, refined / 2, 1}};
    row.overlapCoarse = 0.75;
    row.milliseconds = 2.5;
    return row;
}

BatchRow failure(const std::string& item) {
    BatchRow row;
    row.item = item;
    row.problem = "view 6, or \"00.png\", is damaged";
    return row;
}

TEST(BatchRow, givesNumbersToSortBy) {
    const BatchRow row = measured("a", 40, 38.5);
    EXPECT_DOUBLE_EQ(*batchValue(row, BatchColumn::chamferCoarse), 8);
    EXPECT_DOUBLE_EQ(*batchValue(row, BatchColumn::difference), -1.5);
    EXPECT_FALSE(batchValue(row, BatchColumn::item));
    EXPECT_FALSE(batchValue(failure("b"), BatchColumn::fRefined));
}

TEST(BatchRow, isWorseWhereAnyMeasureIs) {
    BatchRow row = measured("a", 40, 38.5);
    row.overlapRefined = 0.7;
    row.scores[0].chamferRefined = 9e-4;
    for (const BatchColumn column : {BatchColumn::chamferRefined, BatchColumn::fRefined,
                                     BatchColumn::overlapRefined, BatchColumn::difference}) {
        const auto before = columnBefore(column);
        EXPECT_TRUE(isWorse(column, *batchValue(row, column),
                            before ? batchValue(row, before->column) : std::nullopt));
    }
    EXPECT_FALSE(isWorse(BatchColumn::fCoarse, 3, 5.0));
    EXPECT_FALSE(isWorse(BatchColumn::fRefined, 39.996, 40.0));  // the same digits
    EXPECT_FALSE(isWorse(BatchColumn::fRefined, 41, 40.0));
}

TEST(BatchRow, givesTheNumbersOfEachProtocol) {
    const BatchRow row = measured("a", 40, 50);
    EXPECT_DOUBLE_EQ(*batchValue(row, BatchColumn::fRefined, 1), 25);
    EXPECT_FALSE(batchValue(row, BatchColumn::fRefined, 2));
    EXPECT_DOUBLE_EQ(*batchValue(row, BatchColumn::overlapCoarse, 1), 0.75);
    EXPECT_FALSE(batchValue(row, BatchColumn::overlapRefined));
}

TEST(BatchMeans, leaveFailedItemsOut) {
    BatchMeans means;
    EXPECT_FALSE(means.mean(BatchColumn::fRefined));
    means.add(measured("a", 40, 50), 0);
    means.add(failure("b"), 0);
    means.add(measured("c", 40, 60), 0);
    EXPECT_EQ(means.count, 2U);
    EXPECT_EQ(means.failed, 1U);
    EXPECT_DOUBLE_EQ(*means.mean(BatchColumn::fRefined), 55);
    EXPECT_DOUBLE_EQ(*means.mean(BatchColumn::difference), 15);
    EXPECT_FALSE(means.mean(BatchColumn::overlapRefined));
}

TEST(BatchMeans, areOverThoseThatHaveTheNumber) {
    BatchRow bare = measured("a", 40, 50);
    bare.overlapCoarse.reset();
    BatchMeans means;
    means.add(bare, 0);
    means.add(measured("b", 40, 50), 0);
    EXPECT_DOUBLE_EQ(*means.mean(BatchColumn::overlapCoarse), 0.75);
}

TEST(BatchCsv, quotesWhatNeedsIt) {
    const QString csv = batchCsv({measured("a", 40, 50), failure("b")});
    const QStringList lines = csv.split('\n');
    ASSERT_EQ(lines.size(), 4);
    EXPECT_EQ(lines[0].split(',').size(), 13);
    EXPECT_EQ(lines[1].toStdString(), "02691156,a,published,0.0008,0.0007,40,50,0,10,0.75,,2.5,");
    EXPECT_EQ(lines[2].toStdString(),
              ",b,published,,,,,,,,,,\"view 6, or \"\"00.png\"\", is damaged\"");
}

TEST(BatchCsv, addsTheFitsColumnsLast_whereTheRunHasOne) {
    BatchRow fitted = measured("a", 40, 50);
    fitted.scores[0].chamferFitted = 5e-4;
    fitted.scores[0].fFitted = 65;
    fitted.overlapFitted = 0.9;
    fitted.fitMilliseconds = 125;
    fitted.fitNote = "view 3: left out";
    EXPECT_DOUBLE_EQ(*batchValue(fitted, BatchColumn::differenceOfFit), 15);
    EXPECT_FALSE(batchValue(measured("b", 40, 50), BatchColumn::differenceOfFit));
    const std::vector<BatchRow> rows{fitted, measured("b", 40, 50)};
    const QStringList plain = batchCsv(rows).split('\n');
    const QStringList lines = batchCsv(rows, Protocol::published, 0, "all").split('\n');
    EXPECT_EQ(lines[0], plain[0] +
                            ",fit_views,chamfer_fitted,f_tau_fitted,f_tau_fit_difference,"
                            "overlap_fitted,fit_milliseconds,fit_note");
    EXPECT_EQ(lines[1], plain[1] + ",all,0.0005,65,15,0.9,125,view 3: left out");
    EXPECT_EQ(lines[2], plain[2] + ",all,,,,,,");
}

}  // namespace
}  // namespace threefold::ui
