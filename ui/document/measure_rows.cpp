#include "ui/document/measure_rows.h"

#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

enum class Better { lower, higher };

MeasureRow row(const QString& label, const QString& tooltip, double coarse, double refined,
               int decimals, Better better) {
    MeasureRow line{label,
                    tooltip,
                    fixed(coarse, decimals),
                    fixed(refined, decimals),
                    signedFixed(refined - coarse, decimals),
                    Verdict::same};
    if (line.difference == fixed(0, decimals)) return line;
    const bool rose = refined > coarse;
    line.verdict = rose == (better == Better::higher) ? Verdict::better : Verdict::worse;
    return line;
}

}  // namespace

std::vector<MeasureRow> measureRows(const Evaluation& evaluation) {
    const Measures& c = evaluation.coarse.measures;
    const Measures& r = evaluation.refined.measures;
    return {
        row(QStringLiteral("Chamfer ×10⁴"),
            QStringLiteral("Chamfer distance in 10⁻⁴ object units²: mean squared distance from "
                           "vertices to truth plus from truth to vertices. Lower is better."),
            c.chamfer * 1e4, r.chamfer * 1e4, 3, Better::lower),
        row(QStringLiteral("F(τ) %"),
            QStringLiteral("Harmonic mean of precision and recall at the squared distance τ, in "
                           "percent. Higher is better."),
            c.atTau().f, r.atTau().f, 2, Better::higher),
        row(QStringLiteral("F(2τ) %"),
            QStringLiteral("The same at twice the threshold, in percent. Higher is better."),
            c.atTwoTau().f, r.atTwoTau().f, 2, Better::higher),
        row(QStringLiteral("precision %"),
            QStringLiteral("Share of the mesh's vertices within τ of the truth, in percent. Higher "
                           "is better."),
            c.atTau().precision, r.atTau().precision, 2, Better::higher),
        row(QStringLiteral("recall %"),
            QStringLiteral("Share of the true points within τ of a vertex, in percent. Higher is "
                           "better."),
            c.atTau().recall, r.atTau().recall, 2, Better::higher),
    };
}

}  // namespace threefold::ui
