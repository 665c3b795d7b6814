#pragma once

#include <cstddef>
#include <vector>

#include "engine/board/adjustment.h"
#include "engine/board/collected_markers.h"
#include "engine/board/start_poses.h"

namespace threefold::board {

/// Reprojection error of one photograph.
struct PhotographError {
    double reprojectionError = 0;  ///< RMS over the corners, without outliers, pixels
    std::size_t markerCount = 0;   ///< markers that are no outliers
};

/// A bundle adjustment in which each photograph has a pose and each marker an observation, and the
/// photographs and markers that its indices mean. At least one observation.
class Bundle {
  public:
    /// Keeps the photographs and markers that have start poses. At least one photograph has one.
    Bundle(CollectedMarkers collected, const StartPoses& start);

    /// Solves for the state, see adjustBundle().
    void adjust(const std::stop_token& cancel) { adjustBundle(problem_, state_, cancel); }

    const BundleAdjustmentProblem& problem() const { return problem_; }
    const BundleAdjustmentState& state() const { return state_; }
    /// Caller's index of each photograph.
    const std::vector<std::size_t>& photographs() const { return photographs_; }
    /// Id of each marker.
    const std::vector<int>& markerIds() const { return markerIds_; }

    PhotographError errorOf(std::size_t photograph) const;

    /// Keeps the photographs for which `isKept` is true, at least one, and the markers that they
    /// show. If the poses of markers are solved for and the first marker is not among them, the
    /// marker seen most often takes its place, and its coordinate system becomes the world.
    void keepPhotographs(const std::vector<bool>& isKept);

  private:
    void removePhotographs(const std::vector<bool>& isKept);
    void removeUnobservedMarkers();
    void makeFirst(std::size_t marker);

    BundleAdjustmentProblem problem_;
    BundleAdjustmentState state_;
    std::vector<std::size_t> photographs_;
    std::vector<int> markerIds_;
};

/// Index of the marker with the most observations, the first of several; markerCount > 0.
std::size_t markerSeenMost(const BundleAdjustmentProblem& problem, std::size_t markerCount);

/// Exchanges the indices of two markers in the observations and the ids.
void swapMarkers(BundleAdjustmentProblem& problem, std::vector<int>& markerIds, std::size_t first,
                 std::size_t second);

}  // namespace threefold::board
