#include "engine/measures/scores.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/geometry/surface_samples.h"
#include "engine/geometry/vertex_normals.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

constexpr const char* kPrediction = "prediction";
constexpr const char* kTruth = "truth";

/// Points of one side of a comparison. `points` and `normals` are views of the caller's data, or of
/// `samples` and `computedNormals`, whose elements a move does not relocate. One normal per point,
/// or none.
struct ScoredCloud {
    ScoredCloud() = default;
    ScoredCloud(ScoredCloud&&) noexcept = default;
    ScoredCloud(const ScoredCloud&) = delete;

    std::span<const glm::vec3> points;
    std::span<const glm::vec3> normals;
    SurfaceSamples samples;
    std::vector<glm::vec3> computedNormals;
};

void requireUsable(const ScoredShape& shape, const char* name) {
    if (shape.vertices.empty())
        throw InputError(
            {name, "", "has no points", "Measures need at least one point on both sides."});
    for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
        if (isFinite(shape.vertices[i])) continue;
        throw InputError({name, fmt::format("point {}", i), "has a coordinate that is not finite",
                          "Remove or repair it."});
    }
    if (!shape.normals.empty() && shape.normals.size() != shape.vertices.size())
        throw InputError({name, "",
                          fmt::format("has {} normals for {} points", shape.normals.size(),
                                      shape.vertices.size()),
                          "Give one normal for each point, or none."});
}

/// Calls `work`; sets the subject of its InputErrors to the side's name.
template <class Work>
auto named(const char* name, Work work) {
    try {
        return work();
    } catch (const InputError& error) {
        const ErrorReport& report = error.report();
        throw InputError({name, report.place, report.problem, report.remedy});
    }
}

ScoredCloud samplesOf(const ScoredShape& shape, const char* name) {
    const Mesh mesh{{shape.vertices.begin(), shape.vertices.end()},
                    {shape.faces.begin(), shape.faces.end()}};
    ScoredCloud side;
    side.samples = named(name, [&] { return sampleSurface(mesh); });
    side.points = side.samples.points;
    side.normals = side.samples.normals;
    return side;
}

ScoredCloud pointsOf(const ScoredShape& shape, const char* name) {
    ScoredCloud side;
    side.points = shape.vertices;
    side.normals = shape.normals;
    if (shape.normals.empty() && !shape.faces.empty()) {
        side.computedNormals =
            named(name, [&] { return vertexNormals(shape.vertices, shape.faces); });
        side.normals = side.computedNormals;
    }
    return side;
}

ScoredCloud sideOf(const ScoredShape& shape, Protocol protocol, const char* name) {
    requireUsable(shape, name);
    const bool sampled = protocol == Protocol::surface && !shape.faces.empty();
    return sampled ? samplesOf(shape, name) : pointsOf(shape, name);
}

/// Mean |cos| over pairs of neighbours that both have a normal; nullopt if there is no such pair.
std::optional<double> consistency(const ScoredCloud& from, const ScoredCloud& to,
                                  const Neighbours& nearest) {
    if (from.normals.empty() || to.normals.empty()) return std::nullopt;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < from.normals.size(); ++i) {
        const glm::dvec3 a = from.normals[i];
        const glm::dvec3 b = to.normals[nearest.indices[i]];
        const double lengths = glm::length(a) * glm::length(b);
        if (!(lengths > 0) || !std::isfinite(lengths)) continue;
        sum += std::min(1.0, std::abs(glm::dot(a, b)) / lengths);
        ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
}

double largestDistance(const Neighbours& nearest) {
    return std::sqrt(*std::ranges::max_element(nearest.squaredDistances));
}

EarthMoversDistance earthMovers(const PreparedPrediction& prediction,
                                const std::optional<EarthMoversDistance>& ofDevice,
                                const ScoreOptions& options) {
    if (!prediction.needsSinkhorn) {
        EarthMoversDistance result = exactEarthMoversDistance(prediction.clouds, options.cancel);
        result.lowerBound = result.distance;
        return result;
    }
    EarthMoversDistance result =
        ofDevice ? *ofDevice
                 : sinkhornDistance(prediction.clouds, {}, options.cancel, options.progress);
    result.lowerBound = std::min(result.lowerBound, result.distance);
    return result;
}

}  // namespace

struct PreparedPrediction::Parts {
    ScoredCloud cloud;
};

struct PreparedTruth::Parts {
    Parts(const ScoredShape& truth, ScoreOptions scoring)
        : options(std::move(scoring)), cloud(sideOf(truth, options.protocol, kTruth)) {}

    /// Index of the truth's points, built at the first call: a search on a device needs none.
    const NearestIndex& index() const {
        std::call_once(indexOnce, [this] { lazyIndex.emplace(cloud.points); });
        return *lazyIndex;
    }

    ScoreOptions options;
    ScoredCloud cloud;
    mutable std::once_flag indexOnce;
    mutable std::optional<NearestIndex> lazyIndex;
};

PreparedTruth::PreparedTruth(const ScoredShape& truth, const ScoreOptions& options) {
    requireThreshold(options.tau);
    parts_ = std::make_shared<const Parts>(truth, options);
}

PreparedPrediction PreparedTruth::prepare(const ScoredShape& prediction) const {
    const ScoreOptions& options = parts_->options;
    if (options.protocol == Protocol::surface && prediction.faces.empty()) {
        throw InputError({kPrediction, "", "has no faces, and the surface protocol samples them",
                          "Give a mesh, or use the published protocol."});
    }
    PreparedPrediction prepared;
    prepared.parts = std::make_shared<const PreparedPrediction::Parts>(
        PreparedPrediction::Parts{sideOf(prediction, options.protocol, kPrediction)});
    prepared.clouds = {prepared.parts->cloud.points, parts_->cloud.points};
    prepared.needsSinkhorn = options.measuresEarthMovers && !canSolveExactly(prepared.clouds);
    return prepared;
}

Scores PreparedTruth::score(const PreparedPrediction& prediction,
                            const DeviceResults& device) const {
    const ScoreOptions& options = parts_->options;
    const ScoredCloud& truth = parts_->cloud;
    const ScoredCloud& side = prediction.parts->cloud;
    std::optional<BidirectionalNeighbours> searched;
    if (!device.nearest) {
        searched = BidirectionalNeighbours{parts_->index().find(side.points),
                                           nearestNeighbours(truth.points, side.points)};
    }
    const auto& [toTruth, fromTruth] = searched ? *searched : *device.nearest;

    Scores scores;
    scores.protocol = options.protocol;
    scores.predictionPoints = side.points.size();
    scores.truthPoints = truth.points.size();
    scores.measures = chamferAndFScores(toTruth, fromTruth, options.tau);
    scores.hausdorffToTruth = largestDistance(toTruth);
    scores.hausdorffFromTruth = largestDistance(fromTruth);
    scores.hausdorff = std::max(scores.hausdorffToTruth, scores.hausdorffFromTruth);
    const std::optional<double> toTruthCosine = consistency(side, truth, toTruth);
    const std::optional<double> fromTruthCosine = consistency(truth, side, fromTruth);
    if (toTruthCosine && fromTruthCosine)
        scores.normalConsistency = (*toTruthCosine + *fromTruthCosine) / 2;
    if (options.measuresEarthMovers)
        scores.earthMovers = earthMovers(prediction, device.earthMovers, options);
    return scores;
}

Scores score(const ScoredShape& prediction, const ScoredShape& truth, const ScoreOptions& options) {
    return PreparedTruth(truth, options).score(prediction);
}

std::string_view protocolName(Protocol protocol) {
    return protocol == Protocol::surface ? "surface" : "published";
}

Protocol protocolFromName(std::string_view name) {
    for (const Protocol protocol : {Protocol::published, Protocol::surface})
        if (protocolName(protocol) == name) return protocol;
    throw UsageError({"`protocol`", std::string(name), "there is no such protocol",
                      "Use published or surface."});
}

std::string_view protocolDescription(Protocol protocol) {
    return protocol == Protocol::surface
               ? "10 000 points of each surface, even by area; a truth without faces by its points"
               : "the mesh's vertices against the points of the truth's file";
}

}  // namespace threefold
