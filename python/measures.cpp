#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nlohmann/json.hpp>

#include "engine/comparison/compare_runs.h"
#include "engine/comparison/comparison_page.h"
#include "engine/comparison/comparison_tables.h"
#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"
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

GroundTruth truthOf(const GivenMesh& given) {
    GroundTruth truth;
    const Mesh mesh = meshOf(given);
    truth.points = mesh.vertices;
    if (!mesh.faces.empty()) truth.surface = mesh;
    return truth;
}

/// Distances of the vertices from the surface of `truth`, or from its points if it has no faces.
/// Throws InputError.
std::vector<float> vertexDistances(const GivenMesh& given, const GivenMesh& truth, bool withSign) {
    const GroundTruth whole = truthOf(truth);
    requireValidFaces(whole.surface.vertices.size(), whole.surface.faces);
    for (const auto& [name, mesh] : {std::pair{"mesh", &given}, std::pair{"truth", &truth}}) {
        const ScoredShape shape = scoredShapeOf(*mesh);
        if (shape.vertices.empty()) throw InputError({name, "", "has no points", "Pass some."});
        if (!std::ranges::all_of(shape.vertices, isFinite))
            throw InputError({name, "", "has a coordinate that is not finite", "Repair it."});
    }
    const TruthDistances distances(whole);
    if (withSign && !distances.areFromSurface())
        throw InputError({"truth", "", "has points alone, without an inside",
                          "Pass one with faces, or signed=False."});
    const ScoredShape mesh = scoredShapeOf(given);
    return withSign ? distances.signedDistancesOf(mesh.vertices)
                    : distances.distancesOf(mesh.vertices);
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

/// Scores of a mesh. `surface`: the truth's mesh if `truth` holds only points sampled on it. Throws
/// UsageError, and InputError as score() and vertexDistances().
nb::dict scoreMesh(const GivenMesh& given, const GivenMesh& truth, double tau,
                   const std::string& protocol, bool emd, const std::optional<GivenMesh>& surface) {
    requireNumber("tau", tau, std::numeric_limits<double>::min(), kMaxTau);
    ScoreOptions options{protocolFromName(protocol), tau, emd, {}, {}};
    const Scores scores = interruptible([&](const std::stop_token& cancel) {
        options.cancel = cancel;
        if (!std::get<1>(truth)) return score(scoredShapeOf(given), scoredShapeOf(truth), options);
        const SurfaceSamples samples = sampleSurface(meshOf(truth));
        return score(scoredShapeOf(given), {samples.points, {}, samples.normals}, options);
    });
    std::optional<DistanceSummary> summary;
    const GivenMesh& whole = surface ? *surface : truth;
    if (const ScoredShape shape = scoredShapeOf(whole); !shape.faces.empty())
        summary = interruptible([&](const std::stop_token&) {
            return distanceSummaryOf(vertexDistances(given, whole, false));
        });
    nb::dict values = scoresDict(scores, tau);
    for (const SurfaceMeasure& measure : surfaceMeasures())
        values[nb::cast(std::string(measure.key))] =
            summary ? std::optional(measure.value(*summary)) : std::nullopt;
    return values;
}

auto distances(const GivenMesh& mesh, const GivenMesh& truth, bool withSign) {
    return ownedArray<float>(interruptible(
        [&](const std::stop_token&) { return vertexDistances(mesh, truth, withSign); }));
}

/// Squared distances from the nearest reference points, and these points' indices.
nb::tuple nearest(const InputRows<float>& queries, const InputRows<float>& reference) {
    Neighbours result = interruptible([&](const std::stop_token&) {
        return nearestNeighbours(spanOf<glm::vec3>(queries), spanOf<glm::vec3>(reference));
    });
    return nb::make_tuple(ownedArray<double>(std::move(result.squaredDistances)),
                          ownedArray<std::uint32_t>(std::move(result.indices)));
}

/// Returns the distance, its lower bound, and whether the distance is exact.
nb::tuple earthMoversDistance(const InputRows<float>& first, const InputRows<float>& second) {
    const CloudPair clouds{spanOf<glm::vec3>(first), spanOf<glm::vec3>(second)};
    const EarthMoversDistance result = interruptible([&](const std::stop_token& cancel) {
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
    module.def("score", &scoreMesh, nb::arg("mesh"), nb::arg("truth"), nb::arg("tau"),
               nb::arg("protocol"), nb::arg("emd"), nb::arg("surface").none());
    module.def("distances", &distances, nb::arg("mesh"), nb::arg("truth"), nb::arg("signed"));
    module.def("nearest", &nearest, nb::arg("queries"), nb::arg("reference"));
    module.def("emd", &earthMoversDistance, nb::arg("first"), nb::arg("second"));
    module.def("compare", &compare, nb::arg("first"), nb::arg("second"), nb::arg("protocol"),
               nb::arg("page").none());
}

}  // namespace threefold::python
