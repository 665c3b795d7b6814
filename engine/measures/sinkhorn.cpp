#include "engine/measures/earth_movers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/measures/simd/transport.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr std::size_t kLanes = simd::kTransportLanes;
/// Potential of padding points, which receive no mass.
constexpr float kNoPotential = -1e30F;
/// Sums below this count as 0, so that no division overflows.
constexpr float kMinSum = 1e-30F;
/// Minimum number of pairs of points for several threads; for fewer pairs, waking the threads takes
/// longer than the work.
constexpr std::size_t kMinParallelPairs = std::size_t{1} << 20;
/// Number of points per work item of a thread.
constexpr std::size_t kChunk = 16;

/// A cloud as arrays for vector code, padded to whole lanes by points that receive no mass.
struct Cloud {
    explicit Cloud(std::span<const glm::vec3> points)
        : count(points.size()),
          paddedCount((count + kLanes - 1) / kLanes * kLanes),
          x(paddedCount, 0),
          y(paddedCount, 0),
          z(paddedCount, 0),
          potential(paddedCount, kNoPotential),
          remaining(paddedCount, 0) {
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = points[i].x;
            y[i] = points[i].y;
            z[i] = points[i].z;
            potential[i] = 0;
            remaining[i] = 1.0F / static_cast<float>(count);
        }
    }

    simd::TransportCloud view() const { return {x.data(), y.data(), z.data(), paddedCount}; }
    std::array<float, 3> point(std::size_t i) const { return {x[i], y[i], z[i]}; }

    std::size_t count;
    std::size_t paddedCount;
    std::vector<float> x, y, z;
    std::vector<float> potential;  ///< u or v
    std::vector<float> remaining;  ///< L or R
};

/// One run of sinkhornDistance() as METHOD.md §9 defines it, with its symbols.
class Transport {
  public:
    Transport(const CloudPair& clouds, float scale, std::stop_token cancel,
              const TransportProgress& progress)
        : first_(clouds.first),
          second_(clouds.second),
          scale_(scale),
          cancel_(std::move(cancel)),
          progress_(progress),
          threads_(first_.count * second_.count > kMinParallelPairs ? resolveThreadCount(0) : 1),
          rowLength_(std::max(first_.paddedCount, second_.paddedCount)),
          rows_(static_cast<std::size_t>(threads_) * rowLength_) {}

    /// Runs steps 1 to 4.
    EarthMoversDistance run(const SinkhornSchedule& schedule) {
        constexpr int kTemperatures = kLastTemperatureShift - kFirstTemperatureShift;
        passes_ = 2.0 * kTemperatures * schedule.coolingIterations +
                  2.0 * schedule.finalIterations + 2 + 3 * (kPlacementSteps + 1);
        for (int shift = kFirstTemperatureShift; shift < kLastTemperatureShift; ++shift)
            for (int i = 0; i < schedule.coolingIterations; ++i) iterate(temperature(shift), 1);
        const int count = schedule.finalIterations;
        for (int i = 0; i < count; ++i) {
            const bool plain = i < 2 || i >= count - 2;
            iterate(temperature(kLastTemperatureShift),
                    plain ? 1.0F : static_cast<float>(schedule.relaxation));
        }
        EarthMoversDistance result;
        result.lowerBound = lowerBound();
        result.distance = transportMass();
        return result;
    }

  private:
    float temperature(int shift) const { return std::ldexp(scale_, -shift); }

    void iterate(float t, float relaxation) {
        softCTransform(first_, second_, t, relaxation);
        softCTransform(second_, first_, t, relaxation);
    }

    /// Calls work(i, point, row) for each point of `cloud`, on several threads: a pass over all
    /// pairs. `row` is working memory of the thread.
    template <class Work>
    void forEach(const Cloud& cloud, Work work) {
        parallelFor(threads_, (cloud.count + kChunk - 1) / kChunk, cancel_,
                    [&](std::size_t chunk, std::size_t thread) {
                        const std::size_t end = std::min(cloud.count, (chunk + 1) * kChunk);
                        for (std::size_t i = chunk * kChunk; i < end; ++i)
                            work(i, cloud.point(i).data(), rows_.data() + thread * rowLength_);
                    });
        if (progress_) progress_(++donePasses_ / passes_);
    }

    void softCTransform(Cloud& cloud, const Cloud& other, float t, float relaxation) {
        const float inverseTemperature = std::numbers::log2e_v<float> / t;
        forEach(cloud, [&](std::size_t i, const float* point, float* row) {
            const auto [maxExponent, sum] = kernels_.powerSum(
                other.view(), point, other.potential.data(), inverseTemperature, row);
            const double mean = sum / static_cast<double>(other.count);
            const float target =
                -(maxExponent + static_cast<float>(std::log2(mean))) / inverseTemperature;
            cloud.potential[i] += relaxation * (target - cloud.potential[i]);
        });
    }

    /// For each point, the minimum of distance − potential over the other cloud.
    std::vector<float> cTransform(const Cloud& cloud, const Cloud& other,
                                  const std::vector<float>& potential) {
        std::vector<float> result(cloud.paddedCount, kNoPotential);
        forEach(cloud, [&](std::size_t i, const float* point, float* /*row*/) {
            result[i] = kernels_.minReducedCost(other.view(), point, potential.data());
        });
        return result;
    }

    double lowerBound() {
        const std::vector<float> x = cTransform(first_, second_, second_.potential);
        const std::vector<float> y = cTransform(second_, first_, x);
        const auto mean = [](const std::vector<float>& values, std::size_t count) {
            return std::accumulate(values.begin(),
                                   values.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
                   static_cast<double>(count);
        };
        return std::max(0.0, mean(x, first_.count) + mean(y, second_.count));
    }

    /// Mass that point i moves to the other cloud, and its cost; K = 1 at `inverseTemperature` 0.
    simd::TransportKernels::Transported transported(const Cloud& cloud, std::size_t i,
                                                    const Cloud& other,
                                                    const std::vector<float>& weights,
                                                    float inverseTemperature) const {
        return kernels_.transported(other.view(), cloud.point(i).data(), cloud.potential[i],
                                    other.potential.data(), weights.data(), inverseTemperature);
    }

    /// Runs step 4. Returns the cost.
    double transportMass() {
        std::vector<float> f(first_.paddedCount, 0);
        std::vector<float> g(second_.paddedCount, 0);
        std::vector<double> costs(first_.count, 0);
        for (int step = 0; step <= kPlacementSteps; ++step) {
            const float inverseTemperature =
                step == kPlacementSteps
                    ? 0.0F
                    : std::numbers::log2e_v<float> / temperature(kLastTemperatureShift - step);
            forEach(first_, [&](std::size_t i, const float* /*point*/, float* /*row*/) {
                const double sum =
                    transported(first_, i, second_, second_.remaining, inverseTemperature).mass;
                f[i] = sum < kMinSum ? 0.0F : static_cast<float>(first_.remaining[i] / sum);
            });
            forEach(second_, [&](std::size_t j, const float* /*point*/, float* /*row*/) {
                float& remaining = second_.remaining[j];
                const double requested =
                    remaining * transported(second_, j, first_, f, inverseTemperature).mass;
                const double fraction =
                    requested < kMinSum ? 1.0 : std::min(1.0, remaining / requested);
                g[j] = static_cast<float>(remaining * fraction);
                remaining = static_cast<float>(std::max(0.0, remaining - requested));
            });
            forEach(first_, [&](std::size_t i, const float* /*point*/, float* /*row*/) {
                const auto sums = transported(first_, i, second_, g, inverseTemperature);
                costs[i] += f[i] * sums.cost;
                first_.remaining[i] =
                    static_cast<float>(std::max(0.0, first_.remaining[i] - f[i] * sums.mass));
            });
        }
        const auto total = [](const std::vector<float>& values) {
            return std::accumulate(values.begin(), values.end(), 0.0);
        };
        return std::accumulate(costs.begin(), costs.end(), 0.0) +
               std::max(total(first_.remaining), total(second_.remaining)) *
                   static_cast<double>(scale_);
    }

    Cloud first_;
    Cloud second_;
    float scale_;
    std::stop_token cancel_;
    const TransportProgress& progress_;
    double passes_ = 0;  ///< number of passes over all pairs in the run
    double donePasses_ = 0;
    int threads_;
    const simd::TransportKernels& kernels_ = *simd::runnableTransportKernels().front();
    std::size_t rowLength_;
    std::vector<float> rows_;
};

void requirePoints(std::span<const glm::vec3> points, const char* name) {
    if (points.empty())
        throw InputError(
            {name, "", "has no points", "A matching needs at least one point on both sides."});
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::vec3& p = points[i];
        // Above this, squared differences overflow float32. NaN fails the comparisons, too.
        constexpr float kMaxCoordinate = 1e18F;
        if (std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate &&
            std::abs(p.z) <= kMaxCoordinate)
            continue;
        throw InputError({name, fmt::format("point {}", i),
                          "has a coordinate that is not finite, or above 1e18",
                          "Remove or repair it."});
    }
}

}  // namespace

void requireTransportable(const CloudPair& clouds) {
    requirePoints(clouds.first, "first cloud");
    requirePoints(clouds.second, "second cloud");
    if (clouds.first.size() <= kMaxTransportPairs / clouds.second.size()) return;
    throw InputError(
        {"earth mover's distance", "",
         fmt::format("{} and {} points are too many: at most {} pairs are matched, "
                     "65536 points a side",
                     clouds.first.size(), clouds.second.size(), kMaxTransportPairs),
         "Leave this measure out, or give fewer points: `protocol=surface` takes 10000 "
         "points of each side that has faces."});
}

void requireValidSchedule(const SinkhornSchedule& schedule) {
    constexpr int kMinFinal = 4;
    const bool usable = schedule.coolingIterations >= 0 && schedule.finalIterations >= kMinFinal &&
                        schedule.relaxation >= 1 && schedule.relaxation < 2;
    if (!usable)
        throw InputError({"matching schedule", "", "cannot be run",
                          "Give at least 4 final iterations and a relaxation of 1 to below 2."});
}

std::vector<EarthMoversDistance> convergedDistances(std::span<const CloudPair> pairs,
                                                    const SinkhornSchedule& schedule,
                                                    const TransportSolver& solver) {
    std::vector<EarthMoversDistance> results = solver(pairs, schedule);
    if (!(schedule.relaxation > 1)) return results;
    std::vector<std::size_t> diverging;
    std::vector<CloudPair> divergingPairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (results[i].hasConverged()) continue;
        diverging.push_back(i);
        divergingPairs.push_back(pairs[i]);
    }
    if (divergingPairs.empty()) return results;
    SinkhornSchedule plain = schedule;
    plain.relaxation = 1;
    const std::vector<EarthMoversDistance> steady = solver(divergingPairs, plain);
    for (std::size_t i = 0; i < diverging.size(); ++i) {
        EarthMoversDistance& result = results[diverging[i]];
        const EarthMoversDistance& other = steady[i];
        // A diverged run may have given NaN.
        if (other.hasConverged() || !(result.distance <= other.distance))
            result.distance = other.distance;
        if (other.hasConverged() || !(result.lowerBound >= other.lowerBound))
            result.lowerBound = other.lowerBound;
    }
    return results;
}

EarthMoversDistance sinkhornDistance(const CloudPair& clouds, const SinkhornSchedule& schedule,
                                     const std::stop_token& cancel,
                                     const TransportProgress& progress) {
    requireTransportable(clouds);
    requireValidSchedule(schedule);
    Box3f box = boundsOf(clouds.first);
    box.include(clouds.second);
    const float scale = glm::length(box.max - box.min);
    if (scale == 0) return {};
    const auto run = [&](std::span<const CloudPair> pairs, const SinkhornSchedule& runSchedule) {
        return std::vector{Transport(pairs.front(), scale, cancel, progress).run(runSchedule)};
    };
    return convergedDistances({&clouds, 1}, schedule, run).front();
}

TransportResults sinkhornDistances(std::span<const CloudPair> pairs,
                                   const SinkhornSchedule& schedule) {
    const Stopwatch watch;
    TransportResults batch;
    for (const CloudPair& pair : pairs) batch.pairs.push_back(sinkhornDistance(pair, schedule));
    batch.milliseconds = watch.milliseconds();
    return batch;
}

}  // namespace threefold
