#pragma once

#include <vector>

#include "ui/document/measured_meshes.h"

namespace threefold::ui {

/// Whether a mesh is better than the mesh it is compared with, judged by the shown digits.
enum class Verdict { same, better, worse };

/// One measure of one mesh, formatted for the table.
struct MeasureCell {
    MeshId id;
    QString text;    ///< "…" while pending or withheld, "–" if not measurable
    QString change;  ///< signed difference from the mesh of comparisonOf(); may be empty
    Verdict verdict = Verdict::same;  ///< judges `change`
};

/// One line of the measures table.
struct MeasureRow {
    QString label;
    QString tooltip;  ///< definition and unit
    std::vector<MeasureCell> cells;

    /// The cell of a mesh; a cell without texts if the mesh is not in the row.
    const MeasureCell& of(MeshId id) const;
    const QString& operator[](MeshId id) const { return of(id).text; }
};

/// Makes the table's rows, one for each of truthMeasures() that the window shows. Each row has a
/// cell for each mesh, in the order of `meshes`.
std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes);

/// Finds the mesh to compare mesh `id` with: the first published mesh for the network's result, and
/// the network's result for the fitted mesh and the first opened mesh. Null for other ids, or if
/// the mesh to compare with is not among `meshes`.
const MeasuredMesh* comparisonOf(MeshId id, const std::vector<MeasuredMesh>& meshes);

}  // namespace threefold::ui
