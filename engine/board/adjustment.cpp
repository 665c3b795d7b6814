#include "engine/board/adjustment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/board_layout.h"
#include "engine/numerics/least_squares.h"
#include "engine/order_statistics.h"

namespace threefold::board {
namespace {

constexpr std::size_t kLensValues = 5;
constexpr std::size_t kPoseValues = 6;

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

void move(RigidTransform& pose, std::span<const double> step) {
    pose.rotation = rotationBy({step[0], step[1], step[2]}) * pose.rotation;
    pose.translation += glm::dvec3(step[3], step[4], step[5]);
}

std::array<double*, kLensValues> valuesOf(RadialLens& lens) {
    return {&lens.focal, &lens.principalX, &lens.principalY, &lens.k1, &lens.k2};
}

std::array<double, kLensValues> valuesOf(const RadialLens& lens) {
    return {lens.focal, lens.principalX, lens.principalY, lens.k1, lens.k2};
}

/// One solve with a fixed scale of the Cauchy loss.
class CauchyRound {
  public:
    CauchyRound(const BundleAdjustmentProblem& problem, BundleAdjustmentState& solution,
                double scale, const std::stop_token& cancel)
        : problem_(problem), solution_(solution), scale_(scale), cancel_(cancel) {
        markersAt_ = solution.poses.size() * kPoseValues;
        lensAt_ = markersAt_ +
                  (problem.markerPosesKnown ? 0 : (solution.markerPoses.size() - 1) * kPoseValues);
        size_ = lensAt_ + solution.lenses.size() * kLensValues;
    }

    void solve() {
        constexpr int kMaxSteps = 60;
        constexpr double kTolerance = 1e-7;
        levenbergMarquardt(
            solution_, kMaxSteps, kTolerance,
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
            for (std::size_t k = 0; k < kLensValues; ++k) {
                const double value = deviation(state, i, k);
                sum += value * value;
            }
        return sum;
    }

    /// Distance of a lens' parameter from its prior's mean, in standard deviations.
    double deviation(const BundleAdjustmentState& state, std::size_t lens,
                     std::size_t value) const {
        const LensPrior& prior = problem_.priors[lens];
        return (valuesOf(state.lenses[lens])[value] - valuesOf(prior.mean)[value]) /
               valuesOf(prior.sigma)[value];
    }

    void apply(BundleAdjustmentState& to, std::span<const double> step) const {
        for (std::size_t i = 0; i < to.lenses.size(); ++i)
            for (std::size_t k = 0; k < kLensValues; ++k)
                *valuesOf(to.lenses[i])[k] += step[lensAt_ + i * kLensValues + k];
        for (std::size_t i = 0; i < to.poses.size(); ++i)
            move(to.poses[i], step.subspan(i * kPoseValues, kPoseValues));
        for (std::size_t offset = markersAt_, i = 1; offset < lensAt_; offset += kPoseValues, ++i)
            move(to.markerPoses[i], step.subspan(offset, kPoseValues));
    }

    /// Difference steps that move a corner by about a thousandth of a pixel.
    static std::array<double, kPoseValues> differences(const RigidTransform& pose) {
        const double translation = 1e-6 * std::max(1e-3, glm::length(pose.translation));
        return {1e-6, 1e-6, 1e-6, translation, translation, translation};
    }

    void linearise() {
        const auto size = static_cast<Eigen::Index>(size_);
        equations_.matrix.setZero(size, size);
        equations_.rhs.setZero(size);
        BundleAdjustmentState state = solution_;
        for (const MarkerObservation& observed : problem_.observations) {
            if (cancel_.stop_requested()) throw Cancelled();
            addMarker(state, observed);
        }
        for (std::size_t i = 0; i < solution_.lenses.size(); ++i)
            for (std::size_t k = 0; k < kLensValues; ++k) {
                const auto row = static_cast<Eigen::Index>(lensAt_ + i * kLensValues + k);
                const double weight = 1 / valuesOf(problem_.priors[i].sigma)[k];
                equations_.matrix(row, row) += weight * weight;
                equations_.rhs[row] -= deviation(state, i, k) * weight;
            }
    }

    using CornerResiduals = std::array<glm::dvec2, 4>;

    /// Derivatives of a marker's residuals with respect to one unknown.
    struct Column {
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

    /// Column by central differences. `moveTo(offset)` sets the unknown in `state` to its value
    /// plus `offset`; the caller restores the value.
    template <class MoveTo>
    Column columnOf(const BundleAdjustmentState& state, const MarkerObservation& observed,
                    std::size_t index, double step, const MoveTo& moveTo) const {
        moveTo(step);
        const CornerResiduals above = residualsOf(state, observed);
        moveTo(-step);
        const CornerResiduals below = residualsOf(state, observed);
        Column column{static_cast<Eigen::Index>(index), {}};
        for (std::size_t k = 0; k < above.size(); ++k)
            column.derivative[k] = (above[k] - below[k]) / (2 * step);
        return column;
    }

    // Both append columns; `state` is the same before and after.
    void addLensColumns(BundleAdjustmentState& state, const MarkerObservation& observed,
                        std::vector<Column>& columns) const {
        const std::size_t lens = problem_.lensIndices[observed.photographIndex];
        for (std::size_t k = 0; k < kLensValues; ++k) {
            double& value = *valuesOf(state.lenses[lens])[k];
            const double original = value;
            columns.push_back(columnOf(state, observed, lensAt_ + lens * kLensValues + k,
                                       1e-6 * std::max(1.0, std::abs(original)),
                                       [&](double offset) { value = original + offset; }));
            value = original;
        }
    }
    /// `pose` is a pose of `state`, whose unknowns start at index `first`.
    void addPoseColumns(const BundleAdjustmentState& state, const MarkerObservation& observed,
                        RigidTransform& pose, std::size_t first,
                        std::vector<Column>& columns) const {
        const RigidTransform original = pose;
        const std::array<double, kPoseValues> steps = differences(original);
        for (std::size_t k = 0; k < kPoseValues; ++k) {
            columns.push_back(columnOf(state, observed, first + k, steps[k], [&](double offset) {
                std::array<double, kPoseValues> offsets{};
                offsets[k] = offset;
                pose = original;
                move(pose, offsets);
            }));
            pose = original;
        }
    }

    /// Adds the rows of one marker; `state` equals solution_ before and after.
    void addMarker(BundleAdjustmentState& state, const MarkerObservation& observed) {
        std::vector<Column> columns;
        addLensColumns(state, observed, columns);
        addPoseColumns(state, observed, state.poses[observed.photographIndex],
                       observed.photographIndex * kPoseValues, columns);
        if (!problem_.markerPosesKnown && observed.markerIndex > 0)
            addPoseColumns(state, observed, state.markerPoses[observed.markerIndex],
                           markersAt_ + (observed.markerIndex - 1) * kPoseValues, columns);
        accumulate(columns, residualsOf(state, observed));
    }

    /// Adds a marker's rows to the normal equations, weighted by the Cauchy loss.
    void accumulate(std::span<const Column> columns, const CornerResiduals& residuals) {
        for (std::size_t k = 0; k < residuals.size(); ++k) {
            const glm::dvec2 residual = residuals[k] / scale_;
            const double weight = 1 / (1 + glm::dot(residual, residual)) / scale_;
            for (const Column& column : columns) {
                equations_.rhs[column.index] -= weight * glm::dot(column.derivative[k], residual);
                for (const Column& other : columns)
                    equations_.matrix(column.index, other.index) +=
                        weight / scale_ * glm::dot(column.derivative[k], other.derivative[k]);
            }
        }
    }

    const BundleAdjustmentProblem& problem_;
    BundleAdjustmentState& solution_;
    double scale_;
    const std::stop_token& cancel_;
    std::size_t markersAt_ = 0, lensAt_ = 0, size_ = 0;
    DenseNormalEquations equations_;
};

}  // namespace

Lens RadialLens::toLens(ImageSize size) const {
    Lens lens;
    lens.width = size.width;
    lens.height = size.height;
    lens.focalX = lens.focalY = focal;
    lens.principalX = principalX;
    lens.principalY = principalY;
    lens.k1 = k1;
    lens.k2 = k2;
    return lens;
}

std::span<const MarkerObservation> observationsOf(const BundleAdjustmentProblem& problem,
                                                  std::size_t photograph) {
    return std::ranges::equal_range(problem.observations, photograph, {},
                                    &MarkerObservation::photographIndex);
}

glm::dvec2 projectOpenCv(const RadialLens& lens, glm::dvec3 inCamera) {
    constexpr double kNear = 1e-3;  // behind the camera: far outside
    const glm::dvec2 flat = glm::dvec2(inCamera) / std::max(inCamera.z, kNear);
    const double square = glm::dot(flat, flat);
    return flat * (lens.focal * (1 + square * (lens.k1 + square * lens.k2))) +
           glm::dvec2(lens.principalX, lens.principalY);
}

glm::dvec2 cornerResidual(const BundleAdjustmentProblem& problem,
                          const BundleAdjustmentState& state, const MarkerObservation& observed,
                          std::size_t corner) {
    const glm::dvec3 point(kUnitMarkerCorners[corner] * (problem.markerSide / 2), 0);
    const std::size_t photograph = observed.photographIndex;
    const glm::dvec3 inCamera =
        state.poses[photograph].apply(state.markerPoses[observed.markerIndex].apply(point));
    return projectOpenCv(state.lenses[problem.lensIndices[photograph]], inCamera) -
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
        CauchyRound(problem, state, std::max(kMinScale, kMedianFactor * median), cancel).solve();
    }
}

std::optional<glm::dmat3> findHomography(const std::vector<glm::dvec2>& from,
                                         const std::vector<glm::dvec2>& to) {
    // Both sets are centred and scaled to 1: squared pixels would swamp the other terms.
    const auto normaliser = [](const std::vector<glm::dvec2>& points) {
        glm::dvec2 centre(0.0);
        for (const glm::dvec2& point : points) centre += point / static_cast<double>(points.size());
        double size = 1e-12;
        for (const glm::dvec2& point : points) size = std::max(size, glm::length(point - centre));
        return glm::dmat3(1 / size, 0, 0, 0, 1 / size, 0, -centre.x / size, -centre.y / size, 1);
    };
    const glm::dmat3 fromNormaliser = normaliser(from);
    const glm::dmat3 toNormaliser = normaliser(to);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(8, 8);
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(8);
    const auto add = [&](const std::array<double, 8>& factors, double value) {
        const Eigen::Map<const Eigen::Vector<double, 8>> row(factors.data());
        rhs += row * value;
        matrix += row * row.transpose();
    };
    for (std::size_t i = 0; i < from.size(); ++i) {
        const glm::dvec3 p = fromNormaliser * glm::dvec3(from[i], 1);
        const glm::dvec3 q = toNormaliser * glm::dvec3(to[i], 1);
        add({p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y}, q.x);
        add({0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y}, q.y);
    }
    const std::optional<Eigen::VectorXd> solution = solvePositiveDefinite(matrix, rhs);
    if (!solution) return std::nullopt;
    const Eigen::VectorXd& h = *solution;
    return glm::inverse(toNormaliser) *
           glm::dmat3(h[0], h[3], h[6], h[1], h[4], h[7], h[2], h[5], 1) * fromNormaliser;
}

RigidTransform poseOfHomography(const glm::dmat3& homography, const RadialLens& lens) {
    const auto unprojected = [&](glm::dvec3 column) {
        return glm::dvec3((column.x - lens.principalX * column.z) / lens.focal,
                          (column.y - lens.principalY * column.z) / lens.focal, column.z);
    };
    glm::dvec3 x = unprojected(homography[0]);
    glm::dvec3 y = unprojected(homography[1]);
    const glm::dvec3 translation = unprojected(homography[2]);
    const double scale = (translation.z < 0 ? -1 : 1) * std::sqrt(glm::length(x) * glm::length(y));
    x = glm::normalize(x * (scale < 0 ? -1.0 : 1.0));
    y = y * (scale < 0 ? -1.0 : 1.0);
    const glm::dvec3 z = glm::normalize(glm::cross(x, y));
    return {glm::dmat3(x, glm::cross(z, x), z), translation / scale};
}

}  // namespace threefold::board
