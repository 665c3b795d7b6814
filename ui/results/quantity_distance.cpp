#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/nearest.h"
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

SceneValues asFloats(const std::vector<double>& numbers) {
    SceneValues values(numbers.size());
    std::ranges::transform(numbers, values.begin(),
                           [](double number) { return static_cast<float>(number); });
    return values;
}

// Gives each vertex without a value (nearest to no true point) the mean value of its neighbours,
// ring by ring, because a vertex without a value would leave the triangles around it uncoloured.
void fillFromNeighbours(SceneValues& values, const Faces& faces) {
    std::vector<float> sum(values.size());
    std::vector<int> count(values.size());
    bool changed = true;
    while (changed) {
        std::fill(sum.begin(), sum.end(), 0.0F);
        std::fill(count.begin(), count.end(), 0);
        for (const glm::u32vec3& face : faces) {
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t vertex = face[i];
                if (!std::isnan(values[vertex])) continue;
                for (const std::uint32_t neighbour : {face[(i + 1) % 3], face[(i + 2) % 3]}) {
                    if (std::isnan(values[neighbour])) continue;
                    sum[vertex] += values[neighbour];
                    ++count[vertex];
                }
            }
        }
        changed = false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (count[i] == 0) continue;
            values[i] = sum[i] / static_cast<float>(count[i]);
            changed = true;
        }
    }
}

SceneValues worstFromTruth(const SceneMesh& mesh, const Neighbours& fromTruth) {
    const SceneValues distances = roots(fromTruth.squaredDistances);
    SceneValues values(mesh.vertices.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < distances.size(); ++i) {
        float& value = values[fromTruth.indices[i]];
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
        .explanation = Quantities::tr("From each vertex to the truth's surface, or to the nearest "
                                      "true point where it has no faces; not squared"),
        .needsTruth = true,
        .ofMesh =
            [](const SceneMesh& mesh, const TruthShape& truth) {
                if (truth.surface) return asFloats(truth.surface->distances(mesh.vertices));
                return roots(
                    nearestNeighbours(mesh.vertices, truth.points->vertices).squaredDistances);
            },
        .ofStage = [](const Result& result,
                      std::size_t stage) { return result.truth->stageDistance[stage]; }};
}

QuantityInfo signedDistance() {
    return {.name = Quantities::tr("Signed distance to truth"),
            .unit = Quantities::tr("object units"),
            .explanation = Quantities::tr("From each vertex to the truth's surface: negative where "
                                          "the vertex is inside. For a truth with faces that "
                                          "enclose a volume"),
            .diverging = true,
            .fromZero = false,
            .needsTruth = true,
            .needsTruthSurface = true,
            .ofMesh = [](const SceneMesh& mesh, const TruthShape& truth) {
                return asFloats(truth.surface->signedDistances(mesh.vertices));
            }};
}

QuantityInfo distanceFromTruth() {
    return {
        .name = Quantities::tr("Distance from truth"),
        .unit = Quantities::tr("object units"),
        .explanation = Quantities::tr(
            "Largest distance of the true points to which a vertex is the nearest, not squared. A "
            "vertex that is nearest to no true point has the mean of its neighbours"),
        .needsTruth = true,
        .ofMesh =
            [](const SceneMesh& mesh, const TruthShape& truth) {
                return worstFromTruth(mesh,
                                      nearestNeighbours(truth.points->vertices, mesh.vertices));
            },
        .ofStage = worstAtStage,
        .missingReason =
            [](const Result& result, std::size_t stage) {
                return evaluationOf(result, stage) != nullptr
                           ? QString()
                           : Quantities::tr("Exists only for the coarse mesh and later stages");
            },
        .ofTruth =
            [](const Result& result) {
                const render::SceneMeshRef& surface = result.truth->surface;
                if (!surface)
                    return roots(result.evaluation()->result().fromTruth.squaredDistances);
                return roots(
                    nearestNeighbours(surface->vertices, result.mesh(MeshId::result)->vertices)
                        .squaredDistances);
            }};
}

}  // namespace threefold::ui::quantity
