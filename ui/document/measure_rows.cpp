#include "ui/document/measure_rows.h"

#include <cmath>
#include <optional>
#include <string>

#include <QCoreApplication>

#include "engine/metrics/measure_table.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

struct Change {
    QString text;
    Verdict verdict = Verdict::same;
};

Change changeOf(const TruthMeasure& measure, double before, double after) {
    const int decimals = decimalsOf(measure.unit);
    Change change{signedFixed(after - before, decimals), Verdict::same};
    if (change.text == fixed(0, decimals)) return change;
    const bool rose = after > before;
    change.verdict = rose == (measure.better == Better::higher) ? Verdict::better : Verdict::worse;
    return change;
}

MeasureRow rowOf(const TruthMeasure& measure, const Scores& coarseScores,
                 const Scores& refinedScores, const std::optional<Scores>& fittedScores) {
    const auto tr = [](std::string_view text) {
        return QCoreApplication::translate("Measures", std::string(text).c_str());
    };
    const auto valueOf = [&](const Scores& scores) {
        return measure.value(scores).value_or(NAN) * scaleOf(measure.unit);
    };
    const double coarse = valueOf(coarseScores);
    const double refined = valueOf(refinedScores);
    const int decimals = decimalsOf(measure.unit);
    const QString suffix = measure.unit == Unit::squared   ? QStringLiteral(" ×10⁴")
                           : measure.unit == Unit::percent ? QStringLiteral(" %")
                                                           : QString();
    const Change change = changeOf(measure, coarse, refined);
    MeasureRow row{
        tr(measure.label.empty() ? measure.title : measure.label) + suffix,
        tr(measure.meaning) + ' ' +
            tr(measure.better == Better::lower ? "Lower is better." : "Higher is better."),
        fixed(coarse, decimals),
        fixed(refined, decimals),
        change.text,
        change.verdict};
    if (!fittedScores) return row;
    const double fitted = valueOf(*fittedScores);
    const Change further = changeOf(measure, refined, fitted);
    row.fitted = fixed(fitted, decimals);
    row.fittedDifference = further.text;
    row.fittedVerdict = further.verdict;
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
    std::optional<Scores> fitted;
    if (evaluation.fitted) fitted = scoresOf(*evaluation.fitted);
    std::vector<MeasureRow> rows;
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.places.window) rows.push_back(rowOf(measure, coarse, refined, fitted));
    }
    return rows;
}

}  // namespace threefold::ui
