#include "engine/turntable/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/numerics/least_squares.h"
#include "engine/order_statistics.h"

namespace threefold::turntable {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// World-to-camera rotation at azimuth 0; the camera is at x = 1.
glm::dmat3 rotationOf(const TurntableMotion& motion) {
    const auto axisRotation = [](double angle, int from, int to) {
        glm::dmat3 rotation(1.0);
        rotation[from][from] = rotation[to][to] = std::cos(angle);
        rotation[from][to] = std::sin(angle);
        rotation[to][from] = -std::sin(angle);
        return rotation;
    };
    const glm::dmat3 towardsAxis(0, 0, 1, 1, 0, 0, 0, 1, 0);
    return axisRotation(motion.parameters[TurntableMotion::roll], 0, 1) *
           axisRotation(motion.parameters[TurntableMotion::tilt], 1, 2) *
           axisRotation(motion.parameters[TurntableMotion::pan], 2, 0) * towardsAxis;
}

/// Corners of the outlines as directions from the camera at azimuth 0.
struct Rays {
    std::vector<std::vector<glm::dvec3>> directions;
    double centreHeight = 0;  ///< approximate height of the object's centre on the axis

    Rays(std::span<const OutlineHull> outlines, const TurntableMotion& motion) {
        const glm::dmat3 toWorld = glm::transpose(rotationOf(motion));
        const double focal = std::exp(motion.parameters[TurntableMotion::logFocal]);
        glm::dvec3 sum(0.0);
        for (const OutlineHull& outline : outlines) {
            std::vector<glm::dvec3>& rays = directions.emplace_back();
            for (const glm::dvec2 corner : outline) {
                rays.push_back(toWorld * glm::dvec3(corner / focal, -1));
                sum += rays.back() / static_cast<double>(outline.size());
            }
        }
        centreHeight = sum.z / std::max(1e-6, -sum.x);
    }
};

/// Lowest and highest plane through two camera centres that are tangent to an outline.
struct TangentPlanes {
    std::array<double, 2> angle = {};
    /// 0 to 1: sine of the angle between the tangent ray and the cameras' baseline.
    std::array<double, 2> sensitivity = {};
};

/// Tangent planes of one camera of a pair. `azimuth`: from the pair's mean azimuth to the camera.
/// `ahead`: direction (x, z) from the midpoint between the cameras to the object, with x at the
/// mean azimuth. nullopt if the camera sees the other one in or near the outline.
std::optional<TangentPlanes> tangentPlanes(const std::vector<glm::dvec3>& rays, double azimuth,
                                           glm::dvec2 ahead) {
    constexpr double kMinForward = 0.05, kMinSensitivity = 0.15;
    const double c = std::cos(azimuth);
    const double s = std::sin(azimuth);
    std::array<double, 2> slopes = {kNaN, kNaN};
    TangentPlanes planes;
    for (const glm::dvec3& ray : rays) {
        const double across = c * ray.x - s * ray.y;
        const double forward = across * ahead.x + ray.z * ahead.y;
        const double up = ray.z * ahead.x - across * ahead.y;
        if (!(forward > kMinForward)) return std::nullopt;
        const double slope = up / forward;
        const auto setPlane = [&](std::size_t plane) {
            slopes[plane] = slope;
            planes.sensitivity[plane] = std::hypot(forward, up) / glm::length(ray);
        };
        if (!(slope >= slopes[0])) setPlane(0);
        if (!(slope <= slopes[1])) setPlane(1);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        planes.angle[k] = std::atan(slopes[k]);
        if (!(planes.sensitivity[k] > kMinSensitivity)) return std::nullopt;
    }
    return planes;
}

/// Indices of two photographs whose tangent planes are compared.
struct Pair {
    std::size_t first = 0, second = 0;
};

/// All pairs of outlines that are not empty; of many photographs, only the pairs with some fixed
/// differences of indices.
std::vector<Pair> pairsOf(std::span<const OutlineHull> outlines) {
    constexpr std::size_t kMaxDistances = 64;
    const std::size_t count = outlines.size();
    std::vector<bool> isUsed(count, count <= kMaxDistances + 1);
    for (std::size_t k = 0; k < kMaxDistances && count > kMaxDistances + 1; ++k)
        isUsed[1 + k * (count - 2) / (kMaxDistances - 1)] = true;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            if (isUsed[j - i] && !outlines[i].empty() && !outlines[j].empty())
                pairs.push_back({i, j});
    return pairs;
}

using PairResidual = std::array<double, 2>;
constexpr PairResidual kNoResidual = {kNaN, kNaN};

class MotionFitter {
  public:
    MotionFitter(std::span<const OutlineHull> outlines, const MotionPrior& prior,
                 const TurntableMotion& start, std::size_t unknownCount,
                 const std::stop_token& cancel)
        : outlines_(outlines),
          prior_(prior),
          unknownCount_(unknownCount),
          cancel_(cancel),
          pairs_(pairsOf(outlines)),
          wholeOutlineCount_(wholeOutlineCount(outlines)) {
        result_.motion = start;
    }

    MotionFit solve() {
        constexpr int kRounds = 3, kMaxSteps = 15;
        constexpr double kTolerance = 1e-4, kMinScale = 0.7, kMedianFactor = 2;
        TurntableMotion& motion = result_.motion;
        for (int round = 0; round < kRounds && unknownCount_ > 0; ++round) {
            scale_ = 1;
            scale_ = std::max(kMinScale, kMedianFactor * median(flat(residuals(motion))));
            levenbergMarquardt(
                motion, kMaxSteps, kTolerance,
                [&](const TurntableMotion& state) { return cost(state); },
                [&](const TurntableMotion& state) -> const auto& { return linearised(state); },
                [&](TurntableMotion& to, std::span<const double> step) {
                    constexpr double kMaxStep = 0.3;  // keeps steps where the model is about linear
                    for (std::size_t i = 0; i < unknownCount_; ++i)
                        to.parameters[i] += std::clamp(step[i], -kMaxStep, kMaxStep);
                });
        }
        if (unknownCount_ > 0) estimateSigmas();
        scale_ = 1;
        result_.cost = cost(motion);
        std::vector<std::vector<double>> photoResiduals(outlines_.size());
        const std::vector<PairResidual> pairResiduals = residuals(motion);
        for (std::size_t k = 0; k < pairs_.size(); ++k)
            for (const std::size_t photo : {pairs_[k].first, pairs_[k].second})
                photoResiduals[photo].insert(photoResiduals[photo].end(), pairResiduals[k].begin(),
                                             pairResiduals[k].end());
        for (std::vector<double>& values : photoResiduals)
            result_.residuals.push_back(median(std::move(values)));
        return std::move(result_);
    }

    /// Costs of the start with the azimuth of `photo` alone increased by each of `offsets`.
    std::vector<double> azimuthOffsetCosts(std::size_t photo, std::span<const double> offsets) {
        scale_ = 1;
        const Rays rays(outlines_, result_.motion);
        if (startResiduals_.empty()) startResiduals_ = residuals(result_.motion);
        std::vector<double> costs;
        for (const double offset : offsets) {
            TurntableMotion moved = result_.motion;
            moved.parameters[TurntableMotion::offsetIndex(photo)] += offset;
            RobustSum sum = sumOf(startResiduals_);
            for (std::size_t k = 0; k < pairs_.size(); ++k) {
                if (pairs_[k].first != photo && pairs_[k].second != photo) continue;
                sum.add(startResiduals_[k], -1);
                sum.add(residualOf(rays, moved, pairs_[k]), 1);
            }
            costs.push_back(costOf(sum, moved));
        }
        return costs;
    }

  private:
    struct RobustSum {
        double logSum = 0, count = 0;
        void add(const PairResidual& residuals, double sign) {
            for (const double residual : residuals) {
                if (std::isnan(residual)) continue;
                logSum += sign * std::log1p(residual * residual);
                count += sign;
            }
        }
    };
    static RobustSum sumOf(const std::vector<PairResidual>& residuals) {
        RobustSum sum;
        for (const PairResidual& pair : residuals) sum.add(pair, 1);
        return sum;
    }
    static std::vector<double> flat(const std::vector<PairResidual>& residuals) {
        std::vector<double> values;
        for (const PairResidual& pair : residuals)
            values.insert(values.end(), pair.begin(), pair.end());
        return values;
    }

    static double median(std::vector<double> residuals) {
        std::erase_if(residuals, [](double residual) { return std::isnan(residual); });
        if (residuals.empty()) return 0;
        for (double& residual : residuals) residual = std::abs(residual);
        return upperMedian(std::move(residuals));
    }

    void estimateSigmas() {
        const Eigen::MatrixXd& matrix = linearised(result_.motion).matrix;
        for (std::size_t i = 0; i < unknownCount_; ++i) {
            const auto unknown = static_cast<Eigen::Index>(i);
            const std::optional<Eigen::VectorXd> column =
                solvePositiveDefinite(matrix, Eigen::VectorXd::Unit(matrix.rows(), unknown));
            result_.parameterSigmas.push_back(column ? std::sqrt((*column)[unknown]) : kNaN);
            // Standard deviations of the azimuth offsets are not needed.
            if (i + 1 == TurntableMotion::kSharedParameterCount) break;
        }
    }

    PairResidual residualOf(const Rays& rays, const TurntableMotion& motion,
                            const Pair& pair) const {
        const double pixels =
            std::exp(motion.parameters[TurntableMotion::logFocal]) / (prior_.pixelSize * scale_);
        const double half = (motion.azimuth(pair.second) - motion.azimuth(pair.first)) / 2;
        const glm::dvec2 ahead(-std::cos(half), rays.centreHeight);
        // Length of `ahead` below which the object is between the two cameras, at their height.
        constexpr double kOpposite = 0.1;
        if (glm::length(ahead) < kOpposite) return kNoResidual;
        const auto firstPlanes =
            tangentPlanes(rays.directions[pair.first], -half, glm::normalize(ahead));
        const auto secondPlanes =
            tangentPlanes(rays.directions[pair.second], half, glm::normalize(ahead));
        if (!firstPlanes || !secondPlanes) return kNoResidual;
        PairResidual residual;
        for (std::size_t k = 0; k < 2; ++k)
            residual[k] =
                (firstPlanes->angle[k] - secondPlanes->angle[k]) * pixels /
                std::hypot(1 / firstPlanes->sensitivity[k], 1 / secondPlanes->sensitivity[k]);
        return residual;
    }

    /// Distances between the tangent planes of each pair, divided by scale_; NaN where skipped.
    std::vector<PairResidual> residuals(const TurntableMotion& motion) const {
        const Rays rays(outlines_, motion);
        std::vector<PairResidual> result;
        result.reserve(pairs_.size());
        for (const Pair& pair : pairs_) {
            if (cancel_.stop_requested()) throw Cancelled();
            result.push_back(residualOf(rays, motion, pair));
        }
        return result;
    }

    /// Weight of a plane: all planes together count as four independent measurements per whole
    /// outline.
    double weightOf(const RobustSum& sum) const {
        return 4.0 * static_cast<double>(wholeOutlineCount_) / sum.count;
    }

    double priorDeviation(const TurntableMotion& motion, std::size_t i) const {
        return (motion.parameters[i] - prior_.mean[i]) / prior_.sigma[i];
    }

    double cost(const TurntableMotion& motion) const {
        return costOf(sumOf(residuals(motion)), motion);
    }

    double costOf(const RobustSum& residuals, const TurntableMotion& motion) const {
        double sum = residuals.logSum * weightOf(residuals);
        for (std::size_t i = 0; i < motion.parameters.size(); ++i)
            sum += priorDeviation(motion, i) * priorDeviation(motion, i);
        return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
    }

    // Step of an unknown, for numerical derivatives.
    static constexpr double kDifferenceStep = 1e-6;

    /// Residual of a pair after a step of one unknown.
    struct Shifted {
        Eigen::Index unknown;
        PairResidual residual;
    };

    /// Residuals of all pairs, after a step of each unknown that all photographs share.
    std::vector<std::vector<PairResidual>> sharedShifts(const TurntableMotion& motion) const {
        std::vector<std::vector<PairResidual>> result;
        for (std::size_t i = 0;
             i < std::min<std::size_t>(unknownCount_, TurntableMotion::kSharedParameterCount);
             ++i) {
            TurntableMotion shifted = motion;
            shifted.parameters[i] += kDifferenceStep;
            result.push_back(residuals(shifted));
        }
        return result;
    }

    /// Appends the residual of a pair after a step of each of its own azimuths. Leaves `motion`
    /// unchanged.
    void addAzimuthShifts(const Rays& rays, TurntableMotion& motion, const Pair& pair,
                          std::vector<Shifted>& shifts) const {
        for (const std::size_t photo : {pair.first, pair.second}) {
            if (photo == 0 || TurntableMotion::offsetIndex(photo) >= unknownCount_) continue;
            const std::size_t unknown = TurntableMotion::offsetIndex(photo);
            if (cancel_.stop_requested()) throw Cancelled();
            const double original = motion.parameters[unknown];
            motion.parameters[unknown] = original + kDifferenceStep;
            shifts.push_back({static_cast<Eigen::Index>(unknown), residualOf(rays, motion, pair)});
            motion.parameters[unknown] = original;
        }
    }

    /// Adds one tangent plane of a pair to the normal equations, weighted by the Cauchy loss.
    void addPlane(double residual, std::size_t plane, double planeWeight,
                  std::span<const Shifted> shifts) {
        if (std::isnan(residual)) return;
        const double weight = planeWeight / (1 + residual * residual);
        const auto slopeOf = [&](const Shifted& shift) {
            const double shifted = shift.residual[plane];
            return std::isnan(shifted) ? 0 : (shifted - residual) / kDifferenceStep;
        };
        for (const Shifted& row : shifts) {
            const double slope = slopeOf(row);
            equations_.rhs[row.unknown] -= weight * slope * residual;
            for (const Shifted& column : shifts)
                equations_.matrix(row.unknown, column.unknown) += weight * slope * slopeOf(column);
        }
    }

    void addPrior(const TurntableMotion& motion) {
        for (std::size_t i = 0; i < unknownCount_; ++i) {
            const auto unknown = static_cast<Eigen::Index>(i);
            equations_.matrix(unknown, unknown) += 1 / (prior_.sigma[i] * prior_.sigma[i]);
            equations_.rhs[unknown] -= priorDeviation(motion, i) / prior_.sigma[i];
        }
    }

    const DenseNormalEquations& linearised(const TurntableMotion& motion) {
        const std::vector<PairResidual> current = residuals(motion);
        const std::vector<std::vector<PairResidual>> shared = sharedShifts(motion);
        const Rays rays(outlines_, motion);
        const auto size = static_cast<Eigen::Index>(unknownCount_);
        equations_.matrix.setZero(size, size);
        equations_.rhs.setZero(size);
        const double planeWeight = weightOf(sumOf(current));
        TurntableMotion turned = motion;
        std::vector<Shifted> shifts;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            shifts.clear();
            for (std::size_t i = 0; i < shared.size(); ++i)
                shifts.push_back({static_cast<Eigen::Index>(i), shared[i][k]});
            addAzimuthShifts(rays, turned, pairs_[k], shifts);
            for (std::size_t plane = 0; plane < 2; ++plane)
                addPlane(current[k][plane], plane, planeWeight, shifts);
        }
        addPrior(motion);
        return equations_;
    }

    std::span<const OutlineHull> outlines_;
    const MotionPrior& prior_;
    std::size_t unknownCount_;
    const std::stop_token& cancel_;
    std::vector<Pair> pairs_;
    std::size_t wholeOutlineCount_;
    double scale_ = 1;  ///< scale of the Cauchy loss, pixels
    DenseNormalEquations equations_;
    std::vector<PairResidual> startResiduals_;  ///< residuals of the start
    MotionFit result_;
};

}  // namespace

double TurntableMotion::azimuth(std::size_t photograph) const {
    return static_cast<double>(photograph) * parameters[step] +
           (photograph == 0 ? 0 : parameters[offsetIndex(photograph)]);
}

Pose TurntableMotion::pose(std::size_t photograph) const {
    const double c = std::cos(azimuth(photograph));
    const double s = std::sin(azimuth(photograph));
    Pose pose;
    pose.centre = glm::dvec3(c, s, 0);
    pose.rotation = rotationOf(*this) * glm::dmat3(c, -s, 0, s, c, 0, 0, 0, 1);
    return pose;
}

MotionFit fitMotion(std::span<const OutlineHull> outlines, const MotionPrior& prior,
                    const TurntableMotion& start, std::size_t unknownCount,
                    const std::stop_token& cancel) {
    return MotionFitter(outlines, prior, start, unknownCount, cancel).solve();
}

std::vector<std::vector<double>> azimuthOffsetCosts(std::span<const OutlineHull> outlines,
                                                    const MotionPrior& prior,
                                                    const TurntableMotion& start,
                                                    std::span<const double> offsets,
                                                    const std::stop_token& cancel) {
    MotionFitter fitter(outlines, prior, start, 0, cancel);
    std::vector<std::vector<double>> costs;
    for (std::size_t photo = 1; photo < outlines.size(); ++photo) {
        if (cancel.stop_requested()) throw Cancelled();
        costs.push_back(fitter.azimuthOffsetCosts(photo, offsets));
    }
    return costs;
}

}  // namespace threefold::turntable
