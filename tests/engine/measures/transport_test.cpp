#include "engine/measures/simd/transport.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

/// Points, potentials and weights as the kernels take them, padded with points that get no mass.
struct Cloud {
    explicit Cloud(unsigned seed, std::size_t points)
        : count(points),
          padded((points + simd::kTransportLanes - 1) / simd::kTransportLanes *
                 simd::kTransportLanes) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0, 0.3F);
        for (std::vector<float>* values : {&x, &y, &z, &potential, &weight}) {
            values->assign(padded, 0);
            for (std::size_t i = 0; i < count; ++i) (*values)[i] = normal(random);
        }
        for (float& w : weight) w = std::abs(w);
        std::fill(potential.begin() + static_cast<std::ptrdiff_t>(count), potential.end(), -1e30F);
    }

    simd::TransportCloud view() const { return {x.data(), y.data(), z.data(), padded}; }
    double distance(const float* point, std::size_t j) const {
        return std::hypot(double(point[0]) - x[j], double(point[1]) - y[j],
                          double(point[2]) - z[j]);
    }

    std::size_t count;
    std::size_t padded;
    std::vector<float> x, y, z, potential, weight;
};

constexpr std::size_t kSizes[] = {1, 2, 15, 16, 17, 100, 6500};
constexpr float kPoint[] = {0.1F, -0.2F, 0.3F};
// An exponent of 100 has an error of 100 · 6e-8, plus some roundings.
constexpr double kRelative = 1e-5;

TEST(TransportKernels, computePowersOfTwo_withinThreeTenMillionths) {
    std::vector<float> x;
    for (float at = -126; at < 126; at += 0.00123F) x.push_back(at);
    x.resize(x.size() / simd::kTransportLanes * simd::kTransportLanes);
    std::vector<float> power(x.size());
    for (const simd::TransportKernels* kernels : simd::runnableTransportKernels()) {
        kernels->powersOfTwo(x.data(), x.size(), power.data());
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            worst = std::max(worst, std::abs(power[i] / std::exp2(double(x[i])) - 1));
        }
        EXPECT_LE(worst, 3e-7) << kernels->name;
        std::vector<float> low(simd::kTransportLanes, -std::numeric_limits<float>::infinity());
        low[1] = -1e30F;
        low[2] = -127;
        kernels->powersOfTwo(low.data(), low.size(), low.data());
        for (const float value : low) EXPECT_NEAR(value / 0x1p-126, 1, 1e-6) << kernels->name;
    }
}

TEST(TransportKernels, sumPowers_asInDoublePrecision) {
    for (const std::size_t count : kSizes) {
        const Cloud to(1, count);
        std::vector<float> row(to.padded);
        constexpr float kInverse = 70;
        double sum = 0;
        for (std::size_t j = 0; j < count; ++j) {
            sum += std::exp2(kInverse * (to.potential[j] - to.distance(kPoint, j)));
        }
        for (const simd::TransportKernels* kernels : simd::runnableTransportKernels()) {
            const auto found =
                kernels->powerSum(to.view(), kPoint, to.potential.data(), kInverse, row.data());
            EXPECT_NEAR(std::log2(found.sum) + found.maxExponent, std::log2(sum), 1e-4)
                << kernels->name << ", " << count;
        }
    }
}

TEST(TransportKernels, findTheMinimum_asInDoublePrecision) {
    for (const std::size_t count : kSizes) {
        const Cloud to(2, count);
        double min = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < count; ++j) {
            min = std::min(min, to.distance(kPoint, j) - to.potential[j]);
        }
        for (const simd::TransportKernels* kernels : simd::runnableTransportKernels()) {
            EXPECT_NEAR(kernels->minReducedCost(to.view(), kPoint, to.potential.data()), min, 1e-6)
                << kernels->name << ", " << count;
        }
    }
}

TEST(TransportKernels, moveMass_asInDoublePrecision) {
    for (const std::size_t count : kSizes) {
        const Cloud to(3, count);
        for (const float inverse : {0.0F, 20.0F}) {
            double mass = 0;
            double cost = 0;
            for (std::size_t j = 0; j < count; ++j) {
                const double distance = to.distance(kPoint, j);
                const double part =
                    std::exp2(inverse * (0.05F + to.potential[j] - distance)) * to.weight[j];
                mass += part;
                cost += part * distance;
            }
            for (const simd::TransportKernels* kernels : simd::runnableTransportKernels()) {
                const auto found = kernels->transported(
                    to.view(), kPoint, 0.05F, to.potential.data(), to.weight.data(), inverse);
                EXPECT_NEAR(found.mass, mass, kRelative * mass) << kernels->name << ", " << count;
                EXPECT_NEAR(found.cost, cost, kRelative * cost) << kernels->name << ", " << count;
            }
        }
    }
}

}  // namespace
}  // namespace threefold
