#pragma once

#include <vector>

#include <QString>

#include "engine/pipeline/evaluate.h"
#include "ui/document/measured_meshes.h"

namespace threefold::ui {

/// Whether refinement or the fit helped, judged on the digits that are shown.
enum class Verdict { same, better, worse };

/// One line of the measures table, ready to show.
struct MeasureRow {
    QString label;
    QString tooltip;  ///< definition and unit
    QString coarse;
    QString refined;
    QString difference;  ///< refined − coarse
    Verdict verdict = Verdict::same;
    QString fitted = {};            ///< empty, as the next, without a fit
    QString fittedDifference = {};  ///< fitted − refined
    Verdict fittedVerdict = Verdict::same;
    QString opened = {};            ///< of an opened mesh; empty, as the next, if there is none
    QString openedDifference = {};  ///< opened − refined
    Verdict openedVerdict = Verdict::same;
    std::vector<QString> further = {};  ///< of the opened meshes after it
};

/// One for each of truthMeasures() that is shown in the window: Chamfer ×10⁴, F(τ), F(2τ),
/// precision and recall at τ, …
std::vector<MeasureRow> measureRows(const Evaluation& evaluation);
/// The same for all measured meshes: "…" for a pending number, "–" for one that never comes.
std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes);

}  // namespace threefold::ui
