#include "ui/document/measure_rows.h"

#include <cmath>
#include <string>

#include <QCoreApplication>

#include "engine/metrics/measure_table.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

MeasureRow rowOf(const TruthMeasure& measure, const Scores& coarseScores,
                 const Scores& refinedScores) {
    const auto tr = [](std::string_view text) {
        return QCoreApplication::translate("Measures", std::string(text).c_str());
    };
    const double scale = scaleOf(measure.unit);
    const double coarse = measure.value(coarseScores).value_or(NAN) * scale;
    const double refined = measure.value(refinedScores).value_or(NAN) * scale;
    const int decimals = decimalsOf(measure.unit);
    const QString suffix = measure.unit == Unit::squared   ? QStringLiteral(" ×10⁴")
                           : measure.unit == Unit::percent ? QStringLiteral(" %")
                                                           : QString();
    MeasureRow row{
        tr(measure.label.empty() ? measure.title : measure.label) + suffix,
        tr(measure.meaning) + ' ' +
            tr(measure.better == Better::lower ? "Lower is better." : "Higher is better."),
        fixed(coarse, decimals),
        fixed(refined, decimals),
        signedFixed(refined - coarse, decimals),
        Verdict::same};
    if (row.difference == fixed(0, decimals)) return row;
    const bool rose = refined > coarse;
    row.verdict = rose == (measure.better == Better::higher) ? Verdict::better : Verdict::worse;
    return row;
}

Scores scoresOf(const MeshEvaluation& mesh) {
    Scores scores;
    scores.measures = mesh.measures;
    return scores;
}

}  // namespace

std::vector<MeasureRow> measureRows(const Evaluation& evaluation) {
    const Scores coarse = scoresOf(evaluation.coarse);
    const Scores refined = scoresOf(evaluation.refined);
    std::vector<MeasureRow> rows;
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.places.window) rows.push_back(rowOf(measure, coarse, refined));
    }
    return rows;
}

}  // namespace threefold::ui
