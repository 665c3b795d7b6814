#include "engine/board/bundle_adjuster.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/matrix.hpp>

#include "engine/order_statistics.h"

namespace threefold::board {

BundleAdjuster::BundleAdjuster(IndexedProblem indexed, const StartPoses& start)
    : indexed_(std::move(indexed)) {
    for (const LensPrior& prior : indexed_.problem.lensPriors) state_.lenses.push_back(prior.mean);
    for (const auto& pose : start.photographs)
        state_.poses.push_back(pose.value_or(RigidTransform{}));
    for (const auto& pose : start.markers)
        state_.markerPoses.push_back(pose.value_or(RigidTransform{}));
    std::erase_if(indexed_.problem.observations, [&](const MarkerObservation& observed) {
        return !start.markers[observed.markerIndex];
    });
    std::vector<bool> hasPose;
    for (const auto& pose : start.photographs) hasPose.push_back(pose.has_value());
    keepPhotographs(hasPose);
}

PhotoError BundleAdjuster::photoErrorOf(std::size_t photograph) const {
    std::vector<double> errors;
    for (const MarkerObservation& observed : observationsOf(indexed_.problem, photograph))
        errors.push_back(reprojectionError(indexed_.problem, state_, observed));
    constexpr double kOutlierFactor = 6;  // times the median
    const double limit = kOutlierFactor * upperMedian(errors);
    std::erase_if(errors, [&](double error) { return error > limit; });
    std::ranges::sort(errors);  // the sum does not depend on the order of the markers
    double sum = 0;
    for (const double error : errors) sum += error * error;
    return {std::sqrt(sum / static_cast<double>(errors.size())), errors.size()};
}

void BundleAdjuster::keepPhotographs(const std::vector<bool>& isKept) {
    removePhotographs(isKept);
    removeUnobservedMarkers();
}

void BundleAdjuster::removePhotographs(const std::vector<bool>& isKept) {
    std::vector<std::size_t> newIndex(indexed_.photoIndices.size(), 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < indexed_.photoIndices.size(); ++i) {
        newIndex[i] = count;
        if (!isKept[i]) continue;
        indexed_.photoIndices[count] = indexed_.photoIndices[i];
        indexed_.problem.lensIndices[count] = indexed_.problem.lensIndices[i];
        state_.poses[count] = state_.poses[i];
        ++count;
    }
    std::erase_if(indexed_.problem.observations,
                  [&](const MarkerObservation& observed) { return !isKept[observed.photoIndex]; });
    for (MarkerObservation& observed : indexed_.problem.observations)
        observed.photoIndex = newIndex[observed.photoIndex];
    indexed_.photoIndices.resize(count);
    indexed_.problem.lensIndices.resize(count);
    state_.poses.resize(count);
}

/// Removes markers without observations: their unknowns would make the normal equations singular.
void BundleAdjuster::removeUnobservedMarkers() {
    if (!indexed_.problem.markerPosesKnown && observationCounts(indexed_)[0] == 0)
        makeFirst(markerSeenMost(indexed_));
    const std::vector<std::size_t> observations = observationCounts(indexed_);
    std::vector<std::size_t> newIndex(indexed_.markerIds.size(), 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < indexed_.markerIds.size(); ++i) {
        newIndex[i] = count;
        if (observations[i] == 0) continue;
        indexed_.markerIds[count] = indexed_.markerIds[i];
        state_.markerPoses[count] = state_.markerPoses[i];
        ++count;
    }
    for (MarkerObservation& observed : indexed_.problem.observations)
        observed.markerIndex = newIndex[observed.markerIndex];
    indexed_.markerIds.resize(count);
    state_.markerPoses.resize(count);
}

/// Moves a marker to index 0. The adjustment does not change the pose of marker 0: the moved
/// marker's coordinate system becomes the world.
void BundleAdjuster::makeFirst(std::size_t marker) {
    const RigidTransform toOldWorld = state_.markerPoses[marker];
    const glm::dmat3 toNewWorld = glm::transpose(toOldWorld.rotation);
    for (RigidTransform& pose : state_.markerPoses)
        pose = {toNewWorld * pose.rotation,
                toNewWorld * (pose.translation - toOldWorld.translation)};
    for (RigidTransform& pose : state_.poses)
        pose = {pose.rotation * toOldWorld.rotation, pose.apply(toOldWorld.translation)};
    swapMarkers(indexed_, 0, marker);
    std::swap(state_.markerPoses[0], state_.markerPoses[marker]);
}

}  // namespace threefold::board
