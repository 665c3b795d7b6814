#include "app/score/vertex_distances.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/geometry/mesh_properties.h"

namespace threefold {

VertexDistances vertexDistances(const ScoreRequest& request, const LoadedMesh& mesh,
                                const GroundTruth& truth) {
    const TruthDistances distances(truth);
    VertexDistances found;
    if (request.withSign && !distances.areFromSurface())
        throw InputError({truth.source.string(), "", "has points alone, without an inside",
                          "Leave out --signed, or name a truth with faces."});
    if (!distances.areFromSurface() && request.output.empty()) return found;
    found.all = distances.distancesOf(mesh.vertices);
    if (distances.areFromSurface()) found.summary = distanceSummaryOf(found.all);
    if (request.withSign) found.all = distances.signedDistancesOf(mesh.vertices);
    return found;
}

std::string signWarning(const GroundTruth& truth) {
    const Mesh& surface = truth.surface;
    const EnclosureDefects defects = enclosureDefects(surface.vertices, surface.faces);
    if (!defects.any()) return {};
    std::string text;
    const auto add = [&](std::size_t count, const char* one, const char* several) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : several);
    };
    add(defects.boundaryEdgeCount, "edge has one face", "edges have one face");
    add(defects.nonManifoldEdgeCount, "edge has three or more faces",
        "edges have three or more faces");
    add(defects.misorientedEdgeCount, "edge has faces of opposite orientations",
        "edges have faces of opposite orientations");
    add(defects.intersectingFaceCount, "face intersects or touches others",
        "faces intersect or touch others");
    add(defects.misorientedComponentCount, "part has faces that point inward, or no inside",
        "parts have faces that point inward, or no inside");
    return fmt::format(
        "{}: {}: signs of distances from such a surface are wrong in places. Close it, remove "
        "inner "
        "faces, and turn all faces outward.",
        truth.source.string(), text);
}

std::optional<SignedSummary> signedSummary(const ScoreRequest& request,
                                           const VertexDistances& distances) {
    if (!request.withSign) return std::nullopt;
    const std::vector<float>& all = distances.all;
    const auto [low, high] = std::ranges::minmax(all);
    const auto count = static_cast<double>(all.size());
    return SignedSummary{
        std::accumulate(all.begin(), all.end(), 0.0) / count, low, high,
        static_cast<double>(std::ranges::count_if(all, [](float each) { return each < 0; })) /
            count};
}

}  // namespace threefold
