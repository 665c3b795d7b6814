#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/nearest.h"

namespace threefold {

/// Schedule of approximateMatching(). With the defaults the gap is about one per cent of the cost
/// for clouds of similar shape, less for different ones.
struct MatchingSchedule {
    int coolingIterations = 4;  ///< at each temperature except the last
    int finalIterations = 200;  ///< at the last temperature, at least 4
    double relaxation = 1.9;    ///< 1 (none) to below 2, in the middle final iterations
};

/// Maximum pairs of points to match, 65 536 points per side: minutes on two cores.
inline constexpr std::size_t kMaxMatchedPairs = std::size_t{1} << 32U;

/// Receives the completed fraction of a run, 0 to 1, on the thread that does the work.
using MatchingProgress = std::function<void(double fraction)>;

/// Temperatures are scale · 2^-3 … scale · 2^-10, halved at each level.
inline constexpr int kFirstTemperatureShift = 3;
inline constexpr int kLastTemperatureShift = 10;
/// Steps that place the remaining mass, each at twice the temperature; a step with K = 1 follows.
inline constexpr int kFillSteps = 8;

/// Fraction of the distance up to which the gap counts as settled.
inline constexpr double kSettledFraction = 0.2;

/// Earth mover's distance between two clouds: the minimum cost of a transport plan. Each point of
/// the first cloud holds a mass of 1/n, each of the second receives 1/m. Moving mass costs mass ×
/// distance, so the cost is a mean distance, in the points' unit and not squared.
struct EarthMoversDistance {
    double distance = 0;    ///< cost of the plan found: not below the optimum
    double lowerBound = 0;  ///< dual value: not above the optimum, but for rounding
    bool exact = false;     ///< whether `distance` is the optimum
    double gap() const { return distance - lowerBound; }  ///< bound on distance − optimum
    /// Whether the prices converged: the gap is at most kSettledFraction of the distance. False if
    /// they diverged, or if the distance is hardly above the last temperature.
    bool settled() const { return gap() <= kSettledFraction * distance; }
};

/// Computes the earth mover's distance by entropic transport with cooling, for any n and m;
/// deterministic. All back ends follow this definition; sums may be in any fixed order, in float32
/// or wider, so that results of back ends differ only by rounding.
///
/// c_ij = |a_i − b_j|, differences first. scale = the diagonal of the box around both clouds; if
/// scale is 0, so is the result. Prices u (n) and v (m) start at 0. A half step is
///     U(t):  u'_i = −t · log( 1/m · Σ_j exp((v_j − c_ij) / t) )
///     V(t):  v'_j = −t · log( 1/n · Σ_i exp((u_i − c_ij) / t) )
/// 1. Cooling: for shift = 3 … 9: coolingIterations times u ← U(scale · 2^-shift), v ← V(…).
/// 2. Last temperature t = scale · 2^-10: finalIterations times u ← u + w (U(t) − u), then
///    v ← v + w (V(t) − v), where w = relaxation, but 1 in the first two and the last two
///    iterations.
/// 3. Lower bound: x_i = min_j (c_ij − v_j), y_j = min_i (c_ij − x_i);
///    lowerBound = max(0, Σ x_i / n + Σ y_j / m). (x, y) is feasible for the dual by construction,
///    for any prices, so the bound always holds.
/// 4. Plan: L_i = 1/n and R_j = 1/m are the masses left to place. For step = 0 … 8, with
///    K_ij = exp((u_i + v_j − c_ij) / (t · 2^step)), but K_ij = 1 in step 8:
///        S_i = Σ_j K_ij R_j          f_i = L_i / S_i, 0 where S_i < 1e-30
///        q_j = R_j Σ_i f_i K_ij      g_j = R_j · min(1, R_j / q_j), R_j where q_j < 1e-30
///        distance += Σ_i f_i Σ_j K_ij g_j c_ij
///        L_i ← max(0, L_i − f_i Σ_j K_ij g_j)      R_j ← max(0, R_j − q_j)
///    The plan never takes more than a point has. The mass left by rounding, max(ΣL, ΣR), is
///    charged with scale, which no distance exceeds.
/// 5. Settling: relaxed iterations close the gap faster, but on some clouds they oscillate for ever
///    or diverge (normal distributions of spreads 2 : 3), which plain iterations never do. So if
///    relaxation > 1 and the result of 1 to 4 has not settled(), 1 to 4 run again with
///    relaxation 1. If the second run has settled, it is the result; else the result has the lower
///    distance and the higher bound of the two runs, each valid by itself. (Oscillation amplifies
///    rounding, by which back ends would differ.)
/// (Cuturi 2013 for 1, Thibault et al. 2021 for the relaxation; 4 replaces the published
/// approxmatch, which is wrong unless n and m are multiples of each other.)
///
/// Bounds hold up to float32 rounding, about 1e-6 of scale. Throws InputError if a cloud is empty,
/// a coordinate is not finite or above 1e18, or there are more than kMaxMatchedPairs pairs;
/// Cancelled within milliseconds of a request. `progress` may be empty; the second run of step 5
/// restarts at 0.
EarthMoversDistance approximateMatching(const CloudPair& clouds,
                                        const MatchingSchedule& schedule = {},
                                        const std::stop_token& cancel = {},
                                        const MatchingProgress& progress = {});

/// Checks arguments of approximateMatching(), for other implementations of it. Throws InputError as
/// approximateMatching() does.
void requireMatchable(const CloudPair& clouds);
void requireMatchable(const MatchingSchedule& schedule);

/// Runs steps 1 to 4 for each pair, on any back end.
using MatchingRun = std::function<std::vector<EarthMoversDistance>(
    std::span<const CloudPair> pairs, const MatchingSchedule& schedule)>;

/// Step 5: calls `run` with all pairs, then with unsettled ones. Exceptions of `run` propagate.
std::vector<EarthMoversDistance> settledMatchings(std::span<const CloudPair> pairs,
                                                  const MatchingSchedule& schedule,
                                                  const MatchingRun& run);

/// Distances of a batch of pairs, with the computation time.
struct MatchingBatch {
    std::vector<EarthMoversDistance> pairs;
    double milliseconds = 0;  ///< computation only, without transfers; on a GPU from CUDA events
};
MatchingBatch approximateMatchings(std::span<const CloudPair> pairs,
                                   const MatchingSchedule& schedule = {});

/// Maximum points per side for exactMatching().
inline constexpr std::size_t kMaxExactPoints = 2048;

/// Whether exactMatching() accepts the clouds: 1 to kMaxExactPoints points per side.
bool canMatchExactly(const CloudPair& clouds);

/// Computes an optimal plan, for any n and m, by LEMON's network simplex with integer masses and
/// costs (units of scale · 2^-40). `lowerBound` follows from its prices as in step 3. Both values
/// are in double precision and agree to 1e-11 of scale. 2048 × 2048 points take 0.5 to 3 seconds
/// and 160 MB; `cancel` is checked only before and after. Throws InputError as
/// approximateMatching() does, and if !canMatchExactly(); Cancelled.
EarthMoversDistance exactMatching(const CloudPair& clouds, const std::stop_token& cancel = {});

}  // namespace threefold
