#include "ui/document/measure_rows.h"

#include <algorithm>
#include <cmath>
#include <memory>
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

Change changeOf(const TruthMeasure& measure, const MeasuredMesh* before,
                const MeasuredMesh* after) {
    const auto from = valueOf(measure, before);
    const auto to = valueOf(measure, after);
    return from && to ? changeOf(measure, *from, *to) : Change();
}

MeasureRow rowOf(const TruthMeasure& measure, const std::vector<MeasuredMesh>& meshes) {
    const MeasuredMesh* coarse = findRole(meshes, MeshRole::coarse);
    const MeasuredMesh* refined = findRole(meshes, MeshRole::refined);
    const MeasuredMesh* fitted = findRole(meshes, MeshRole::fitted);
    const QString suffix = measure.unit == Unit::squared   ? QStringLiteral(" ×10⁴")
                           : measure.unit == Unit::percent ? QStringLiteral(" %")
                                                           : QString();
    const Change change = changeOf(measure, coarse, refined);
    const Change further = changeOf(measure, refined, fitted);
    std::vector<const MeasuredMesh*> opened;
    for (const MeasuredMesh& mesh : meshes)
        if (isOpened(mesh.role)) opened.push_back(&mesh);
    const MeasuredMesh* first = opened.empty() ? nullptr : opened.front();
    const Change beside = changeOf(measure, refined, first);
    std::vector<QString> others;
    for (std::size_t i = 1; i < opened.size(); ++i) others.push_back(textOf(measure, opened[i]));
    return {
        translated(measure.label.empty() ? measure.title : measure.label) + suffix,
        translated(measure.meaning) + ' ' +
            translated(measure.better == Better::lower ? "Lower is better." : "Higher is better."),
        textOf(measure, coarse),
        textOf(measure, refined),
        change.text,
        change.verdict,
        textOf(measure, fitted),
        further.text,
        further.verdict,
        textOf(measure, first),
        beside.text,
        beside.verdict,
        std::move(others)};
}

std::shared_ptr<const SweptScores> scoresOf(const MeshEvaluation& mesh) {
    auto scores = std::make_shared<SweptScores>();
    scores->measures = mesh.measures;
    return scores;
}

}  // namespace

std::vector<MeasureRow> measureRows(const Evaluation& evaluation) {
    std::vector<MeasuredMesh> meshes{{MeshRole::coarse, {}, scoresOf(evaluation.coarse), {}},
                                     {MeshRole::refined, {}, scoresOf(evaluation.refined), {}}};
    if (evaluation.fitted)
        meshes.push_back({MeshRole::fitted, {}, scoresOf(*evaluation.fitted), {}});
    return measureRows(meshes);
}

std::vector<MeasureRow> measureRows(const std::vector<MeasuredMesh>& meshes) {
    std::vector<MeasureRow> rows;
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.places.window) rows.push_back(rowOf(measure, meshes));
    }
    return rows;
}

}  // namespace threefold::ui
