#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <glm/vec3.hpp>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nlohmann/json.hpp>

#include "engine/comparison/compare_runs.h"
#include "engine/comparison/comparison_page.h"
#include "engine/comparison/comparison_tables.h"
#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/measures/earth_movers.h"
#include "engine/measures/measure_table.h"
#include "engine/measures/truth_distances.h"
#include "python/interruptible.h"
#include "python/module.h"
#include "python/numbers.h"
#include "python/samples.h"

namespace threefold::python {
namespace {

namespace fs = std::filesystem;

/// Truth of a caller: one that the engine has read, or a mesh or points.
using GivenTruth = std::variant<const GroundTruth*, GivenMesh>;

/// Copies a caller's truth. The points of a mesh with faces are its vertices, not samples.
GroundTruth truthOf(const GivenTruth& given) {
    if (const auto* read = std::get_if<const GroundTruth*>(&given)) return **read;
    const RelativeMesh mesh(std::get<GivenMesh>(given));
    const ScoredShape shape = mesh.shape();
    GroundTruth truth;
    truth.origin = mesh.origin();
    truth.points.assign(shape.vertices.begin(), shape.vertices.end());
    truth.normals.assign(shape.normals.begin(), shape.normals.end());
    if (!shape.faces.empty()) truth.surface = mesh.copy();
    return truth;
}

/// A caller's mesh, moved to the origin of the truth with which it is compared.
RelativeMesh relativeTo(const glm::dvec3& origin, const GivenMesh& given) {
    RelativeMesh mesh(given);
    mesh.moveTo(origin);
    return mesh;
}

/// Distances of the vertices from the surface of `truth`, or from its points if it has no faces.
/// Throws InputError.
std::vector<float> vertexDistances(std::span<const glm::vec3> vertices, const GroundTruth& truth,
                                   bool withSign) {
    const Mesh& surface = truth.surface;
    requireValidFaces(surface.vertices.size(), surface.faces);
    const std::span<const glm::vec3> ofTruth =
        surface.faces.empty() ? truth.points : surface.vertices;
    for (const auto& [name, points] : {std::pair{"mesh", vertices}, std::pair{"truth", ofTruth}}) {
        if (points.empty()) throw InputError({name, "", "has no points", "Pass some."});
        if (!std::ranges::all_of(points, isFinite))
            throw InputError({name, "", "has a coordinate that is not finite", "Repair it."});
    }
    const TruthDistances distances(truth);
    if (withSign && !distances.areFromSurface())
        throw InputError({"truth", "", "has points alone, without an inside",
                          "Pass one with faces, or signed=False."});
    return withSign ? distances.signedDistancesOf(vertices) : distances.distancesOf(vertices);
}

nb::dict scoresDict(const Scores& scores, double tau) {
    nb::dict values;
    values["protocol"] = std::string(protocolName(scores.protocol));
    values["tau"] = tau;
    values["points"] = nb::make_tuple(scores.predictionPoints, scores.truthPoints);
    for (const TruthMeasure& measure : truthMeasures())
        values[nb::cast(std::string(measure.key))] = measure.value(scores);
    if (scores.earthMovers) values["emd_exact"] = scores.earthMovers->isExact;
    return values;
}

/// Scores of a mesh. Throws UsageError, and InputError as score() and vertexDistances().
nb::dict scoreMesh(const GivenMesh& given, const GivenTruth& givenTruth, double tau,
                   const std::string& protocol, bool emd) {
    requireNumber("tau", tau, std::numeric_limits<double>::min(), kMaxTau);
    ScoreOptions options{protocolFromName(protocol), tau, emd, {}, {}};
    std::optional<DistanceSummary> summary;
    const Scores scores = interruptible([&](const std::stop_token& cancel) {
        options.cancel = cancel;
        const GroundTruth truth = truthOf(givenTruth);
        const RelativeMesh mesh = relativeTo(truth.origin, given);
        const bool hasFaces = !truth.surface.faces.empty();
        SurfaceSamples samples;
        ScoredShape points{truth.points, {}, truth.normals};
        if (hasFaces && std::holds_alternative<GivenMesh>(givenTruth)) {
            samples = sampleSurface(truth.surface);
            points = {samples.points, {}, samples.normals};
        }
        Scores found = score(mesh.shape(), points, options);
        if (hasFaces)
            summary = distanceSummaryOf(vertexDistances(mesh.shape().vertices, truth, false));
        return found;
    });
    nb::dict values = scoresDict(scores, tau);
    for (const SurfaceMeasure& measure : surfaceMeasures())
        values[nb::cast(std::string(measure.key))] =
            summary ? std::optional(measure.value(*summary)) : std::nullopt;
    return values;
}

auto distances(const GivenMesh& mesh, const GivenTruth& given, bool withSign) {
    return ownedArray<float>(interruptible([&](const std::stop_token&) {
        const GroundTruth truth = truthOf(given);
        return vertexDistances(relativeTo(truth.origin, mesh).shape().vertices, truth, withSign);
    }));
}

/// Squared distances from the nearest reference points, and these points' indices.
nb::tuple nearest(const GivenMesh& queries, const GivenMesh& reference) {
    Neighbours result = interruptible([&](const std::stop_token&) {
        const RelativeMesh to(reference);
        const RelativeMesh from = relativeTo(to.origin(), queries);
        return nearestNeighbours(from.shape().vertices, to.shape().vertices);
    });
    return nb::make_tuple(ownedArray<double>(std::move(result.squaredDistances)),
                          ownedArray<std::uint32_t>(std::move(result.indices)));
}

/// Returns the distance, its lower bound, and whether the distance is exact.
nb::tuple earthMoversDistance(const GivenMesh& first, const GivenMesh& second) {
    const EarthMoversDistance result = interruptible([&](const std::stop_token& cancel) {
        const RelativeMesh to(second);
        const RelativeMesh from = relativeTo(to.origin(), first);
        const CloudPair clouds{from.shape().vertices, to.shape().vertices};
        return canSolveExactly(clouds) ? exactEarthMoversDistance(clouds, cancel)
                                       : sinkhornDistance(clouds, {}, cancel);
    });
    return nb::make_tuple(result.distance, std::min(result.lowerBound, result.distance),
                          result.isExact);
}

/// JSON text of the comparison of two runs; writes the page into `page` unless it is nullopt.
std::string compare(const fs::path& first, const fs::path& second, const std::string& protocol,
                    const std::optional<fs::path>& page) {
    return interruptible([&](const std::stop_token&) {
        const std::vector<ComparedRun> runs = {readRun(first), readRun(second)};
        const std::vector comparisons = {compareRuns(runs[0], runs[1], protocolFromName(protocol))};
        if (page) writeComparisonPage(*page, runs, comparisons, 0, {});
        return comparisonJson(runs[0], runs[1], comparisons[0]).dump();
    });
}

}  // namespace

void defineMeasures(nb::module_& module) {
    const ScoreOptions options;
    module.attr("DEFAULT_TAU") = options.tau;
    module.attr("DEFAULT_PROTOCOL") = std::string(protocolName(options.protocol));
    module.def("score", &scoreMesh, nb::arg("mesh"), nb::arg("truth"), nb::arg("tau"),
               nb::arg("protocol"), nb::arg("emd"));
    module.def("distances", &distances, nb::arg("mesh"), nb::arg("truth"), nb::arg("signed"));
    module.def("nearest", &nearest, nb::arg("queries"), nb::arg("reference"));
    module.def("emd", &earthMoversDistance, nb::arg("first"), nb::arg("second"));
    module.def("compare", &compare, nb::arg("first"), nb::arg("second"), nb::arg("protocol"),
               nb::arg("page").none());
}

}  // namespace threefold::python
