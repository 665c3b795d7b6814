#pragma once

#include <cstddef>
#include <vector>

#include "engine/board/bundle_adjustment.h"
#include "engine/board/indexed_problem.h"
#include "engine/board/start_poses.h"

namespace threefold::board {

/// Reprojection error of one photograph, without its outliers: markers whose error is above six
/// times the median.
struct PhotoError {
    double reprojectionError = 0;  ///< RMS over the markers' corners, pixels
    std::size_t markerCount = 0;   ///< number of markers, without the outliers
};

/// Solves a bundle adjustment, in which every photograph has a pose and every marker is observed at
/// least once, and can remove photographs from it. The lenses of removed photographs stay; a lens
/// that no remaining photograph has is determined by its prior alone.
class BundleAdjuster {
  public:
    /// Keeps the photographs and markers that have start poses: at least one photograph, with at
    /// least one observation.
    BundleAdjuster(IndexedProblem indexed, const StartPoses& start);

    /// Solves for the state, see adjustBundle().
    void adjust(const std::stop_token& cancel) { adjustBundle(indexed_.problem, state_, cancel); }

    const BundleAdjustmentProblem& problem() const { return indexed_.problem; }
    const BundleAdjustmentState& state() const { return state_; }
    /// Caller's index of each photograph.
    const std::vector<std::size_t>& photoIndices() const { return indexed_.photoIndices; }
    /// Id of each marker.
    const std::vector<int>& markerIds() const { return indexed_.markerIds; }

    PhotoError photoErrorOf(std::size_t photograph) const;

    /// Keeps the photographs for which `isKept` is true, at least one, and the markers that these
    /// photographs show. If marker poses are solved for and the first marker is removed, the marker
    /// seen most often becomes the first, and its coordinate system becomes the world.
    void keepPhotographs(const std::vector<bool>& isKept);

  private:
    void removePhotographs(const std::vector<bool>& isKept);
    void removeUnobservedMarkers();
    void makeFirst(std::size_t marker);

    IndexedProblem indexed_;
    BundleAdjustmentState state_;
};

}  // namespace threefold::board
