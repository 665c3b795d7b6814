#include "engine/metrics/matching.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr std::size_t kLanes = 16;
/// Prices of the points that only fill the last lanes: nothing is ever sent there.
constexpr float kNoPrice = -1e30F;
constexpr float kSmallestSum = 1e-30F;
/// Pairs of points; below, waking the threads takes longer than the work.
constexpr std::size_t kWorthThreads = std::size_t{1} << 17;

/// 2^x to 2e-7, for any x up to 126; compilers make it vector code, which std::exp2 stays out of.
inline float powerOfTwo(float x) {
    constexpr float kRounder = 12582912.0F;  // 1.5 · 2^23: adding it leaves an integer
    constexpr std::int32_t kRounderBits = 0x4B400000;
    const float limited = std::max(x, -126.0F);
    const float rounded = limited + kRounder;
    const float rest = limited - (rounded - kRounder);
    const std::int32_t exponent = std::bit_cast<std::int32_t>(rounded) - kRounderBits;
    float sum = 1.5403530e-4F;
    sum = sum * rest + 1.3333558e-3F;
    sum = sum * rest + 9.6181291e-3F;
    sum = sum * rest + 5.5504109e-2F;
    sum = sum * rest + 2.4022651e-1F;
    sum = sum * rest + 6.9314718e-1F;
    sum = sum * rest + 1.0F;
    return sum * std::bit_cast<float>((exponent + 127) << 23);
}

using Lanes = std::array<float, kLanes>;

double sumOf(const Lanes& lanes) {
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

/// A cloud in the layout that vector code reads: padded to whole lanes by points that nothing is
/// sent to.
struct Cloud {
    explicit Cloud(std::span<const glm::vec3> points)
        : count(points.size()),
          padded((count + kLanes - 1) / kLanes * kLanes),
          x(padded, 0),
          y(padded, 0),
          z(padded, 0),
          price(padded, kNoPrice),
          left(padded, 0) {
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = points[i].x;
            y[i] = points[i].y;
            z[i] = points[i].z;
            price[i] = 0;
            left[i] = 1.0F / static_cast<float>(count);
        }
    }

    std::size_t count;
    std::size_t padded;
    std::vector<float> x, y, z;
    std::vector<float> price;  ///< u or v
    std::vector<float> left;   ///< L or R
};

/// One run of the definition in the header, by its letters.
class Transport {
  public:
    Transport(std::span<const glm::vec3> first, std::span<const glm::vec3> second, float scale)
        : first_(first),
          second_(second),
          scale_(scale),
          rowLength_(std::max(first_.padded, second_.padded)),
          rows_(static_cast<std::size_t>(omp_get_max_threads()) * rowLength_) {}

    Matching run(const MatchingSchedule& schedule) {
        for (int shift = kFirstTemperatureShift; shift < kLastTemperatureShift; ++shift) {
            for (int i = 0; i < schedule.coolingIterations; ++i) iterate(temperature(shift), 1);
        }
        const int count = schedule.finalIterations;
        for (int i = 0; i < count; ++i) {
            const bool plain = i < 2 || i >= count - 2;
            iterate(temperature(kLastTemperatureShift),
                    plain ? 1.0F : static_cast<float>(schedule.relaxation));
        }
        Matching matching;
        matching.lowerBound = lowerBound();
        matching.cost = place();
        return matching;
    }

  private:
    float temperature(int shift) const { return std::ldexp(scale_, -shift); }

    void iterate(float t, float relaxation) {
        softTransform(first_, second_, t, relaxation);
        softTransform(second_, first_, t, relaxation);
    }

    /// Calls work(i, row) for every point of `of`, `row` being a thread's own.
    template <class Work>
    void forEach(const Cloud& of, Work work) {
        const auto count = static_cast<std::ptrdiff_t>(of.count);
        const bool worthThreads = first_.count * second_.count > kWorthThreads;
#pragma omp parallel for schedule(static) if (worthThreads)
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            work(static_cast<std::size_t>(i),
                 rows_.data() + static_cast<std::size_t>(omp_get_thread_num()) * rowLength_);
        }
    }

    /// Distances of one point to all of the other cloud.
    static void distances(const Cloud& from, std::size_t i, const Cloud& to, float* row) {
        const float px = from.x[i];
        const float py = from.y[i];
        const float pz = from.z[i];
        const float* x = to.x.data();
        const float* y = to.y.data();
        const float* z = to.z.data();
        for (std::size_t j = 0; j < to.padded; ++j) {
            const float dx = px - x[j];
            const float dy = py - y[j];
            const float dz = pz - z[j];
            row[j] = std::sqrt(dx * dx + dy * dy + dz * dz);
        }
    }

    void softTransform(Cloud& of, const Cloud& other, float t, float relaxation) {
        const float inverse = std::numbers::log2e_v<float> / t;
        const float* price = other.price.data();
        forEach(of, [&](std::size_t i, float* row) {
            distances(of, i, other, row);
            Lanes largest;
            largest.fill(std::numeric_limits<float>::lowest());
            for (std::size_t j = 0; j < other.padded; j += kLanes) {
                for (std::size_t l = 0; l < kLanes; ++l) {
                    const float exponent = (price[j + l] - row[j + l]) * inverse;
                    row[j + l] = exponent;
                    largest[l] = std::max(largest[l], exponent);
                }
            }
            const float most = *std::max_element(largest.begin(), largest.end());
            Lanes sums{};
            for (std::size_t j = 0; j < other.padded; j += kLanes) {
                for (std::size_t l = 0; l < kLanes; ++l) sums[l] += powerOfTwo(row[j + l] - most);
            }
            const double mean = sumOf(sums) / static_cast<double>(other.count);
            const float target = -(most + static_cast<float>(std::log2(mean))) / inverse;
            of.price[i] += relaxation * (target - of.price[i]);
        });
    }

    /// min over the other cloud of distance − price.
    std::vector<float> hardTransform(const Cloud& of, const Cloud& other,
                                     const std::vector<float>& price) {
        std::vector<float> result(of.padded, kNoPrice);
        forEach(of, [&](std::size_t i, float* row) {
            distances(of, i, other, row);
            float least = std::numeric_limits<float>::infinity();
            for (std::size_t j = 0; j < other.count; ++j)
                least = std::min(least, row[j] - price[j]);
            result[i] = least;
        });
        return result;
    }

    double lowerBound() {
        const std::vector<float> x = hardTransform(first_, second_, second_.price);
        const std::vector<float> y = hardTransform(second_, first_, x);
        const auto mean = [](const std::vector<float>& values, std::size_t count) {
            return std::accumulate(values.begin(),
                                   values.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
                   static_cast<double>(count);
        };
        return std::max(0.0, mean(x, first_.count) + mean(y, second_.count));
    }

    /// Σ_j K_ij weight_j and Σ_j K_ij weight_j c_ij of one point; K is 1 where `inverse` is 0.
    struct Sums {
        double mass;
        double cost;
    };
    static Sums kernelSums(const Cloud& of, std::size_t i, const Cloud& other,
                           const std::vector<float>& weights, float inverse, float* row) {
        distances(of, i, other, row);
        const float own = of.price[i];
        const float* price = other.price.data();
        const float* weight = weights.data();
        Lanes mass{};
        Lanes cost{};
        for (std::size_t j = 0; j < other.padded; j += kLanes) {
            for (std::size_t l = 0; l < kLanes; ++l) {
                const float kernel = powerOfTwo((own + price[j + l] - row[j + l]) * inverse);
                const float moved = kernel * weight[j + l];
                mass[l] += moved;
                cost[l] += moved * row[j + l];
            }
        }
        return {sumOf(mass), sumOf(cost)};
    }

    double place() {
        std::vector<float> f(first_.padded, 0);
        std::vector<float> g(second_.padded, 0);
        std::vector<double> costs(first_.count, 0);
        for (int step = 0; step <= kFillSteps; ++step) {
            const float inverse =
                step == kFillSteps
                    ? 0.0F
                    : std::numbers::log2e_v<float> / temperature(kLastTemperatureShift - step);
            forEach(first_, [&](std::size_t i, float* row) {
                const double sum = kernelSums(first_, i, second_, second_.left, inverse, row).mass;
                f[i] = sum < kSmallestSum ? 0.0F : static_cast<float>(first_.left[i] / sum);
            });
            forEach(second_, [&](std::size_t j, float* row) {
                float& left = second_.left[j];
                const double asked = left * kernelSums(second_, j, first_, f, inverse, row).mass;
                const double share = asked < kSmallestSum ? 1.0 : std::min(1.0, left / asked);
                g[j] = static_cast<float>(left * share);
                left = static_cast<float>(std::max(0.0, left - asked));
            });
            forEach(first_, [&](std::size_t i, float* row) {
                const Sums sums = kernelSums(first_, i, second_, g, inverse, row);
                costs[i] += f[i] * sums.cost;
                first_.left[i] =
                    static_cast<float>(std::max(0.0, first_.left[i] - f[i] * sums.mass));
            });
        }
        const auto total = [](const std::vector<float>& values) {
            return std::accumulate(values.begin(), values.end(), 0.0);
        };
        return std::accumulate(costs.begin(), costs.end(), 0.0) +
               std::max(total(first_.left), total(second_.left)) * static_cast<double>(scale_);
    }

    Cloud first_;
    Cloud second_;
    float scale_;
    std::size_t rowLength_;
    std::vector<float> rows_;
};

void requirePoints(std::span<const glm::vec3> points, const char* name) {
    if (points.empty()) {
        throw InputError(
            {name, "", "has no points", "A matching needs at least one point on both sides."});
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::vec3& p = points[i];
        // Also false for NaN; beyond it, squares of differences leave the range of float32.
        constexpr float kLargest = 1e18F;
        if (std::abs(p.x) <= kLargest && std::abs(p.y) <= kLargest && std::abs(p.z) <= kLargest) {
            continue;
        }
        throw InputError({name, fmt::format("point {}", i),
                          "has a coordinate that is not finite, or above 1e18",
                          "Remove or repair it."});
    }
}

}  // namespace

void requireMatchable(const CloudPair& clouds) {
    requirePoints(clouds.first, "first cloud");
    requirePoints(clouds.second, "second cloud");
}

void requireMatchable(const MatchingSchedule& schedule) {
    constexpr int kFewestFinal = 4;
    const bool usable = schedule.coolingIterations >= 0 &&
                        schedule.finalIterations >= kFewestFinal && schedule.relaxation >= 1 &&
                        schedule.relaxation < 2;
    if (!usable) {
        throw InputError({"matching schedule", "", "cannot be run",
                          "Give at least 4 final iterations and a relaxation of 1 to below 2."});
    }
}

Matching approximateMatching(const CloudPair& clouds, const MatchingSchedule& schedule) {
    requireMatchable(clouds);
    requireMatchable(schedule);
    glm::vec3 low = clouds.first.front();
    glm::vec3 high = low;
    for (const std::span<const glm::vec3> points : {clouds.first, clouds.second}) {
        for (const glm::vec3& point : points) {
            low = glm::min(low, point);
            high = glm::max(high, point);
        }
    }
    const float scale = glm::length(high - low);
    if (scale == 0) return {};
    return Transport(clouds.first, clouds.second, scale).run(schedule);
}

MatchingBatch approximateMatchings(std::span<const CloudPair> pairs,
                                   const MatchingSchedule& schedule) {
    const Stopwatch watch;
    MatchingBatch batch;
    for (const CloudPair& pair : pairs) batch.pairs.push_back(approximateMatching(pair, schedule));
    batch.milliseconds = watch.milliseconds();
    return batch;
}

}  // namespace threefold
