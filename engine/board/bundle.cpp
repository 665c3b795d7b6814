#include "engine/board/bundle.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/matrix.hpp>

#include "engine/order_statistics.h"

namespace threefold::board {
namespace {

/// Number of observations of each marker.
std::vector<std::size_t> observationCounts(const BundleAdjustmentProblem& problem,
                                           std::size_t markerCount) {
    std::vector<std::size_t> counts(markerCount, 0);
    for (const MarkerObservation& observed : problem.observations) ++counts[observed.markerIndex];
    return counts;
}

}  // namespace

Bundle::Bundle(CollectedMarkers collected, const StartPoses& start)
    : problem_(std::move(collected.problem)),
      photographs_(std::move(collected.photographs)),
      markerIds_(std::move(collected.markerIds)) {
    for (const LensPrior& prior : problem_.priors) state_.lenses.push_back(prior.mean);
    for (const auto& pose : start.photographs)
        state_.poses.push_back(pose.value_or(RigidTransform{}));
    for (const auto& pose : start.markers)
        state_.markerPoses.push_back(pose.value_or(RigidTransform{}));
    std::erase_if(problem_.observations, [&](const MarkerObservation& observed) {
        return !start.markers[observed.markerIndex];
    });
    std::vector<bool> hasPose;
    for (const auto& pose : start.photographs) hasPose.push_back(pose.has_value());
    keepPhotographs(hasPose);
}

PhotographError Bundle::errorOf(std::size_t photograph) const {
    std::vector<double> errors;
    for (const MarkerObservation& observed : observationsOf(problem_, photograph))
        errors.push_back(reprojectionError(problem_, state_, observed));
    constexpr double kOutlier = 6;  // times the median
    const double limit = kOutlier * upperMedian(errors);
    std::erase_if(errors, [&](double error) { return error > limit; });
    std::ranges::sort(errors);  // the sum does not depend on the order of the markers
    double sum = 0;
    for (const double error : errors) sum += error * error;
    return {std::sqrt(sum / static_cast<double>(errors.size())), errors.size()};
}

void Bundle::keepPhotographs(const std::vector<bool>& isKept) {
    removePhotographs(isKept);
    removeUnobservedMarkers();
}

void Bundle::removePhotographs(const std::vector<bool>& isKept) {
    std::vector<std::size_t> newIndex(photographs_.size(), 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < photographs_.size(); ++i) {
        newIndex[i] = count;
        if (!isKept[i]) continue;
        photographs_[count] = photographs_[i];
        problem_.lensIndices[count] = problem_.lensIndices[i];
        state_.poses[count] = state_.poses[i];
        ++count;
    }
    std::erase_if(problem_.observations, [&](const MarkerObservation& observed) {
        return !isKept[observed.photographIndex];
    });
    for (MarkerObservation& observed : problem_.observations)
        observed.photographIndex = newIndex[observed.photographIndex];
    photographs_.resize(count);
    problem_.lensIndices.resize(count);
    state_.poses.resize(count);
}

/// No adjustment with the unknowns of an unobserved marker has a solution.
void Bundle::removeUnobservedMarkers() {
    if (!problem_.markerPosesKnown && observationCounts(problem_, markerIds_.size())[0] == 0)
        makeFirst(markerSeenMost(problem_, markerIds_.size()));
    const std::vector<std::size_t> observations = observationCounts(problem_, markerIds_.size());
    std::vector<std::size_t> newIndex(markerIds_.size(), 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < markerIds_.size(); ++i) {
        newIndex[i] = count;
        if (observations[i] == 0) continue;
        markerIds_[count] = markerIds_[i];
        state_.markerPoses[count] = state_.markerPoses[i];
        ++count;
    }
    for (MarkerObservation& observed : problem_.observations)
        observed.markerIndex = newIndex[observed.markerIndex];
    markerIds_.resize(count);
    state_.markerPoses.resize(count);
}

/// Makes a marker the first, whose pose the adjustment keeps: its coordinate system becomes the
/// world.
void Bundle::makeFirst(std::size_t marker) {
    const RigidTransform toOldWorld = state_.markerPoses[marker];
    const glm::dmat3 toNewWorld = glm::transpose(toOldWorld.rotation);
    for (RigidTransform& pose : state_.markerPoses)
        pose = {toNewWorld * pose.rotation,
                toNewWorld * (pose.translation - toOldWorld.translation)};
    for (RigidTransform& pose : state_.poses)
        pose = {pose.rotation * toOldWorld.rotation, pose.apply(toOldWorld.translation)};
    swapMarkers(problem_, markerIds_, 0, marker);
    std::swap(state_.markerPoses[0], state_.markerPoses[marker]);
}

std::size_t markerSeenMost(const BundleAdjustmentProblem& problem, std::size_t markerCount) {
    const std::vector<std::size_t> counts = observationCounts(problem, markerCount);
    return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
}

void swapMarkers(BundleAdjustmentProblem& problem, std::vector<int>& markerIds, std::size_t first,
                 std::size_t second) {
    for (MarkerObservation& observed : problem.observations)
        if (observed.markerIndex == first)
            observed.markerIndex = second;
        else if (observed.markerIndex == second)
            observed.markerIndex = first;
    std::swap(markerIds[first], markerIds[second]);
}

}  // namespace threefold::board
