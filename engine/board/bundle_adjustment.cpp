#include "engine/board/bundle_adjustment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/numerics/least_squares.h"
#include "engine/order_statistics.h"

namespace threefold::board {
namespace {

/// Rotation by |axisAngle| radians about `axisAngle` (Rodrigues).
glm::dmat3 rotationBy(glm::dvec3 axisAngle) {
    const double angle = glm::length(axisAngle);
    const glm::dmat3 skew(glm::dvec3(0, axisAngle.z, -axisAngle.y),
                          glm::dvec3(-axisAngle.z, 0, axisAngle.x),
                          glm::dvec3(axisAngle.y, -axisAngle.x, 0));
    constexpr double kTiny = 1e-8;
    const double first = angle < kTiny ? 1 : std::sin(angle) / angle;
    const double second = angle < kTiny ? 0.5 : (1 - std::cos(angle)) / (angle * angle);
    return glm::dmat3(1.0) + first * skew + second * (skew * skew);
}

/// Position of a marker's corner in the marker's space.
glm::dvec3 cornerOf(const BundleAdjustmentProblem& problem, std::size_t corner) {
    return {kUnitMarkerCorners[corner] * (problem.markerSide / 2), 0};
}

std::array<double*, kLensParameters> valuesOf(RadialLens& lens) {
    return {&lens.focalLength, &lens.principalX, &lens.principalY, &lens.k1, &lens.k2};
}

std::array<double, kLensParameters> valuesOf(const RadialLens& lens) {
    return {lens.focalLength, lens.principalX, lens.principalY, lens.k1, lens.k2};
}

/// One solve with a fixed scale of the Cauchy loss.
class CauchySolve {
  public:
    CauchySolve(const BundleAdjustmentProblem& problem, BundleAdjustmentState& state, double scale,
                const std::stop_token& cancel)
        : problem_(problem), state_(state), scale_(scale), cancel_(cancel) {
        firstMarkerUnknown_ = state.poses.size() * kPoseParameters;
        firstLensUnknown_ =
            firstMarkerUnknown_ +
            (problem.markerPosesKnown ? 0 : (state.markerPoses.size() - 1) * kPoseParameters);
        unknownCount_ = firstLensUnknown_ + state.lenses.size() * kLensParameters;
    }

    void solve() {
        constexpr int kMaxSteps = 60;
        constexpr double kTolerance = 1e-7;
        levenbergMarquardt(
            state_, kMaxSteps, kTolerance,
            [&](const BundleAdjustmentState& state) { return costOf(state); },
            [&](const BundleAdjustmentState&) -> const DenseNormalEquations& {
                linearise();
                return equations_;
            },
            [&](BundleAdjustmentState& to, std::span<const double> step) { apply(to, step); },
            cancel_);
    }

  private:
    double costOf(const BundleAdjustmentState& state) const {
        double sum = 0;
        for (const MarkerObservation& observed : problem_.observations)
            for (std::size_t k = 0; k < 4; ++k) {
                const glm::dvec2 residual = cornerResidual(problem_, state, observed, k) / scale_;
                sum += std::log1p(glm::dot(residual, residual));
            }
        for (std::size_t i = 0; i < state.lenses.size(); ++i)
            for (std::size_t k = 0; k < kLensParameters; ++k) {
                const double value = priorResidual(state, i, k);
                sum += value * value;
            }
        return sum;
    }

    /// Difference of a lens' parameter from its prior's mean, in standard deviations.
    double priorResidual(const BundleAdjustmentState& state, std::size_t lens,
                         std::size_t value) const {
        const LensPrior& prior = problem_.lensPriors[lens];
        return (valuesOf(state.lenses[lens])[value] - valuesOf(prior.mean)[value]) /
               valuesOf(prior.sigma)[value];
    }

    void apply(BundleAdjustmentState& to, std::span<const double> step) const {
        for (std::size_t i = 0; i < to.lenses.size(); ++i)
            for (std::size_t k = 0; k < kLensParameters; ++k)
                *valuesOf(to.lenses[i])[k] += step[firstLensUnknown_ + i * kLensParameters + k];
        for (std::size_t i = 0; i < to.poses.size(); ++i)
            applyStep(to.poses[i], step.subspan(i * kPoseParameters).first<kPoseParameters>());
        for (std::size_t offset = firstMarkerUnknown_, i = 1; offset < firstLensUnknown_;
             offset += kPoseParameters, ++i)
            applyStep(to.markerPoses[i], step.subspan(offset).first<kPoseParameters>());
    }

    void linearise() {
        const auto size = static_cast<Eigen::Index>(unknownCount_);
        equations_.matrix.setZero(size, size);
        equations_.rhs.setZero(size);
        for (const MarkerObservation& observed : problem_.observations) {
            if (cancel_.stop_requested()) throw Cancelled();
            for (std::size_t k = 0; k < 4; ++k) addCorner(observed, k);
        }
        for (std::size_t i = 0; i < state_.lenses.size(); ++i)
            for (std::size_t k = 0; k < kLensParameters; ++k) {
                const auto row =
                    static_cast<Eigen::Index>(firstLensUnknown_ + i * kLensParameters + k);
                const double weight = 1 / valuesOf(problem_.lensPriors[i].sigma)[k];
                equations_.matrix(row, row) += weight * weight;
                equations_.rhs[row] -= priorResidual(state_, i, k) * weight;
            }
    }

    /// Derivative of a corner's residual with respect to one unknown.
    struct JacobianColumn {
        Eigen::Index index = 0;  // of the unknown
        glm::dvec2 derivative{0.0};
    };

    /// Adds the two rows of a corner to the normal equations, weighted by the Cauchy loss.
    void addCorner(const MarkerObservation& observed, std::size_t corner) {
        const CornerDerivatives derivatives = cornerDerivatives(problem_, state_, observed, corner);
        std::array<JacobianColumn, kLensParameters + 2 * kPoseParameters> storage;
        std::size_t count = 0;
        const auto append = [&](std::size_t firstUnknown, std::span<const glm::dvec2> block) {
            for (const glm::dvec2 derivative : block)
                storage[count++] = {static_cast<Eigen::Index>(firstUnknown++), derivative};
        };
        append(firstLensUnknown_ + problem_.lensIndices[observed.photoIndex] * kLensParameters,
               derivatives.lens);
        append(observed.photoIndex * kPoseParameters, derivatives.pose);
        if (!problem_.markerPosesKnown && observed.markerIndex > 0)
            append(firstMarkerUnknown_ + (observed.markerIndex - 1) * kPoseParameters,
                   derivatives.markerPose);
        const std::span<const JacobianColumn> columns(storage.data(), count);
        const glm::dvec2 residual = cornerResidual(problem_, state_, observed, corner) / scale_;
        const double weight = 1 / (1 + glm::dot(residual, residual)) / scale_;
        for (const JacobianColumn& column : columns) {
            equations_.rhs[column.index] -= weight * glm::dot(column.derivative, residual);
            for (const JacobianColumn& other : columns)
                equations_.matrix(column.index, other.index) +=
                    weight / scale_ * glm::dot(column.derivative, other.derivative);
        }
    }

    const BundleAdjustmentProblem& problem_;
    BundleAdjustmentState& state_;
    double scale_;
    const std::stop_token& cancel_;
    std::size_t firstMarkerUnknown_ = 0, firstLensUnknown_ = 0, unknownCount_ = 0;
    DenseNormalEquations equations_;
};

}  // namespace

std::span<const MarkerObservation> observationsOf(const BundleAdjustmentProblem& problem,
                                                  std::size_t photograph) {
    const std::span<const MarkerObservation> all = problem.observations;
    const auto first =
        std::ranges::lower_bound(all, photograph, {}, &MarkerObservation::photoIndex);
    const auto last = std::ranges::upper_bound(all, photograph, {}, &MarkerObservation::photoIndex);
    return {first, last};
}

glm::dvec2 cornerResidual(const BundleAdjustmentProblem& problem,
                          const BundleAdjustmentState& state, const MarkerObservation& observed,
                          std::size_t corner) {
    const std::size_t photograph = observed.photoIndex;
    const glm::dvec3 pointInCamera = state.poses[photograph].apply(
        state.markerPoses[observed.markerIndex].apply(cornerOf(problem, corner)));
    return projectRadial(state.lenses[problem.lensIndices[photograph]], pointInCamera) -
           observed.corners[corner];
}

void applyStep(RigidTransform& pose, std::span<const double, kPoseParameters> step) {
    pose.rotation = rotationBy({step[0], step[1], step[2]}) * pose.rotation;
    pose.translation += glm::dvec3(step[3], step[4], step[5]);
}

CornerDerivatives cornerDerivatives(const BundleAdjustmentProblem& problem,
                                    const BundleAdjustmentState& state,
                                    const MarkerObservation& observed, std::size_t corner) {
    const RigidTransform& pose = state.poses[observed.photoIndex];
    const RigidTransform& markerPose = state.markerPoses[observed.markerIndex];
    const glm::dvec3 rotatedToWorld = markerPose.rotation * cornerOf(problem, corner);
    const glm::dvec3 rotatedToCamera = pose.rotation * (rotatedToWorld + markerPose.translation);
    const ProjectionDerivatives projected = projectionDerivatives(
        state.lenses[problem.lensIndices[observed.photoIndex]], rotatedToCamera + pose.translation);
    CornerDerivatives derivatives{projected.lens, {}, {}};
    for (int k = 0; k < 3; ++k) {
        glm::dvec3 axis(0.0);
        axis[k] = 1;
        const auto rotation = static_cast<std::size_t>(k);
        const std::size_t translation = rotation + 3;
        derivatives.pose[rotation] = projected.point * glm::cross(axis, rotatedToCamera);
        derivatives.pose[translation] = projected.point[k];
        derivatives.markerPose[rotation] =
            projected.point * (pose.rotation * glm::cross(axis, rotatedToWorld));
        derivatives.markerPose[translation] = projected.point * pose.rotation[k];
    }
    return derivatives;
}

double reprojectionError(const BundleAdjustmentProblem& problem, const BundleAdjustmentState& state,
                         const MarkerObservation& observed) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        const glm::dvec2 residual = cornerResidual(problem, state, observed, k);
        sum += glm::dot(residual, residual);
    }
    return std::sqrt(sum / 4);
}

void adjustBundle(const BundleAdjustmentProblem& problem, BundleAdjustmentState& state,
                  const std::stop_token& cancel) {
    constexpr int kRounds = 4;
    constexpr double kMinScale = 0.1, kMedianFactor = 2;
    for (int i = 0; i < kRounds; ++i) {
        std::vector<double> errors;
        for (const MarkerObservation& observed : problem.observations)
            errors.push_back(reprojectionError(problem, state, observed));
        const double median = upperMedian(std::move(errors));
        CauchySolve(problem, state, std::max(kMinScale, kMedianFactor * median), cancel).solve();
    }
}

}  // namespace threefold::board
