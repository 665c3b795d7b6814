#pragma once

#include <vector>

#include "ui/document/measured_meshes.h"

namespace threefold::ui {

/// Whether a mesh is better than the one it is compared with, judged on the digits that are shown.
enum class Verdict { same, better, worse };

/// One measure of one mesh, ready to show.
struct MeasureCell {
    MeshId id;
    QString text;    ///< "…" for a pending number, "–" for one that never comes
    QString change;  ///< with its sign, from the mesh that it is compared with; may be empty
    Verdict verdict = Verdict::same;  ///< of the change
};

/// One line of the measures table.
struct MeasureRow {
    QString label;
    QString tooltip;  ///< definition and unit
    std::vector<MeasureCell> cells;

    /// Without texts where that mesh was not measured.
    const MeasureCell& of(MeshId id) const;
    const QString& operator[](MeshId id) const { return of(id).text; }
};

/// One for each of truthMeasures() that is shown in the window: Chamfer ×10⁴, F(τ), F(2τ),
/// precision and recall at τ, … A cell for each of `meshes`, in their order.
std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes);

/// The mesh whose measures those of `id` are compared with: the network's result with its first
/// mesh, the fitted and the first of the opened meshes with the network's result. None: no other,
/// or it is not among `meshes`.
const MeasuredMesh* comparedWith(MeshId id, const std::vector<MeasuredMesh>& meshes);

}  // namespace threefold::ui
