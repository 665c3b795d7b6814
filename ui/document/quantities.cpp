#include "ui/document/quantities.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QCoreApplication>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/metrics/curvature.h"
#include "ui/document/comparison_values.h"
#include "ui/document/quantity_cache.h"

namespace threefold::ui {
namespace {

using render::SceneMesh;
using render::SceneValues;

constexpr std::size_t kCoarseStation = static_cast<std::size_t>(kWayCoarse);
constexpr std::size_t kLastStation = static_cast<std::size_t>(kWayRefined);

QString say(const char* text) {
    return QCoreApplication::translate("Quantities", text);
}

SceneValues distances(const Points& from, const Points& to) {
    SceneValues values(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) values[i] = glm::distance(from[i], to[i]);
    return values;
}

SceneValues roots(const std::vector<double>& squares) {
    SceneValues values(squares.size());
    std::transform(squares.begin(), squares.end(), values.begin(),
                   [](double square) { return static_cast<float>(std::sqrt(square)); });
    return values;
}

// Whoever is nearest to no true point takes the mean of its neighbours, ring by ring: a hole in the
// colouring would hide the triangles around it.
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

SceneValues worstFromTruth(const Nearest& fromTruth, const SceneMesh& mesh) {
    SceneValues values(mesh.vertices.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < fromTruth.index.size(); ++i) {
        float& value = values[fromTruth.index[i]];
        const auto distance = static_cast<float>(std::sqrt(fromTruth.squaredDistance[i]));
        if (!(value >= distance)) value = distance;
    }
    fillFromNeighbours(values, mesh.faces);
    return values;
}

SceneValues levels(const Result& result, std::size_t station) {
    const std::size_t first = result.reconstruction.level1.size();
    const std::size_t second = result.reconstruction.level2.size();
    SceneValues values(result.way.stations[station]->vertices.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i < first ? 1.0F : i < second ? 2.0F : 3.0F;
    }
    return values;
}

SceneValues ofStation(const Result& result, std::size_t station, Quantity quantity) {
    const Reconstruction& r = result.reconstruction;
    const SceneMesh& mesh = *result.way.stations[station];
    switch (quantity) {
        case Quantity::distanceToTruth:
            return result.wayDistance[station];
        case Quantity::distanceFromTruth: {
            const bool coarse = station == kCoarseStation;
            const auto& side = coarse ? result.evaluation->coarse : result.evaluation->refined;
            return worstFromTruth(side.fromTruth, mesh);
        }
        case Quantity::movement:
            return distances(r.coarse, r.refined);
        case Quantity::lastMovement:
            return distances(r.refined1, r.refined);
        case Quantity::curvature:
            return meanCurvature(mesh.vertices, mesh.faces);
        case Quantity::entropy:
            return station == kLastStation ? r.entropy2 : r.entropy1;
        case Quantity::level:
            return levels(result, station);
        case Quantity::none:
        case Quantity::normals:
            break;
    }
    return {};
}

QString noTruthReason(const Result& result) {
    return result.truthProblem ? say("The ground truth cannot be used")
                               : say("There is no ground truth to measure against");
}

// Why a station has no such values; empty where it has.
QString reasonAgainst(const Result& result, std::size_t station, Quantity quantity) {
    const Reconstruction& r = result.reconstruction;
    const std::size_t vertices = r.coarse.size();
    const bool before = station < kCoarseStation;
    switch (quantity) {
        case Quantity::distanceToTruth:
            if (result.wayDistance[station].empty()) return noTruthReason(result);
            break;
        case Quantity::distanceFromTruth:
            if (!result.evaluation) return noTruthReason(result);
            if (station != kCoarseStation && station != kLastStation) {
                return say("Known for the coarse and the refined mesh only");
            }
            break;
        case Quantity::movement:
        case Quantity::lastMovement:
            if (before) return say("Refinement moves the vertices of the coarse mesh");
            if (r.refined1.size() != vertices || r.refined.size() != vertices) {
                return say("There is no refined mesh");
            }
            break;
        case Quantity::entropy:
            if (before) return say("Refinement moves the vertices of the coarse mesh");
            if (r.entropy1.size() != vertices || r.entropy2.size() != vertices) {
                return say("This backend keeps the scores to itself; the processor's gives them");
            }
            break;
        case Quantity::level:
            if (r.level1.empty() || r.level2.empty()) {
                return say("This backend does not tell the levels apart");
            }
            break;
        case Quantity::none:
        case Quantity::normals:
        case Quantity::curvature:
            break;
    }
    return {};
}

SurfaceValues without(Quantity quantity, const QString& reason) {
    SurfaceValues values;
    const QuantityInfo info = quantityInfo(quantity);
    values.unit = info.unit;
    values.diverging = info.diverging;
    values.reason = reason;
    return values;
}

bool needsValues(Quantity quantity) {
    return quantity != Quantity::none && quantity != Quantity::normals;
}

SurfaceValues atStation(const Result& result, std::size_t station, Quantity quantity) {
    if (!result.way.stations[station]) return without(quantity, say("There is no such mesh"));
    const QString reason = reasonAgainst(result, station, quantity);
    if (!reason.isEmpty()) return without(quantity, reason);
    return result.quantities->find(station, quantity, [&] {
        return surfaceValuesOf(quantity, ofStation(result, station, quantity));
    });
}

SurfaceValues ofTruth(const Result& result, Quantity quantity) {
    if (quantity != Quantity::distanceFromTruth) {
        return without(quantity, say("A value of the meshes, not of the truth"));
    }
    if (!result.evaluation) return without(quantity, noTruthReason(result));
    return result.quantities->find(kWayStations, quantity, [&] {
        return surfaceValuesOf(quantity,
                               roots(result.evaluation->refined.fromTruth.squaredDistance));
    });
}

}  // namespace

QuantityInfo quantityInfo(Quantity quantity) {
    const QString distance = say("object units");
    switch (quantity) {
        case Quantity::none:
            return {.name = say("Plain"), .explanation = say("The surface in one colour")};
        case Quantity::distanceToTruth:
            return {.name = say("Distance to truth"),
                    .unit = distance,
                    .explanation = say("From each vertex to the nearest true point, not squared")};
        case Quantity::distanceFromTruth:
            return {.name = say("Distance from truth"),
                    .unit = distance,
                    .explanation = say("From each true point to the nearest vertex, not squared, "
                                       "and given to that vertex: the worst counts. A vertex that "
                                       "is nearest to none takes the mean of its neighbours")};
        case Quantity::movement:
            return {.name = say("Movement by refinement"),
                    .unit = distance,
                    .explanation = say("How far each vertex went from coarse to refined")};
        case Quantity::lastMovement:
            return {.name = say("Movement by the second step"),
                    .unit = distance,
                    .explanation = say("How far each vertex went from refined 1 to refined 2")};
        case Quantity::normals:
            return {.name = say("Normals"),
                    .explanation = say("The direction of the surface in world space: x, y and z "
                                       "as red, green and blue")};
        case Quantity::curvature:
            return {.name = say("Mean curvature"),
                    .unit = say("1 ÷ object unit"),
                    .explanation = say("By the cotangent Laplacian: positive where convex, "
                                       "negative where concave, 1 ÷ radius on a sphere"),
                    .diverging = true,
                    .fromZero = false,
                    .decimals = 1,
                    .tail = 20};
        case Quantity::entropy:
            return {.name = say("Entropy of the hypotheses"),
                    .unit = say("bits"),
                    .explanation = say("How undecided the refinement was between the 43 "
                                       "hypotheses around a vertex: 0 one took all, 5.43 all "
                                       "alike. Coarse: of the first step, refined: of the second"),
                    .fromZero = false,
                    .decimals = 2};
        case Quantity::level:
            break;
    }
    return {.name = say("Template level"),
            .explanation = say("The level of the template that a vertex came with: 1 has 156 "
                               "vertices, 2 has 618, 3 has 2466"),
            .steps = true,
            .decimals = 0};
}

SurfaceValues surfaceValuesOf(Quantity quantity, render::SceneValues values) {
    SurfaceValues out = without(quantity, {});
    auto sorted = std::make_shared<std::vector<float>>();
    sorted->reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(*sorted),
                 [](float value) { return std::isfinite(value); });
    std::sort(sorted->begin(), sorted->end());
    out.values = std::make_shared<const SceneValues>(std::move(values));
    out.sorted = std::move(sorted);
    return out;
}

SurfaceValues valuesOnWay(const Result& result, float way, Quantity quantity) {
    if (!needsValues(quantity) || !result.quantities) return without(quantity, {});
    const auto [from, share] = placeOnWay(result, way);
    if (share == 0) return atStation(result, from, quantity);
    const SurfaceValues start = atStation(result, from, quantity);
    const SurfaceValues end = atStation(result, from + 1, quantity);
    if (!start.values || !end.values) return start.values ? end : start;
    // A level is a name, not an amount: the finer mesh has its own from the first step on.
    if (quantityInfo(quantity).steps) return end;
    return result.quantities->findBetween({from, share}, quantity, [&, from = from, share = share] {
        SceneValues values = *start.values;
        for (const glm::u32vec2 edge : result.way.edges[from]) {
            values.push_back((values[edge.x] + values[edge.y]) * 0.5F);
        }
        if (values.size() != end.values->size()) return end;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = glm::mix(values[i], (*end.values)[i], share);
        }
        return surfaceValuesOf(quantity, std::move(values));
    });
}

SurfaceValues quantityValues(const Result& result, MeshRole role, Quantity quantity) {
    if (!needsValues(quantity) || !result.quantities) return without(quantity, {});
    switch (role) {
        case MeshRole::coarse:
            return atStation(result, kCoarseStation, quantity);
        case MeshRole::refined:
            return atStation(result, kLastStation, quantity);
        case MeshRole::truth:
            return ofTruth(result, quantity);
        case MeshRole::comparison:
            break;
    }
    return without(quantity, say("There is no such mesh"));
}

SurfaceValues surfaceValues(const Document& document, MeshRole role, Quantity quantity) {
    if (!needsValues(quantity)) return without(quantity, {});
    if (role == MeshRole::comparison) {
        const ComparisonValues* comparison = ComparisonValues::find(document);
        return comparison != nullptr ? comparison->values(quantity)
                                     : without(quantity, say("There is no such mesh"));
    }
    if (!document.result()) return without(quantity, say("Nothing reconstructed yet"));
    return role == MeshRole::refined
               ? valuesOnWay(*document.result(), document.look().way, quantity)
               : quantityValues(*document.result(), role, quantity);
}

QString whyUnavailable(const Document& document, Quantity quantity) {
    if (!needsValues(quantity)) return {};
    if (document.comparison()) {
        const ComparisonValues* comparison = ComparisonValues::find(document);
        if (comparison != nullptr && comparison->possible(quantity)) return {};
    }
    const ResultRef& result = document.result();
    if (!result || !result->quantities) return say("Nothing reconstructed yet");
    QString reason;
    for (const std::size_t station : {kLastStation, kCoarseStation}) {
        if (!result->way.stations[station]) continue;
        reason = reasonAgainst(*result, station, quantity);
        if (reason.isEmpty()) break;
    }
    return reason;
}

Look withQuantity(Look look, Quantity quantity) {
    if (quantity != look.quantity && look.range == RangeMode::manual) {
        look.range = RangeMode::shared;
    }
    look.quantity = quantity;
    return look;
}

SurfaceValues surfaceValues(const Document& document, MeshRole role) {
    return surfaceValues(document, role, document.look().quantity);
}

}  // namespace threefold::ui
