#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/nearest.h"

namespace threefold {

/// The schedule of approximateMatching(). The defaults leave a gap of about one per cent of the
/// cost between clouds of similar shape, less between different ones.
struct MatchingSchedule {
    int coolingIterations = 4;  ///< at each temperature above the last
    int finalIterations = 200;  ///< at the last one, at least 4
    double relaxation = 1.9;    ///< 1 (none) to below 2, of the middle final iterations
};

/// Most pairs of points that are matched, 65 536 points a side: minutes on two cores.
inline constexpr std::size_t kMostMatchedPairs = std::size_t{1} << 32U;

/// Receives the share of a run that is done, 0 to 1; called from the thread that does the work.
using MatchingProgress = std::function<void(double done)>;

/// Temperatures are scale · 2^-3 … scale · 2^-10, halved from level to level.
inline constexpr int kFirstTemperatureShift = 3;
inline constexpr int kLastTemperatureShift = 10;
/// Steps that place the remaining mass, each at twice the temperature; one without any follows.
inline constexpr int kFillSteps = 8;

/// Cost of a transport plan between two clouds, and how far from the cheapest plan it can be. Each
/// point of the first cloud holds a mass of 1/n, each of the second receives 1/m. Moving
/// mass costs mass × distance, so the cost is a mean distance (the earth mover's distance).
struct Matching {
    double cost = 0;        ///< of the plan that was found: not below the optimum
    double lowerBound = 0;  ///< dual value: not above the optimum
    double gap() const { return cost - lowerBound; }  ///< cost is at most this far from the optimum
    /// Whether the prices converged: the gap is at most kSettledShare of the cost. False where they
    /// diverged, and where the cost itself is hardly above the last temperature.
    bool settled() const;
};
inline constexpr double kSettledShare = 0.2;
inline bool Matching::settled() const {
    return gap() <= kSettledShare * cost;
}

/// The earth mover's distance by entropic transport with cooling, correct for any n and m and
/// deterministic. This is the definition that all backends follow; sums may be in any fixed order,
/// in float32 or wider, so that results of two backends differ by rounding alone.
///
/// c_ij = |a_i − b_j|, differences first. scale = the diagonal of the box around both clouds; where
/// it is 0 the answer is 0. Prices u (n) and v (m) start at 0. A half step is
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
///        cost += Σ_i f_i Σ_j K_ij g_j c_ij
///        L_i ← max(0, L_i − f_i Σ_j K_ij g_j)      R_j ← max(0, R_j − q_j)
///    The plan never takes more than a point has. The mass left by rounding, max(ΣL, ΣR), is
///    charged with scale, which no distance exceeds.
/// 5. Settling: relaxed iterations close the gap faster, but on some clouds they oscillate for ever
///    or diverge (normal distributions of spreads 2 : 3), which plain ones never do. So if
///    relaxation > 1 and the result of 1 to 4 has not settled(), 1 to 4 run again with
///    relaxation 1. That result is the answer if it has settled; else the answer is the lower cost
///    and the higher bound of the two runs, each of which is valid by itself. (Oscillation
///    amplifies rounding: backends would differ by it.)
/// (Cuturi 2013 for 1, Thibault et al. 2021 for the relaxation; 4 takes the place of the published
/// approxmatch, which is wrong where n and m are not multiples of each other.)
///
/// Bounds hold up to float32 rounding, about 1e-6 of scale. Throws InputError where a cloud is
/// empty or a coordinate is not finite, or above 1e18, or there are more than kMostMatchedPairs.
/// Once `cancel` is requested it throws Cancelled within milliseconds. `progress` may be empty; the
/// second run of step 5 begins at 0 again.
Matching approximateMatching(const CloudPair& clouds, const MatchingSchedule& schedule = {},
                             const std::stop_token& cancel = {},
                             const MatchingProgress& progress = {});

/// Throws as approximateMatching() does for these clouds; for other implementations of it.
void requireMatchable(const CloudPair& clouds);
void requireMatchable(const MatchingSchedule& schedule);

/// Runs steps 1 to 4 for each pair, on any backend.
using MatchingRun = std::function<std::vector<Matching>(std::span<const CloudPair> pairs,
                                                        const MatchingSchedule& schedule)>;

/// Step 5: calls `run` with all pairs, then with the unsettled ones. Throws what `run` throws.
std::vector<Matching> settledMatchings(std::span<const CloudPair> pairs,
                                       const MatchingSchedule& schedule, const MatchingRun& run);

/// The matchings of a batch, and the time taken.
struct MatchingBatch {
    std::vector<Matching> pairs;
    double milliseconds = 0;  ///< computation only; on a GPU from CUDA events, without transfers
};
MatchingBatch approximateMatchings(std::span<const CloudPair> pairs,
                                   const MatchingSchedule& schedule = {});

/// Most points on each side that exactMatching() accepts.
inline constexpr std::size_t kMostExactPoints = 2048;

/// Whether exactMatching() accepts them: each side has 1 to kMostExactPoints points.
bool canMatchExactly(const CloudPair& clouds);

/// The cheapest plan, any n and m, by LEMON's network simplex with whole masses and costs (units of
/// scale · 2^-40). `cost` is that plan's and `lowerBound` the value of its prices as in step 3,
/// both in double precision: they agree to 1e-11 of scale. 2048 × 2048 points take 0.5 to 3
/// seconds and 160 MB; `cancel` is checked only before and after. Throws InputError as above, and
/// where there are too many points; Cancelled.
Matching exactMatching(const CloudPair& clouds, const std::stop_token& cancel = {});

}  // namespace threefold
