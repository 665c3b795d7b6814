#include "ui/document/measure_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "engine/metrics/measure_table.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

QString translated(std::string_view text) {
    return QCoreApplication::translate("Measures", std::string(text).c_str());
}

const MeasuredMesh* findRole(const std::vector<MeasuredMesh>& meshes, MeshRole role) {
    const auto found = std::ranges::find(meshes, role, &MeasuredMesh::role);
    return found == meshes.end() ? nullptr : &*found;
}

/// The scaled value for the table; none if not measured.
std::optional<double> valueOf(const TruthMeasure& measure, const MeasuredMesh* mesh) {
    if (mesh == nullptr || !mesh->scores) return std::nullopt;
    return measure.value(*mesh->scores).value_or(NAN) * scaleOf(measure.unit);
}

QString textOf(const TruthMeasure& measure, const MeasuredMesh* mesh) {
    if (mesh == nullptr) return {};
    const auto value = valueOf(measure, mesh);
    if (value) return fixed(*value, decimalsOf(measure.unit));
    return mesh->problem.isEmpty() ? QStringLiteral("…") : QStringLiteral("–");
}

void addChange(MeasureRow& row, MeasureRow::Column column, const TruthMeasure& measure,
               const MeasuredMesh* before, const MeasuredMesh* after) {
    const auto from = valueOf(measure, before);
    const auto to = valueOf(measure, after);
    if (!from || !to) return;
    const int decimals = decimalsOf(measure.unit);
    row.texts[column] = signedFixed(*to - *from, decimals);
    if (row.texts[column] == fixed(0, decimals)) return;
    const bool rose = *to > *from;
    row.verdicts[column] =
        rose == (measure.better == Better::higher) ? Verdict::better : Verdict::worse;
}

MeasureRow rowOf(const TruthMeasure& measure, const std::vector<MeasuredMesh>& meshes) {
    const MeasuredMesh* coarse = findRole(meshes, MeshRole::coarse);
    const MeasuredMesh* refined = findRole(meshes, MeshRole::refined);
    const MeasuredMesh* hull = findRole(meshes, MeshRole::hull);
    const MeasuredMesh* fitted = findRole(meshes, MeshRole::fitted);
    std::vector<const MeasuredMesh*> opened;
    for (const MeasuredMesh& mesh : meshes)
        if (isOpened(mesh.role)) opened.push_back(&mesh);
    opened.resize(kOpenedRoles.size(), nullptr);
    const QString suffix = measure.unit == Unit::squared   ? QStringLiteral(" ×10⁴")
                           : measure.unit == Unit::percent ? QStringLiteral(" %")
                                                           : QString();
    MeasureRow row{
        translated(measure.meaning) + ' ' +
            translated(measure.better == Better::lower ? "Lower is better." : "Higher is better."),
        {translated(measure.label.empty() ? measure.title : measure.label) + suffix}};
    const std::pair<MeasureRow::Column, const MeasuredMesh*> numbers[] = {
        {MeasureRow::coarse, coarse},     {MeasureRow::refined, refined},
        {MeasureRow::hull, hull},         {MeasureRow::fitted, fitted},
        {MeasureRow::opened, opened[0]},  {MeasureRow::further, opened[1]},
        {MeasureRow::furthest, opened[2]}};
    for (const auto& [column, mesh] : numbers) row.texts[column] = textOf(measure, mesh);
    addChange(row, MeasureRow::difference, measure, coarse, refined);
    addChange(row, MeasureRow::fittedDifference, measure, refined, fitted);
    addChange(row, MeasureRow::openedDifference, measure, refined, opened[0]);
    return row;
}

}  // namespace

std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes) {
    std::vector<MeasureRow> rows;
    for (const TruthMeasure& measure : truthMeasures())
        if (measure.places.window) rows.push_back(rowOf(measure, meshes));
    return rows;
}

}  // namespace threefold::ui
