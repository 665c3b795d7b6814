#include "ui/document/measure_rows.h"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "engine/sample_steps/evaluate.h"

namespace threefold::ui {
namespace {

ChamferAndFScores measures(double chamfer, double precision, double recall, double f) {
    ChamferAndFScores m;
    m.chamfer = chamfer;
    for (std::size_t i = 0; i < m.fScores.size(); ++i) {
        const double scale = kTauMultiples[i];
        m.fScores[i] = {scale * kTau, precision * scale, recall * scale, f * scale};
    }
    return m;
}

Evaluation evaluation(const ChamferAndFScores& coarse, const ChamferAndFScores& refined) {
    return {{"coarse", {coarse, {}}}, {"refined", {refined, {}}}};
}

std::vector<MeasureRow> measureRows(const Evaluation& evaluation) {
    std::vector<MeasuredMesh> meshes;
    const auto add = [&](MeshId id, const MeshEvaluation& mesh) {
        auto scores = std::make_shared<ScoresWithCurve>();
        scores->measures = mesh.measures;
        meshes.push_back({.id = id, .state = ScoresRef(std::move(scores))});
    };
    add(MeshId::firstPublished, evaluation.first());
    add(MeshId::result, evaluation.result());
    if (evaluation.fitted() != nullptr) add(MeshId::fitted, *evaluation.fitted());
    return ui::measureRows(meshes);
}

TEST(MeasureRows, judgeEachMeasureByItsOwnDirection) {
    const auto rows =
        measureRows(evaluation(measures(3.214e-4, 30, 40, 35), measures(0.698e-4, 31, 39, 35)));
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0][MeshId::firstPublished], "3.214");
    EXPECT_EQ(rows[0][MeshId::result], "0.698");
    EXPECT_EQ(rows[0].of(MeshId::result).change, QString(QChar(0x2212)) + "2.516");
    EXPECT_EQ(rows[0].of(MeshId::result).verdict, Verdict::better);  // smaller distances are better
    EXPECT_EQ(rows[1].of(MeshId::result).verdict, Verdict::same);
    EXPECT_EQ(rows[3].of(MeshId::result).verdict, Verdict::better);
    EXPECT_EQ(rows[3].of(MeshId::result).change, "+1.00");
    EXPECT_EQ(rows[4].of(MeshId::result).verdict, Verdict::worse);
}

TEST(MeasureRows, showTheFScoreAtTwiceTheThreshold_inItsRow) {
    const auto rows = measureRows(evaluation(measures(1e-4, 1, 1, 20), measures(1e-4, 1, 1, 20)));
    EXPECT_EQ(rows[1][MeshId::firstPublished], "20.00");
    EXPECT_EQ(rows[2][MeshId::firstPublished], "40.00");
}

TEST(MeasureRows, areEqual_whenTheShownDigitsAgree) {
    const auto rows = measureRows(
        evaluation(measures(1e-4, 10, 10, 10), measures(1.0000001e-4, 10, 10.001, 9.999)));
    for (const MeasureRow& row : rows)
        EXPECT_EQ(row.of(MeshId::result).verdict, Verdict::same) << row.label.toStdString();
}

TEST(MeasureRows, judgeNothing_whenAMeasureIsNotANumber) {
    const auto rows = measureRows(evaluation(measures(1e-4, 1, 1, 20), measures(NAN, 1, 1, NAN)));
    for (const std::size_t row : {0U, 1U}) {
        EXPECT_EQ(rows[row].of(MeshId::result).verdict, Verdict::same);
        EXPECT_EQ(rows[row].of(MeshId::result).change, "");
    }
}

TEST(MeasureRows, compareTheFittedMeshWithTheRefinedOne) {
    Evaluation measured = evaluation(measures(3e-4, 30, 40, 35), measures(2e-4, 30, 40, 36));
    EXPECT_TRUE(measureRows(measured)[0][MeshId::fitted].isEmpty());
    measured.add(kFittedMesh, MeshEvaluation{measures(1e-4, 30, 40, 34)});
    const auto rows = measureRows(measured);
    EXPECT_EQ(rows[0][MeshId::fitted], "1.000");
    EXPECT_EQ(rows[0].of(MeshId::fitted).change, QString(QChar(0x2212)) + "1.000");
    EXPECT_EQ(rows[0].of(MeshId::fitted).verdict, Verdict::better);
    EXPECT_EQ(rows[1].of(MeshId::result).change, "+1.00");
    EXPECT_EQ(rows[1].of(MeshId::fitted).change, QString(QChar(0x2212)) + "2.00");
    EXPECT_EQ(rows[1].of(MeshId::fitted).verdict, Verdict::worse);
    EXPECT_EQ(rows[3].of(MeshId::fitted).verdict, Verdict::same);
}

}  // namespace
}  // namespace threefold::ui
