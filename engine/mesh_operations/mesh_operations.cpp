#include "engine/mesh_operations/mesh_operations.h"

namespace threefold {

FitResult MeshOperations::fit(const Points& start, const fitting::MeshLevels& levels,
                              const Pose& meshPose, std::span<const MaskedView> views,
                              const FitOptions& options) {
    return fitMesh(start, levels, meshPose, views, options);
}

NeighbourResults MeshOperations::nearestNeighbours(std::span<const CloudPair> pairs) {
    return bidirectionalNeighbours(pairs);
}

TransportResults MeshOperations::earthMoversDistances(std::span<const CloudPair> pairs,
                                                      const SinkhornSchedule& schedule) {
    return sinkhornDistances(pairs, schedule);
}

}  // namespace threefold
