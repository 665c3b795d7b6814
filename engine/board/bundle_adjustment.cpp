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

constexpr std::size_t kLensParameters = 5;
constexpr std::size_t kPoseParameters = 6;

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

void applyStep(RigidTransform& pose, std::span<const double> step) {
    pose.rotation = rotationBy({step[0], step[1], step[2]}) * pose.rotation;
    pose.translation += glm::dvec3(step[3], step[4], step[5]);
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

    /// Distance of a lens' parameter from its prior's mean, in standard deviations.
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
            applyStep(to.poses[i], step.subspan(i * kPoseParameters, kPoseParameters));
        for (std::size_t offset = firstMarkerUnknown_, i = 1; offset < firstLensUnknown_;
             offset += kPoseParameters, ++i)
            applyStep(to.markerPoses[i], step.subspan(offset, kPoseParameters));
    }

    /// Steps of the numerical derivatives: they move a corner by about a thousandth of a pixel.
    static std::array<double, kPoseParameters> differenceSteps(const RigidTransform& pose) {
        const double translation = 1e-6 * std::max(1e-3, glm::length(pose.translation));
        return {1e-6, 1e-6, 1e-6, translation, translation, translation};
    }

    void linearise() {
        const auto size = static_cast<Eigen::Index>(unknownCount_);
        equations_.matrix.setZero(size, size);
        equations_.rhs.setZero(size);
        BundleAdjustmentState state = state_;
        for (const MarkerObservation& observed : problem_.observations) {
            if (cancel_.stop_requested()) throw Cancelled();
            addMarker(state, observed);
        }
        for (std::size_t i = 0; i < state_.lenses.size(); ++i)
            for (std::size_t k = 0; k < kLensParameters; ++k) {
                const auto row =
                    static_cast<Eigen::Index>(firstLensUnknown_ + i * kLensParameters + k);
                const double weight = 1 / valuesOf(problem_.lensPriors[i].sigma)[k];
                equations_.matrix(row, row) += weight * weight;
                equations_.rhs[row] -= priorResidual(state, i, k) * weight;
            }
    }

    using CornerResiduals = std::array<glm::dvec2, 4>;

    /// Derivatives of a marker's residuals with respect to one unknown.
    struct JacobianColumn {
        Eigen::Index index;  // of the unknown
        CornerResiduals derivative;
    };

    CornerResiduals residualsOf(const BundleAdjustmentState& state,
                                const MarkerObservation& observed) const {
        CornerResiduals residuals;
        for (std::size_t k = 0; k < residuals.size(); ++k)
            residuals[k] = cornerResidual(problem_, state, observed, k);
        return residuals;
    }

    /// Computes a column by central differences. `moveTo(offset)` sets the unknown in `state` to
    /// its value plus `offset`; the caller restores the value.
    template <class MoveTo>
    JacobianColumn jacobianColumn(const BundleAdjustmentState& state,
                                  const MarkerObservation& observed, std::size_t index, double step,
                                  const MoveTo& moveTo) const {
        moveTo(step);
        const CornerResiduals above = residualsOf(state, observed);
        moveTo(-step);
        const CornerResiduals below = residualsOf(state, observed);
        JacobianColumn column{static_cast<Eigen::Index>(index), {}};
        for (std::size_t k = 0; k < above.size(); ++k)
            column.derivative[k] = (above[k] - below[k]) / (2 * step);
        return column;
    }

    // addLensColumns() and addPoseColumns() append columns; they change `state` and restore it.
    void addLensColumns(BundleAdjustmentState& state, const MarkerObservation& observed,
                        std::vector<JacobianColumn>& columns) const {
        const std::size_t lens = problem_.lensIndices[observed.photoIndex];
        for (std::size_t k = 0; k < kLensParameters; ++k) {
            double& value = *valuesOf(state.lenses[lens])[k];
            const double original = value;
            columns.push_back(jacobianColumn(state, observed,
                                             firstLensUnknown_ + lens * kLensParameters + k,
                                             1e-6 * std::max(1.0, std::abs(original)),
                                             [&](double offset) { value = original + offset; }));
            value = original;
        }
    }
    /// `pose` is a pose of `state`, whose unknowns start at index `first`.
    void addPoseColumns(const BundleAdjustmentState& state, const MarkerObservation& observed,
                        RigidTransform& pose, std::size_t first,
                        std::vector<JacobianColumn>& columns) const {
        const RigidTransform original = pose;
        const std::array<double, kPoseParameters> steps = differenceSteps(original);
        for (std::size_t k = 0; k < kPoseParameters; ++k) {
            columns.push_back(
                jacobianColumn(state, observed, first + k, steps[k], [&](double offset) {
                    std::array<double, kPoseParameters> offsets{};
                    offsets[k] = offset;
                    pose = original;
                    applyStep(pose, offsets);
                }));
            pose = original;
        }
    }

    /// Adds the rows of one marker; `state` equals state_ before and after.
    void addMarker(BundleAdjustmentState& state, const MarkerObservation& observed) {
        std::vector<JacobianColumn> columns;
        addLensColumns(state, observed, columns);
        addPoseColumns(state, observed, state.poses[observed.photoIndex],
                       observed.photoIndex * kPoseParameters, columns);
        if (!problem_.markerPosesKnown && observed.markerIndex > 0)
            addPoseColumns(state, observed, state.markerPoses[observed.markerIndex],
                           firstMarkerUnknown_ + (observed.markerIndex - 1) * kPoseParameters,
                           columns);
        accumulate(columns, residualsOf(state, observed));
    }

    /// Adds a marker's rows to the normal equations, weighted by the Cauchy loss.
    void accumulate(std::span<const JacobianColumn> columns, const CornerResiduals& residuals) {
        for (std::size_t k = 0; k < residuals.size(); ++k) {
            const glm::dvec2 residual = residuals[k] / scale_;
            const double weight = 1 / (1 + glm::dot(residual, residual)) / scale_;
            for (const JacobianColumn& column : columns) {
                equations_.rhs[column.index] -= weight * glm::dot(column.derivative[k], residual);
                for (const JacobianColumn& other : columns)
                    equations_.matrix(column.index, other.index) +=
                        weight / scale_ * glm::dot(column.derivative[k], other.derivative[k]);
            }
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

Lens RadialLens::toLens(ImageSize size) const {
    Lens lens;
    lens.width = size.width;
    lens.height = size.height;
    lens.focalX = lens.focalY = focalLength;
    lens.principalX = principalX;
    lens.principalY = principalY;
    lens.k1 = k1;
    lens.k2 = k2;
    return lens;
}

std::span<const MarkerObservation> observationsOf(const BundleAdjustmentProblem& problem,
                                                  std::size_t photograph) {
    return std::ranges::equal_range(problem.observations, photograph, {},
                                    &MarkerObservation::photoIndex);
}

glm::dvec2 projectRadial(const RadialLens& lens, glm::dvec3 pointInCamera) {
    // Points behind the camera are projected far outside of the picture.
    constexpr double kNear = 1e-3;
    const glm::dvec2 flat = glm::dvec2(pointInCamera) / std::max(pointInCamera.z, kNear);
    const double square = glm::dot(flat, flat);
    return flat * (lens.focalLength * (1 + square * (lens.k1 + square * lens.k2))) +
           glm::dvec2(lens.principalX, lens.principalY);
}

glm::dvec2 cornerResidual(const BundleAdjustmentProblem& problem,
                          const BundleAdjustmentState& state, const MarkerObservation& observed,
                          std::size_t corner) {
    const glm::dvec3 point(kUnitMarkerCorners[corner] * (problem.markerSide / 2), 0);
    const std::size_t photograph = observed.photoIndex;
    const glm::dvec3 pointInCamera =
        state.poses[photograph].apply(state.markerPoses[observed.markerIndex].apply(point));
    return projectRadial(state.lenses[problem.lensIndices[photograph]], pointInCamera) -
           observed.corners[corner];
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
