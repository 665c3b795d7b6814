#pragma once

#include <span>

#include "engine/fitting/fit_mesh.h"
#include "engine/geometry/nearest.h"
#include "engine/measures/earth_movers.h"

namespace threefold {

/// Mesh operations of fits and measures that a device may accelerate. This base class runs them on
/// the processor. One thread at a time. Each function throws as the engine's function in brackets
/// does, and DeviceError if a device fails.
class MeshOperations {
  public:
    MeshOperations() = default;
    MeshOperations(const MeshOperations&) = delete;
    MeshOperations& operator=(const MeshOperations&) = delete;
    virtual ~MeshOperations() = default;

    /// Fits a mesh to photographs (fitMesh()). Progress restarts if the device has too little
    /// memory, or is lost and another takes over.
    virtual FitResult fit(const Points& start, const fitting::MeshLevels& levels,
                          const Pose& meshPose, std::span<const MaskedView> views,
                          const FitOptions& options);
    /// Exact nearest neighbours in both directions (bidirectionalNeighbours()).
    virtual NeighbourResults nearestNeighbours(std::span<const CloudPair> pairs);
    /// The earth mover's distance (sinkhornDistances()).
    virtual TransportResults earthMoversDistances(std::span<const CloudPair> pairs,
                                                  const SinkhornSchedule& schedule);
};

}  // namespace threefold
