#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/metrics/nearest.h"
#include "ui/results/quantities.h"

namespace threefold::ui::quantity {
namespace {

using render::SceneMesh;
using render::SceneValues;

SceneValues roots(const std::vector<double>& squares) {
    SceneValues values(squares.size());
    std::transform(squares.begin(), squares.end(), values.begin(),
                   [](double square) { return static_cast<float>(std::sqrt(square)); });
    return values;
}

// A vertex that is nearest to no true point takes the mean of its neighbours, ring by ring: a hole
// in the colouring would hide the triangles around it.
void fillFromNeighbours(SceneValues& values, const Faces& faces) {
    std::vector<float> sum(values.size());
    std::vector<int> count(values.size());
    bool open = true;
    while (open) {
        std::fill(sum.begin(), sum.end(), 0.0F);
        std::fill(count.begin(), count.end(), 0);
        for (const glm::u32vec3& face : faces) {
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t here = face[i];
                if (!std::isnan(values[here])) continue;
                for (const std::uint32_t there : {face[(i + 1) % 3], face[(i + 2) % 3]}) {
                    if (std::isnan(values[there])) continue;
                    sum[here] += values[there];
                    ++count[here];
                }
            }
        }
        open = false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (count[i] == 0) continue;
            values[i] = sum[i] / static_cast<float>(count[i]);
            open = true;
        }
    }
}

SceneValues worstFromTruth(const SceneMesh& mesh, const Nearest& fromTruth) {
    const SceneValues distances = roots(fromTruth.squaredDistance);
    SceneValues values(mesh.vertices.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < distances.size(); ++i) {
        float& value = values[fromTruth.index[i]];
        if (!(value >= distances[i])) value = distances[i];
    }
    fillFromNeighbours(values, mesh.faces);
    return values;
}

SceneValues worstAtStage(const Result& result, std::size_t stage) {
    return worstFromTruth(*result.morph.stages[stage].mesh, evaluationOf(result, stage)->fromTruth);
}

}  // namespace

QuantityInfo distanceToTruth() {
    return {
        .name = Quantities::tr("Distance to truth"),
        .unit = Quantities::tr("object units"),
        .explanation = Quantities::tr("From each vertex to the nearest true point, not squared"),
        .needsTruth = true,
        .ofMesh =
            [](const SceneMesh& mesh, const SceneMesh* truth) {
                return roots(nearestNeighbours(mesh.vertices, truth->vertices).squaredDistance);
            },
        .ofStage = [](const Result& result,
                      std::size_t stage) { return result.stageDistance[stage]; }};
}

QuantityInfo distanceFromTruth() {
    return {
        .name = Quantities::tr("Distance from truth"),
        .unit = Quantities::tr("object units"),
        .explanation = Quantities::tr("From each true point to the nearest vertex, not squared, "
                                      "and given to that vertex: the worst counts. A vertex that "
                                      "is nearest to none takes the mean of its neighbours"),
        .needsTruth = true,
        .ofMesh =
            [](const SceneMesh& mesh, const SceneMesh* truth) {
                return worstFromTruth(mesh, nearestNeighbours(truth->vertices, mesh.vertices));
            },
        .ofStage = worstAtStage,
        .whyNot =
            [](const Result& result, std::size_t stage) {
                return evaluationOf(result, stage) != nullptr
                           ? QString()
                           : Quantities::tr("Known for coarse, refined and fitted mesh only");
            },
        .ofTruth =
            [](const Result& result) {
                return roots(result.evaluation->result().fromTruth.squaredDistance);
            }};
}

}  // namespace threefold::ui::quantity
