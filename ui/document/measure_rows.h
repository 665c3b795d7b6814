#pragma once

#include <array>
#include <cstddef>

#include "ui/document/measured_meshes.h"

namespace threefold::ui {

/// Whether refinement or the fit helped, judged on the digits that are shown.
enum class Verdict { same, better, worse };

/// One line of the measures table, ready to show. Without a fit the texts of the fitted mesh are
/// empty, and without opened meshes theirs.
struct MeasureRow {
    enum Column : std::size_t {
        label,
        coarse,
        refined,
        difference,  ///< refined − coarse
        hull,        ///< that depth from photographs moved to the fitted mesh
        fitted,
        fittedDifference,  ///< fitted − refined
        opened,            ///< the first opened mesh
        openedDifference,  ///< opened − refined
        further,           ///< the opened meshes after it
        furthest,
        columns,
    };
    QString tooltip;  ///< definition and unit
    std::array<QString, columns> texts;
    std::array<Verdict, columns> verdicts{};  ///< of the differences

    const QString& operator[](Column column) const { return texts[column]; }
};

/// One for each of truthMeasures() that is shown in the window: Chamfer ×10⁴, F(τ), F(2τ),
/// precision and recall at τ, … Of all measured meshes: "…" for a pending number, "–" for one that
/// never comes.
std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes);

}  // namespace threefold::ui
