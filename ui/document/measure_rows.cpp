#include "ui/document/measure_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "engine/measures/measure_table.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

/// Measures that the table leaves out, besides details.
constexpr std::string_view kLeftOut[] = {"f_half_tau", "f_1_5_tau", "hausdorff",
                                         "normal_consistency"};

QString translated(std::string_view text) {
    return QCoreApplication::translate("Measures", std::string(text).c_str());
}

/// Value in the unit of the table; none if not measured.
std::optional<double> valueOf(const TruthMeasure& measure, const MeasuredMesh* mesh) {
    const ScoresRef scores = mesh != nullptr ? mesh->scores() : nullptr;
    if (!scores) return std::nullopt;
    const std::optional<double> value = measure.value(*scores);
    return value ? std::optional(*value * shownScale(measure.unit)) : std::nullopt;
}

QString textOf(const TruthMeasure& measure, const MeasuredMesh& mesh) {
    const auto value = valueOf(measure, &mesh);
    if (value) return fixedText(*value, shownDecimals(measure.unit));
    const bool isExpected = std::holds_alternative<ScoresPending>(mesh.state) ||
                            std::holds_alternative<ScoresWithheld>(mesh.state);
    return isExpected ? QStringLiteral("…") : QStringLiteral("–");
}

void addChange(MeasureCell& cell, const TruthMeasure& measure, const MeasuredMesh* reference,
               const MeasuredMesh& mesh) {
    const auto from = valueOf(measure, reference);
    const auto to = valueOf(measure, &mesh);
    if (!from || !to || !std::isfinite(*to - *from)) return;
    const int decimals = shownDecimals(measure.unit);
    cell.change = signedText(*to - *from, decimals);
    if (cell.change == fixedText(0, decimals)) return;
    const bool rose = *to > *from;
    cell.verdict =
        rose == (measure.better == BetterDirection::higher) ? Verdict::better : Verdict::worse;
}

MeasureRow rowOf(const TruthMeasure& measure, const std::vector<MeasuredMesh>& meshes) {
    const QString suffix = measure.unit == Unit::squaredDistance ? QStringLiteral(" ×10⁴")
                           : measure.unit == Unit::percent       ? QStringLiteral(" %")
                                                                 : QString();
    MeasureRow row;
    row.label = translated(measure.shortTitle()) + suffix;
    row.tooltip = translated(measure.meaning) + ' ' +
                  translated(measure.better == BetterDirection::lower ? "Lower is better."
                                                                      : "Higher is better.");
    for (const MeasuredMesh& mesh : meshes) {
        MeasureCell& cell = row.cells.emplace_back();
        cell.id = mesh.id;
        cell.text = textOf(measure, mesh);
        addChange(cell, measure, comparisonOf(mesh.id, meshes), mesh);
    }
    return row;
}

}  // namespace

const MeasureCell& MeasureRow::of(MeshId id) const {
    static const MeasureCell kNone;
    const auto found = std::ranges::find(cells, id, &MeasureCell::id);
    return found == cells.end() ? kNone : *found;
}

const MeasuredMesh* comparisonOf(MeshId id, const std::vector<MeasuredMesh>& meshes) {
    const auto find = [&](auto predicate) {
        const auto found = std::ranges::find_if(meshes, predicate, &MeasuredMesh::id);
        return found == meshes.end() ? nullptr : &*found;
    };
    const auto withId = [&](MeshId other) {
        return find([=](MeshId candidate) { return candidate == other; });
    };
    if (id == MeshId::result) return withId(MeshId::firstPublished);
    if (id == MeshId::fitted) return withId(MeshId::result);
    const MeasuredMesh* const opened = find([](MeshId candidate) { return candidate.isOpened(); });
    return opened != nullptr && opened->id == id ? withId(MeshId::result) : nullptr;
}

std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes) {
    std::vector<MeasureRow> rows;
    for (const TruthMeasure& measure : truthMeasures())
        if (!measure.isDetail && std::ranges::count(kLeftOut, measure.key) == 0)
            rows.push_back(rowOf(measure, meshes));
    return rows;
}

}  // namespace threefold::ui
