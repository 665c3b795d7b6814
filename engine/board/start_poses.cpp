#include "engine/board/start_poses.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/board_layout.h"
#include "engine/board/homography.h"
#include "engine/board/square_corners.h"

namespace threefold::board {
namespace {

const RadialLens& initialLens(const BundleAdjustmentProblem& problem, std::size_t photograph) {
    return problem.lensPriors[problem.lensIndices[photograph]].mean;
}

/// Whether three corners lie nearly in a line, so that the homography to the corners is singular up
/// to rounding.
bool hasCollinearCorners(const SquareCorners& corners) {
    // Doubled area of a triangle, as a fraction of the longer diagonal's squared length.
    constexpr double kMinDoubledArea = 1e-3;
    const double diagonal =
        std::max(glm::length(corners[2] - corners[0]), glm::length(corners[3] - corners[1]));
    for (std::size_t k = 0; k < 4; ++k) {
        const glm::dvec2 a = corners[(k + 1) % 4] - corners[k];
        const glm::dvec2 b = corners[(k + 2) % 4] - corners[k];
        if (!(std::abs(a.x * b.y - a.y * b.x) > kMinDoubledArea * diagonal * diagonal)) return true;
    }
    return false;
}

/// Pose of a marker in camera space, from its own four corners; nullopt if three of them lie in a
/// line.
std::optional<RigidTransform> poseInCamera(const BundleAdjustmentProblem& problem,
                                           const MarkerObservation& observed) {
    if (hasCollinearCorners(observed.corners)) return std::nullopt;
    std::vector<glm::dvec2> from;
    from.reserve(kUnitMarkerCorners.size());
    for (const glm::dvec2& corner : kUnitMarkerCorners)
        from.push_back(corner * (problem.markerSide / 2));
    const std::optional<glm::dmat3> homography =
        findHomography(from, {observed.corners.begin(), observed.corners.end()});
    if (!homography) return std::nullopt;
    return poseFromHomography(*homography, initialLens(problem, observed.photoIndex));
}

/// Length of the shorter diagonal, pixels.
double extentOf(const MarkerObservation& observed) {
    return std::min(glm::length(observed.corners[2] - observed.corners[0]),
                    glm::length(observed.corners[3] - observed.corners[1]));
}

/// The largest observation of which either the photograph or the marker has a pose, but not both;
/// nullptr if there is none.
const MarkerObservation* nextObservation(const BundleAdjustmentProblem& problem,
                                         const StartPoses& poses) {
    const MarkerObservation* next = nullptr;
    for (const MarkerObservation& observed : problem.observations)
        if (poses.photographs[observed.photoIndex].has_value() !=
                poses.markers[observed.markerIndex].has_value() &&
            (next == nullptr || extentOf(observed) > extentOf(*next)))
            next = &observed;
    return next;
}

}  // namespace

StartPoses startPosesFromBoard(const BundleAdjustmentProblem& problem,
                               std::span<const int> markerIds) {
    StartPoses poses;
    for (const int id : markerIds)
        poses.markers.push_back(
            RigidTransform{glm::dmat3(1.0), glm::dvec3(markerCentre(id).value(), 0)});
    for (std::size_t photograph = 0; photograph < problem.lensIndices.size(); ++photograph) {
        std::vector<glm::dvec2> from;
        std::vector<glm::dvec2> to;
        for (const MarkerObservation& observed : observationsOf(problem, photograph))
            for (std::size_t k = 0; k < 4; ++k) {
                from.push_back(glm::dvec2(poses.markers[observed.markerIndex]->translation) +
                               kUnitMarkerCorners[k] * (problem.markerSide / 2));
                to.push_back(observed.corners[k]);
            }
        const std::optional<glm::dmat3> homography = findHomography(from, to);
        std::optional<RigidTransform>& pose = poses.photographs.emplace_back();
        if (homography) pose = poseFromHomography(*homography, initialLens(problem, photograph));
    }
    return poses;
}

StartPoses startPosesFromMarkers(const BundleAdjustmentProblem& problem, std::size_t markerCount) {
    StartPoses poses;
    poses.photographs.resize(problem.lensIndices.size());
    poses.markers.resize(markerCount);
    if (markerCount == 0) return poses;
    poses.markers[0] = RigidTransform{};
    while (const MarkerObservation* next = nextObservation(problem, poses)) {
        const RigidTransform inCamera = poseInCamera(problem, *next).value();
        std::optional<RigidTransform>& markerPose = poses.markers[next->markerIndex];
        std::optional<RigidTransform>& pose = poses.photographs[next->photoIndex];
        if (pose) {
            const glm::dmat3 toWorld = glm::transpose(pose->rotation);
            markerPose = {toWorld * inCamera.rotation,
                          toWorld * (inCamera.translation - pose->translation)};
        } else {
            const glm::dmat3 rotation = inCamera.rotation * glm::transpose(markerPose->rotation);
            pose = {rotation, inCamera.translation - rotation * markerPose->translation};
        }
    }
    return poses;
}

void removeDegenerateObservations(BundleAdjustmentProblem& problem) {
    std::erase_if(problem.observations, [&](const MarkerObservation& observed) {
        return !poseInCamera(problem, observed);
    });
}

}  // namespace threefold::board
