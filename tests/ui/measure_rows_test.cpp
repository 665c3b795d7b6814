#include "ui/document/measure_rows.h"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "engine/pipeline/evaluate.h"

namespace threefold::ui {
namespace {

Measures measures(double chamfer, double precision, double recall, double f) {
    Measures m;
    m.chamfer = chamfer;
    for (const double scale : {0.5, 1.0, 1.5, 2.0}) {
        m.scores.push_back({scale * kTau, precision * scale, recall * scale, f * scale});
    }
    return m;
}

Evaluation evaluation(const Measures& coarse, const Measures& refined) {
    return {{"coarse", {coarse, {}}}, {"refined", {refined, {}}}};
}

std::vector<MeasureRow> measureRows(const Evaluation& evaluation) {
    std::vector<MeasuredMesh> meshes;
    const auto add = [&](MeshRole role, const MeshEvaluation& mesh) {
        auto scores = std::make_shared<SweptScores>();
        scores->measures = mesh.measures;
        meshes.push_back({role, {}, std::move(scores), {}});
    };
    add(MeshRole::coarse, evaluation.first());
    add(MeshRole::refined, evaluation.result());
    if (evaluation.fitted() != nullptr) add(MeshRole::fitted, *evaluation.fitted());
    return ui::measureRows(meshes);
}

TEST(MeasureRows, judgeEachMeasureByItsOwnDirection) {
    const auto rows =
        measureRows(evaluation(measures(3.214e-4, 30, 40, 35), measures(0.698e-4, 31, 39, 35)));
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0][MeasureRow::coarse], "3.214");
    EXPECT_EQ(rows[0][MeasureRow::refined], "0.698");
    EXPECT_EQ(rows[0][MeasureRow::difference], QString(QChar(0x2212)) + "2.516");
    EXPECT_EQ(rows[0].verdicts[MeasureRow::difference], Verdict::better);  // a smaller distance
    EXPECT_EQ(rows[1].verdicts[MeasureRow::difference], Verdict::same);
    EXPECT_EQ(rows[3].verdicts[MeasureRow::difference], Verdict::better);
    EXPECT_EQ(rows[3][MeasureRow::difference], "+1.00");
    EXPECT_EQ(rows[4].verdicts[MeasureRow::difference], Verdict::worse);
}

TEST(MeasureRows, showTwiceTheThreshold_inItsRow) {
    const auto rows = measureRows(evaluation(measures(1e-4, 1, 1, 20), measures(1e-4, 1, 1, 20)));
    EXPECT_EQ(rows[1][MeasureRow::coarse], "20.00");
    EXPECT_EQ(rows[2][MeasureRow::coarse], "40.00");
}

TEST(MeasureRows, callItTheSame_whenTheShownDigitsAgree) {
    const auto rows = measureRows(
        evaluation(measures(1e-4, 10, 10, 10), measures(1.0000001e-4, 10, 10.001, 9.999)));
    for (const MeasureRow& row : rows)
        EXPECT_EQ(row.verdicts[MeasureRow::difference], Verdict::same)
            << row[MeasureRow::label].toStdString();
}

TEST(MeasureRows, compareTheFittedMeshWithTheRefinedOne) {
    Evaluation measured = evaluation(measures(3e-4, 30, 40, 35), measures(2e-4, 30, 40, 36));
    EXPECT_TRUE(measureRows(measured)[0][MeasureRow::fitted].isEmpty());
    measured.add(kFittedMesh, MeshEvaluation{measures(1e-4, 30, 40, 34)});
    const auto rows = measureRows(measured);
    EXPECT_EQ(rows[0][MeasureRow::fitted], "1.000");
    EXPECT_EQ(rows[0][MeasureRow::fittedDifference], QString(QChar(0x2212)) + "1.000");
    EXPECT_EQ(rows[0].verdicts[MeasureRow::fittedDifference], Verdict::better);
    EXPECT_EQ(rows[1][MeasureRow::difference], "+1.00");
    EXPECT_EQ(rows[1][MeasureRow::fittedDifference], QString(QChar(0x2212)) + "2.00");
    EXPECT_EQ(rows[1].verdicts[MeasureRow::fittedDifference], Verdict::worse);
    EXPECT_EQ(rows[3].verdicts[MeasureRow::fittedDifference], Verdict::same);
}

}  // namespace
}  // namespace threefold::ui
