#include "engine/turntable/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/compute/least_squares.h"
#include "engine/error.h"

namespace threefold::turntable {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// World → camera at azimuth 0, which stands at x = 1.
glm::dmat3 rotationOf(const Motion& motion) {
    const auto turn = [](double angle, int from, int to) {
        glm::dmat3 made(1.0);
        made[from][from] = made[to][to] = std::cos(angle);
        made[from][to] = std::sin(angle);
        made[to][from] = -std::sin(angle);
        return made;
    };
    const glm::dmat3 towardsAxis(0, 0, 1, 1, 0, 0, 0, 1, 0);
    return turn(motion.values[Motion::roll], 0, 1) * turn(motion.values[Motion::tilt], 1, 2) *
           turn(motion.values[Motion::pan], 2, 0) * towardsAxis;
}

/// The outlines' corners as directions from the camera at azimuth 0.
struct Rays {
    std::vector<std::vector<glm::dvec3>> directions;
    double centre = 0;  ///< the object's height on the axis, about

    Rays(std::span<const Corners> outlines, const Motion& motion) {
        const glm::dmat3 back = glm::transpose(rotationOf(motion));
        const double focal = std::exp(motion.values[Motion::logFocal]);
        glm::dvec3 sum(0.0);
        for (const Corners& outline : outlines) {
            std::vector<glm::dvec3>& own = directions.emplace_back();
            for (const glm::dvec2 corner : outline) {
                own.push_back(back * glm::dvec3(corner / focal, -1));
                sum += own.back() / static_cast<double>(outline.size());
            }
        }
        centre = sum.z / std::max(1e-6, -sum.x);
    }
};

/// The lowest and the highest plane that touch an outline, about the line between two cameras.
struct Touching {
    std::array<double, 2> angle = {};
    std::array<double, 2> lever = {};  ///< how far a pixel moves with its plane: 0 to 1
};

/// Seen from the middle between both cameras, this one is at `azimuth`, the object towards `ahead`
/// in x and z. None: the other camera is seen in the outline, or close to it.
std::optional<Touching> touching(const std::vector<glm::dvec3>& rays, double azimuth,
                                 glm::dvec2 ahead) {
    constexpr double kLeastAhead = 0.05, kLeastLever = 0.15;
    const double c = std::cos(azimuth);
    const double s = std::sin(azimuth);
    std::array<double, 2> slopes = {kNone, kNone};
    Touching made;
    for (const glm::dvec3& ray : rays) {
        const double across = c * ray.x - s * ray.y;
        const double forward = across * ahead.x + ray.z * ahead.y;
        const double up = ray.z * ahead.x - across * ahead.y;
        if (!(forward > kLeastAhead)) return std::nullopt;
        const double slope = up / forward;
        const auto take = [&](std::size_t which) {
            slopes[which] = slope;
            made.lever[which] = std::hypot(forward, up) / glm::length(ray);
        };
        if (!(slope >= slopes[0])) take(0);
        if (!(slope <= slopes[1])) take(1);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        made.angle[k] = std::atan(slopes[k]);
        if (!(made.lever[k] > kLeastLever)) return std::nullopt;
    }
    return made;
}

/// Two photographs, by their planes above and below.
struct Pair {
    std::size_t one = 0, other = 0;
};

/// All pairs, or of many photographs those at some distances in their order, the same for each.
std::vector<Pair> pairsOf(std::span<const Corners> outlines) {
    constexpr std::size_t kMostDistances = 64;
    const std::size_t count = outlines.size();
    std::vector<bool> taken(count, count <= kMostDistances + 1);
    for (std::size_t k = 0; k < kMostDistances && count > kMostDistances + 1; ++k)
        taken[1 + k * (count - 2) / (kMostDistances - 1)] = true;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            if (taken[j - i] && !outlines[i].empty() && !outlines[j].empty())
                pairs.push_back({i, j});
    return pairs;
}

using PairResidual = std::array<double, 2>;
constexpr PairResidual kNoResidual = {kNone, kNone};

class Fit {
  public:
    Fit(std::span<const Corners> outlines, const MotionPrior& prior, const Motion& start,
        std::size_t unknowns, const std::stop_token& cancel)
        : outlines_(outlines),
          prior_(prior),
          unknowns_(unknowns),
          cancel_(cancel),
          pairs_(pairsOf(outlines)) {
        made_.motion = start;
    }

    MotionFit solve() {
        constexpr int kRounds = 3, kMostSteps = 15;
        constexpr double kEnough = 1e-4, kLeastScale = 0.7, kOfMedian = 2;
        Motion& motion = made_.motion;
        for (int round = 0; round < kRounds && unknowns_ > 0; ++round) {
            scale_ = 1;
            scale_ = std::max(kLeastScale, kOfMedian * median(flat(residuals(motion))));
            levenbergMarquardt(
                motion, kMostSteps, kEnough, [&](const Motion& at) { return cost(at); },
                [&](const Motion& at) -> const auto& { return linearised(at); },
                [&](Motion& to, std::span<const double> step) {
                    constexpr double kFarthest = 0.3;  // where it is still about linear
                    for (std::size_t i = 0; i < unknowns_; ++i)
                        to.values[i] += std::clamp(step[i], -kFarthest, kFarthest);
                });
        }
        if (unknowns_ > 0) findErrors();
        scale_ = 1;
        made_.cost = cost(motion);
        std::vector<std::vector<double>> ofEach(outlines_.size());
        const std::vector<PairResidual> all = residuals(motion);
        for (std::size_t k = 0; k < pairs_.size(); ++k)
            for (const std::size_t photo : {pairs_[k].one, pairs_[k].other})
                ofEach[photo].insert(ofEach[photo].end(), all[k].begin(), all[k].end());
        for (std::vector<double>& each : ofEach) made_.residuals.push_back(median(std::move(each)));
        return std::move(made_);
    }

    /// Costs of the start with photograph `photo` moved by each of `turns`.
    std::vector<double> costsOfTurns(std::size_t photo, std::span<const double> turns) {
        scale_ = 1;
        const Rays rays(outlines_, made_.motion);
        if (whole_.empty()) whole_ = residuals(made_.motion);
        std::vector<double> costs;
        for (const double turn : turns) {
            Motion moved = made_.motion;
            moved.values[Motion::firstTurn + photo - 1] += turn;
            Sum sum = sumOf(whole_);
            for (std::size_t k = 0; k < pairs_.size(); ++k) {
                if (pairs_[k].one != photo && pairs_[k].other != photo) continue;
                sum.add(whole_[k], -1);
                sum.add(residualOf(rays, moved, pairs_[k]), 1);
            }
            costs.push_back(costOf(sum, moved));
        }
        return costs;
    }

  private:
    struct Sum {
        double logs = 0, used = 0;
        void add(const PairResidual& each, double sign) {
            for (const double residual : each) {
                if (std::isnan(residual)) continue;
                logs += sign * std::log1p(residual * residual);
                used += sign;
            }
        }
    };
    static Sum sumOf(const std::vector<PairResidual>& all) {
        Sum sum;
        for (const PairResidual& each : all) sum.add(each, 1);
        return sum;
    }
    static std::vector<double> flat(const std::vector<PairResidual>& all) {
        std::vector<double> values;
        for (const PairResidual& each : all) values.insert(values.end(), each.begin(), each.end());
        return values;
    }

    static double median(std::vector<double> residuals) {
        std::erase_if(residuals, [](double residual) { return std::isnan(residual); });
        if (residuals.empty()) return 0;
        const auto middle = residuals.begin() + static_cast<std::ptrdiff_t>(residuals.size() / 2);
        std::ranges::nth_element(residuals, middle, {},
                                 [](double residual) { return std::abs(residual); });
        return std::abs(*middle);
    }

    void findErrors() {
        const Eigen::MatrixXd& matrix = linearised(made_.motion).matrix;
        for (std::size_t i = 0; i < unknowns_; ++i) {
            const auto unknown = static_cast<Eigen::Index>(i);
            const std::optional<Eigen::VectorXd> column =
                solveSymmetric(matrix, Eigen::VectorXd::Unit(matrix.rows(), unknown));
            made_.errors.push_back(column ? std::sqrt((*column)[unknown]) : kNone);
            // Of the turns nobody asks.
            if (i + 1 == Motion::firstTurn) break;
        }
    }

    PairResidual residualOf(const Rays& rays, const Motion& motion, const Pair& pair) const {
        const double pixels = std::exp(motion.values[Motion::logFocal]) / (prior_.pixel * scale_);
        const double half = (motion.azimuth(pair.other) - motion.azimuth(pair.one)) / 2;
        const glm::dvec2 ahead(-std::cos(half), rays.centre);
        constexpr double kOpposite = 0.1;  // the object between two cameras at its height
        if (glm::length(ahead) < kOpposite) return kNoResidual;
        const auto one = touching(rays.directions[pair.one], -half, glm::normalize(ahead));
        const auto other = touching(rays.directions[pair.other], half, glm::normalize(ahead));
        if (!one || !other) return kNoResidual;
        PairResidual residual;
        for (std::size_t k = 0; k < 2; ++k)
            residual[k] = (one->angle[k] - other->angle[k]) * pixels /
                          std::hypot(1 / one->lever[k], 1 / other->lever[k]);
        return residual;
    }

    /// Distances ÷ scale of all pairs' planes; NaN where they do not count.
    std::vector<PairResidual> residuals(const Motion& motion) const {
        const Rays rays(outlines_, motion);
        std::vector<PairResidual> all;
        all.reserve(pairs_.size());
        for (const Pair& pair : pairs_) {
            if (cancel_.stop_requested()) throw Cancelled();
            all.push_back(residualOf(rays, motion, pair));
        }
        return all;
    }

    /// All planes together count as four independent measurements of each outline.
    double weightOf(const Sum& sum) const {
        return 4.0 * static_cast<double>(outlines_.size()) / sum.used;
    }

    double offMean(const Motion& motion, std::size_t i) const {
        return (motion.values[i] - prior_.mean[i]) / prior_.sigma[i];
    }

    double cost(const Motion& motion) const { return costOf(sumOf(residuals(motion)), motion); }

    double costOf(const Sum& of, const Motion& motion) const {
        double sum = of.logs * weightOf(of);
        for (std::size_t i = 0; i < motion.values.size(); ++i)
            sum += offMean(motion, i) * offMean(motion, i);
        return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
    }

    const DenseNormalEquations& linearised(const Motion& motion) {
        constexpr double kStep = 1e-6;
        const std::vector<PairResidual> here = residuals(motion);
        const Rays rays(outlines_, motion);
        const std::size_t shared = std::min<std::size_t>(unknowns_, Motion::firstTurn);
        const auto moved = [&](std::size_t i) {
            Motion to = motion;
            to.values[i] += kStep;
            return to;
        };
        std::vector<std::vector<PairResidual>> ofShared;
        for (std::size_t i = 0; i < shared; ++i) ofShared.push_back(residuals(moved(i)));
        const auto size = static_cast<Eigen::Index>(unknowns_);
        equations_.matrix.setZero(size, size);
        equations_.rhs.setZero(size);
        const double each = weightOf(sumOf(here));
        Motion turned = motion;
        struct Slope {
            Eigen::Index unknown;
            PairResidual there;
        };
        std::vector<Slope> slopes;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            slopes.clear();
            for (std::size_t i = 0; i < shared; ++i)
                slopes.push_back({static_cast<Eigen::Index>(i), ofShared[i][k]});
            for (const std::size_t photo : {pairs_[k].one, pairs_[k].other}) {
                const std::size_t unknown = Motion::firstTurn + photo - 1;
                if (photo == 0 || unknown >= unknowns_) continue;
                if (cancel_.stop_requested()) throw Cancelled();
                turned.values[unknown] = motion.values[unknown] + kStep;
                slopes.push_back(
                    {static_cast<Eigen::Index>(unknown), residualOf(rays, turned, pairs_[k])});
                turned.values[unknown] = motion.values[unknown];
            }
            for (std::size_t plane = 0; plane < 2; ++plane) {
                const double residual = here[k][plane];
                if (std::isnan(residual)) continue;
                const double weight = each / (1 + residual * residual);
                const auto slopeOf = [&](const Slope& slope) {
                    const double there = slope.there[plane];
                    return std::isnan(there) ? 0 : (there - residual) / kStep;
                };
                for (const Slope& one : slopes) {
                    const double slope = slopeOf(one);
                    equations_.rhs[one.unknown] -= weight * slope * residual;
                    for (const Slope& other : slopes)
                        equations_.matrix(one.unknown, other.unknown) +=
                            weight * slope * slopeOf(other);
                }
            }
        }
        for (std::size_t i = 0; i < unknowns_; ++i) {
            const auto unknown = static_cast<Eigen::Index>(i);
            equations_.matrix(unknown, unknown) += 1 / (prior_.sigma[i] * prior_.sigma[i]);
            equations_.rhs[unknown] -= offMean(motion, i) / prior_.sigma[i];
        }
        return equations_;
    }

    std::span<const Corners> outlines_;
    const MotionPrior& prior_;
    std::size_t unknowns_;
    const std::stop_token& cancel_;
    std::vector<Pair> pairs_;
    double scale_ = 1;  ///< of what counts as outlier, pixels
    DenseNormalEquations equations_;
    std::vector<PairResidual> whole_;  ///< of the start
    MotionFit made_;
};

}  // namespace

double Motion::azimuth(std::size_t photograph) const {
    return static_cast<double>(photograph) * values[step] +
           (photograph == 0 ? 0 : values[firstTurn + photograph - 1]);
}

Camera Motion::camera(std::size_t photograph) const {
    const double c = std::cos(azimuth(photograph));
    const double s = std::sin(azimuth(photograph));
    Camera made;
    made.origin = glm::dvec3(c, s, 0);
    made.rotation = rotationOf(*this) * glm::dmat3(c, -s, 0, s, c, 0, 0, 0, 1);
    return made;
}

MotionFit fitMotion(std::span<const Corners> outlines, const MotionPrior& prior,
                    const Motion& start, std::size_t unknowns, const std::stop_token& cancel) {
    return Fit(outlines, prior, start, unknowns, cancel).solve();
}

std::vector<std::vector<double>> costsOfTurns(std::span<const Corners> outlines,
                                              const MotionPrior& prior, const Motion& start,
                                              std::span<const double> turns,
                                              const std::stop_token& cancel) {
    Fit fit(outlines, prior, start, 0, cancel);
    std::vector<std::vector<double>> costs;
    for (std::size_t photo = 1; photo < outlines.size(); ++photo) {
        if (cancel.stop_requested()) throw Cancelled();
        costs.push_back(fit.costsOfTurns(photo, turns));
    }
    return costs;
}

}  // namespace threefold::turntable
