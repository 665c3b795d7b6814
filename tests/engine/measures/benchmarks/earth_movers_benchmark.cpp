#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <glm/geometric.hpp>

#include "engine/measures/earth_movers.h"
#include "engine/measures/simd/transport.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

Points shell(unsigned seed, std::int64_t count, glm::vec3 radii) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Points points(static_cast<std::size_t>(count));
    for (glm::vec3& p : points) {
        p = radii * glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
    }
    return points;
}

void exact(benchmark::State& state) {
    const Points first = shell(1, state.range(0), {0.3F, 0.2F, 0.4F});
    const Points second = shell(2, state.range(1), glm::vec3(0.3F));
    for (auto _ : state) benchmark::DoNotOptimize(exactEarthMoversDistance({first, second}));
}
BENCHMARK(exact)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Args({1024, 1024})
    ->Args({2048, 2047})
    ->Args({2048, 2048});

void approximate(benchmark::State& state) {
    const Points first = shell(1, state.range(0), {0.3F, 0.2F, 0.4F});
    const Points second = shell(2, state.range(1), glm::vec3(0.3F));
    for (auto _ : state) benchmark::DoNotOptimize(sinkhornDistance({first, second}));
}
BENCHMARK(approximate)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Args({2466, 6500})
    ->Args({10'000, 10'000});

/// Sums one row of half a Sinkhorn iteration on one thread. range(0): index of the instruction set
/// among those that this processor can run (0: the fastest).
void powerSum(benchmark::State& state) {
    const auto available = simd::runnableTransportKernels();
    const auto which = static_cast<std::size_t>(state.range(0));
    if (which >= available.size()) {
        state.SkipWithError("not on this processor");
        return;
    }
    constexpr std::size_t kPoints = 6496;
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.3F);
    std::vector<float> x(kPoints);
    for (float& value : x) value = normal(random);
    std::vector<float> y = x;
    std::vector<float> z = x;
    std::vector<float> potential(kPoints, 0);
    std::vector<float> row(kPoints);
    const float point[] = {0.1F, 0.2F, 0.3F};
    for (auto _ : state) {
        benchmark::DoNotOptimize(available[which]->powerSum(
            {x.data(), y.data(), z.data(), kPoints}, point, potential.data(), 1000, row.data()));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPoints));
    state.SetLabel(std::string(available[which]->name));
}
BENCHMARK(powerSum)->DenseRange(0, 2);

}  // namespace
}  // namespace threefold
