#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/geometry/cloud_pair.h"

namespace threefold {

/// Schedule of sinkhornDistance(). With the defaults the gap is about one per cent of the cost
/// for clouds of similar shape, and smaller for clouds of different shapes.
struct SinkhornSchedule {
    int coolingIterations = 4;  ///< at each temperature except the last
    int finalIterations = 200;  ///< at the last temperature, at least 4
    /// Over-relaxation of the final iterations except the first two and the last two: 1 (none) to
    /// below 2.
    double relaxation = 1.9;
};

/// Maximum number of pairs of points. 65 536 points per side take minutes on two cores.
inline constexpr std::size_t kMaxTransportPairs = std::size_t{1} << 32U;

/// Receives the completed fraction of a run, 0 to 1, on the thread that does the work.
using TransportProgress = std::function<void(double fraction)>;

/// Temperatures of the schedule: scale · 2^-3 … 2^-10, halved at each level (METHOD.md §9, steps 1
/// and 2). The scale is the diagonal of both clouds' bounding box.
inline constexpr int kFirstTemperatureShift = 3;
inline constexpr int kLastTemperatureShift = 10;
/// Number of temperatures at which remaining mass is placed (METHOD.md §9, step 4): the last one,
/// and then each twice the one before. A further step with all factors K = 1 places the rest.
inline constexpr int kPlacementSteps = 8;

/// Fraction of the distance up to which a gap counts as converged.
inline constexpr double kConvergedGap = 0.2;

/// Earth mover's distance between two clouds, in the points' unit, not squared: the minimum cost of
/// a transport plan. Each point of the first cloud holds a mass of 1/n, each of the second receives
/// 1/m; moving mass costs mass × distance.
struct EarthMoversDistance {
    double distance = 0;    ///< cost of the plan found: not below the optimum
    double lowerBound = 0;  ///< dual value: not above the optimum, but for rounding
    bool isExact = false;   ///< whether `distance` is the optimum
    double gap() const { return distance - lowerBound; }  ///< bound on distance − optimum
    /// Whether the potentials converged: the gap is at most kConvergedGap of the distance. False if
    /// they diverged, or if the distance is hardly above the last temperature.
    bool hasConverged() const { return gap() <= kConvergedGap * distance; }
};

/// Computes the earth mover's distance by entropic transport with cooling, for any n and m.
/// METHOD.md §9 defines it step by step, for all back ends. Deterministic; back ends differ only by
/// rounding. Bounds hold up to float32 rounding, about 1e-6 of scale. Throws InputError if a cloud
/// is empty, a coordinate is not finite or above 1e18, or there are more than kMaxTransportPairs
/// pairs; Cancelled within milliseconds of a request. `progress` may be empty; a second run (step
/// 5) restarts at 0.
EarthMoversDistance sinkhornDistance(const CloudPair& clouds, const SinkhornSchedule& schedule = {},
                                     const std::stop_token& cancel = {},
                                     const TransportProgress& progress = {});

/// Checks arguments of sinkhornDistance(), for other implementations of it. Throws InputError as
/// sinkhornDistance() does.
void requireTransportable(const CloudPair& clouds);
void requireValidSchedule(const SinkhornSchedule& schedule);

/// Runs steps 1 to 4 of METHOD.md §9 for each pair, on any back end.
using TransportSolver = std::function<std::vector<EarthMoversDistance>(
    std::span<const CloudPair> pairs, const SinkhornSchedule& schedule)>;

/// Step 5 of METHOD.md §9: calls `solver` with all pairs, then with those that have not converged.
/// Exceptions of `solver` propagate.
std::vector<EarthMoversDistance> convergedDistances(std::span<const CloudPair> pairs,
                                                    const SinkhornSchedule& schedule,
                                                    const TransportSolver& solver);

/// Distances of a batch of pairs, with the computation time.
struct TransportResults {
    std::vector<EarthMoversDistance> pairs;
    double milliseconds = 0;  ///< computation only, without transfers; on a GPU from CUDA events
};
TransportResults sinkhornDistances(std::span<const CloudPair> pairs,
                                   const SinkhornSchedule& schedule = {});

/// Maximum points per side for exactEarthMoversDistance().
inline constexpr std::size_t kMaxExactPoints = 2048;

/// Whether exactEarthMoversDistance() accepts the clouds: 1 to kMaxExactPoints points per side.
bool canSolveExactly(const CloudPair& clouds);

/// Computes an optimal plan, for any n and m, by LEMON's network simplex with integer masses and
/// costs (units of scale · 2^-40). `lowerBound` follows from its potentials as in step 3 of
/// METHOD.md §9. Both values are in double precision and agree to 1e-11 of scale. 2048 × 2048
/// points take 0.5 to 3 seconds and 160 MB; `cancel` is checked only before and after. Throws
/// InputError as sinkhornDistance() does, and if !canSolveExactly(); Cancelled.
EarthMoversDistance exactEarthMoversDistance(const CloudPair& clouds,
                                             const std::stop_token& cancel = {});

}  // namespace threefold
