#include "ui/batch/batch_columns.h"
#include "ui/batch/batch_column_text.h"

#include <stdexcept>
#include <string_view>

#include <gtest/gtest.h>

#include <QStringList>

namespace threefold::ui {
namespace {

Scores scoresOf(double chamfer, double f, double fAtTwoTau = 0) {
    Scores scores;
    scores.measures.chamfer = chamfer;
    scores.measures.atTau().fScore = f;
    scores.measures.atTwoTau().fScore = fAtTwoTau;
    return scores;
}

void setOverlap(SampleRecord& record, std::string_view mesh, double overlap) {
    if (record.silhouettes.empty()) record.silhouettes.emplace_back();
    record.silhouettes.front().meshes.add(mesh, {overlap, {}});
}

SampleScores scoresOfBoth(const Scores& coarse, const Scores& refined) {
    return {{{"coarse", coarse}, {"refined", refined}}};
}

SampleRecord measured(const std::string& name, double coarse, double refined) {
    SampleRecord record;
    record.category = "02691156";
    record.name = "02691156_" + name + "_00";
    record.scores = {scoresOfBoth(scoresOf(8e-4, coarse), scoresOf(7e-4, refined)),
                     scoresOfBoth(scoresOf(4e-4, coarse / 2), scoresOf(3e-4, refined / 2, 1))};
    setOverlap(record, "coarse", 0.75);
    record.times.network = 2.5;
    return record;
}

SampleRecord failure(const std::string& name) {
    SampleRecord record;
    record.listedName = name;
    record.error = "view 6, or \"00.png\", is damaged";
    return record;
}

const BatchColumn& columnOf(std::string_view name) {
    return columnAt(columnIndex(name));
}

std::optional<double> valueOf(const SampleRecord& record, std::string_view column,
                              std::size_t protocol = 0) {
    return columnOf(column).value(record, protocol);
}

TEST(BatchColumns, giveNumbersToSortBy) {
    const SampleRecord row = measured("a", 40, 38.5);
    EXPECT_DOUBLE_EQ(*valueOf(row, "chamfer_coarse"), 8);
    EXPECT_DOUBLE_EQ(*valueOf(row, "f_tau_difference"), -1.5);
    EXPECT_FALSE(valueOf(row, "item"));
    EXPECT_FALSE(valueOf(failure("b"), "f_tau_refined"));
}

TEST(BatchColumns, followTheTableOfMeasures) {
    QStringList titles;
    for (const BatchColumn& column : batchColumns()) titles << titleOf(column);
    EXPECT_EQ(titles.join("|").toStdString(),
              "Sample|F(τ) fitted|Δ F(τ) fit|CD×10⁴ fitted|Distance fitted|IoU fitted|ms fit|"
              "F(τ) refined|F(τ) coarse|Δ F(τ)|CD×10⁴ refined|CD×10⁴ coarse|F(2τ) refined|"
              "Distance refined|Distance coarse|IoU refined|IoU coarse|ms");
    for (const BatchColumn& column : batchColumns())
        if (column.previousColumn) {
            EXPECT_EQ(columnAt(*column.previousColumn).measure, column.measure);
            EXPECT_NE(columnAt(*column.previousColumn).mesh, column.mesh);
        }
    QStringList chosen;
    for (const int index : histogramColumns()) chosen << titleOf(columnAt(index));
    EXPECT_EQ(
        chosen.join("|").toStdString(),
        "F(τ) refined|F(2τ) refined|F(τ) coarse|CD×10⁴ refined|CD×10⁴ coarse|Δ F(τ)|"
        "IoU refined|IoU coarse|Distance refined|Distance coarse|ms|F(τ) fitted|CD×10⁴ fitted|"
        "Δ F(τ) fit|IoU fitted|Distance fitted|ms fit");
    EXPECT_EQ(tooltipOf(columnOf("f_tau_coarse")),
              "F-score of the coarse mesh at τ, in percent. Higher is better");
}

TEST(BatchColumns, nameASampleByCategoryAndName) {
    EXPECT_EQ(sampleTitle(measured("a", 40, 50)).toStdString(), "airplane · a");
    EXPECT_EQ(sampleTitle(failure("b")).toStdString(), "b");
}

TEST(BatchColumns, refuseAName_whenNoColumnHasIt) {
    EXPECT_THROW(columnIndex("f_tau_sharpened"), std::out_of_range);
}

TEST(BatchColumns, areWorse_whenTheMeasureIs) {
    SampleRecord row = measured("a", 40, 38.5);
    setOverlap(row, "refined", 0.7);
    row.scores[0].result().measures.chamfer = 9e-4;
    for (const std::string_view name :
         {"chamfer_refined", "f_tau_refined", "overlap_refined", "f_tau_difference"}) {
        const BatchColumn& column = columnOf(name);
        EXPECT_TRUE(column.isWorse(
            *column.value(row),
            !column.previousColumn ? std::nullopt : columnAt(*column.previousColumn).value(row)));
    }
    EXPECT_FALSE(columnOf("f_tau_coarse").isWorse(3, 5.0));
    // The two values are equal when rounded to two decimals.
    EXPECT_FALSE(columnOf("f_tau_refined").isWorse(39.996, 40.0));
    EXPECT_TRUE(columnOf("f_tau_difference").isBetter(0.01, std::nullopt));
    EXPECT_FALSE(columnOf("f_tau_difference").isBetter(0.004, std::nullopt));
    EXPECT_FALSE(columnOf("f_tau_refined").isWorse(41, 40.0));
}

TEST(BatchColumns, giveTheNumbersOfEachProtocol) {
    const SampleRecord row = measured("a", 40, 50);
    EXPECT_DOUBLE_EQ(*valueOf(row, "f_tau_refined", 1), 25);
    EXPECT_FALSE(valueOf(row, "f_tau_refined", 2));
    EXPECT_DOUBLE_EQ(*valueOf(row, "overlap_coarse", 1), 0.75);
    EXPECT_FALSE(valueOf(row, "overlap_refined"));
}

TEST(BatchColumns, haveDistancesFromSurfaces_onlyWhenATruthHasFaces) {
    SampleRecord row = measured("a", 40, 50);
    EXPECT_FALSE(valueOf(row, "surface_mean_refined"));
    EXPECT_FALSE(batchCsv({row}).contains("surface_mean"));
    row.distances.add("refined", {0.25, 0.125, 0.5, 1});
    EXPECT_EQ(*valueOf(row, "surface_mean_refined", 1), 0.25);
    EXPECT_FALSE(valueOf(row, "surface_mean_coarse"));
    const QStringList lines = batchCsv({row}).split('\n');
    EXPECT_TRUE(lines[0].endsWith(",milliseconds,surface_mean_coarse,surface_mean_refined,problem"))
        << lines[0].toStdString();
    EXPECT_TRUE(lines[1].endsWith(",2.5,,0.25,")) << lines[1].toStdString();
}

TEST(BatchMeans, leaveFailedSamplesOut) {
    BatchMeans means;
    EXPECT_FALSE(means.mean(columnIndex("f_tau_refined")));
    means.add(measured("a", 40, 50), 0);
    means.add(failure("b"), 0);
    means.add(measured("c", 40, 60), 0);
    EXPECT_EQ(means.count, 2U);
    EXPECT_EQ(means.failed, 1U);
    EXPECT_DOUBLE_EQ(*means.mean(columnIndex("f_tau_refined")), 55);
    EXPECT_DOUBLE_EQ(*means.mean(columnIndex("f_tau_difference")), 15);
    EXPECT_FALSE(means.mean(columnIndex("overlap_refined")));
}

TEST(BatchMeans, areOverSamples_whichHaveTheNumber) {
    SampleRecord bare = measured("a", 40, 50);
    bare.silhouettes.clear();
    BatchMeans means;
    means.add(bare, 0);
    means.add(measured("b", 40, 50), 0);
    EXPECT_DOUBLE_EQ(*means.mean(columnIndex("overlap_coarse")), 0.75);
}

TEST(BatchCsv, quotesFields_whenNeeded) {
    const QString csv = batchCsv({measured("a", 40, 50), failure("b")});
    const QStringList lines = csv.split('\n');
    ASSERT_EQ(lines.size(), 4);
    EXPECT_EQ(lines[0].split(',').size(), 13);
    EXPECT_EQ(lines[1].toStdString(), "02691156,a,published,0.0008,0.0007,40,50,0,10,0.75,,2.5,");
    EXPECT_EQ(lines[2].toStdString(),
              ",b,published,,,,,,,,,,\"view 6, or \"\"00.png\"\", is damaged\"");
}

TEST(BatchCsv, addsTheFitsColumnsLast_whenTheRunHasAFit) {
    SampleRecord fitted = measured("a", 40, 50);
    fitted.scores[0].add(kFittedMesh, scoresOf(5e-4, 65));
    setOverlap(fitted, kFittedMesh, 0.9);
    fitted.times.fit = 125;
    fitted.fitNote = "view 3: left out";
    EXPECT_DOUBLE_EQ(*valueOf(fitted, "f_tau_fit_difference"), 15);
    EXPECT_FALSE(valueOf(measured("b", 40, 50), "f_tau_fit_difference"));
    const std::vector<SampleRecord> rows{fitted, measured("b", 40, 50)};
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
