#pragma once

#include <span>

#include "engine/fitting/fit_mesh.h"
#include "engine/metrics/matching.h"
#include "engine/metrics/nearest.h"

namespace threefold {

/// Operations on meshes after the network, for fits and measures, which a device may speed up. The
/// functions of MeshOperations itself run on the processor. For one thread at a time. Each function
/// throws the errors of the engine's function named beside it, and DeviceError where a device
/// fails.
class MeshOperations {
  public:
    MeshOperations() = default;
    MeshOperations(const MeshOperations&) = delete;
    MeshOperations& operator=(const MeshOperations&) = delete;
    virtual ~MeshOperations() = default;

    /// Fits a mesh to photographs (fitMesh()). Where the device is lost and another takes over, or
    /// it has too little memory, progress begins again.
    virtual FitResult fit(const Points& start, const fitting::MeshLevels& levels,
                          const Camera& space, std::span<const MaskedView> views,
                          const FitOptions& options);
    /// Exact nearest neighbours both ways (nearestBothWays()).
    virtual NearestBatch nearest(std::span<const CloudPair> pairs);
    /// The earth mover's distance (approximateMatchings()).
    virtual MatchingBatch match(std::span<const CloudPair> pairs, const MatchingSchedule& schedule);
};

}  // namespace threefold
