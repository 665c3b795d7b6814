#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/board/bundle_adjustment.h"

namespace threefold::board {

/// Poses from which a bundle adjustment starts; nullopt where none is found.
struct StartPoses {
    std::vector<std::optional<RigidTransform>> photographs;  ///< world → camera
    std::vector<std::optional<RigidTransform>> markers;      ///< marker → world
};

/// Finds the pose of each photograph, independently of the others, from the homography between the
/// printed board and its picture. `markerIds`: id of each of the problem's markers, all of them on
/// the board. All markers get their printed pose.
StartPoses startPosesFromBoard(const BundleAdjustmentProblem& problem,
                               std::span<const int> markerIds);

/// Chains poses from marker to photograph and from photograph to marker, largest observations (by
/// their shorter diagonal) first. Marker 0 is the world. Call removeDegenerateObservations() first.
/// Photographs and markers that no chain connects with marker 0 get no pose.
StartPoses startPosesFromMarkers(const BundleAdjustmentProblem& problem, std::size_t markerCount);

/// Removes the observations of markers seen edge-on, whose own four corners give no pose.
void removeDegenerateObservations(BundleAdjustmentProblem& problem);

}  // namespace threefold::board
