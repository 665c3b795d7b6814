#include "app/score/vertex_distances.h"

#include <algorithm>
#include <numeric>

#include "engine/error.h"

namespace threefold {

VertexDistances vertexDistances(const ScoreRequest& request, const LoadedMesh& mesh,
                                const GroundTruth& truth) {
    const TruthDistances distances(truth);
    VertexDistances found;
    if (request.withSign && !distances.areFromSurface())
        throw InputError({truth.source.string(), "", "has points alone, without an inside",
                          "Leave out --signed, or name a truth with faces."});
    if (!distances.areFromSurface() && request.output.empty()) return found;
    found.all = distances.of(mesh.vertices);
    if (distances.areFromSurface()) found.summary = summaryOf(found.all);
    if (request.withSign) found.all = distances.signedOf(mesh.vertices);
    return found;
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
