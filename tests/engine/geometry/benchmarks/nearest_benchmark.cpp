#include <cstddef>
#include <cstdint>
#include <random>

#include <benchmark/benchmark.h>

#include "engine/geometry/nearest.h"
#include "engine/geometry/nearest_tree.h"
#include "engine/geometry/simd/nearest_search.h"
#include "engine/mesh.h"

#if __has_include(<nanoflann.hpp>)
#include <nanoflann.hpp>
#endif

namespace threefold {
namespace {

Points normalCloud(unsigned seed, std::size_t count) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Points points(count);
    for (glm::vec3& p : points) p = {normal(random), normal(random), normal(random)};
    return points;
}

void shapes(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"queries", "reference"})
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Args({2466, 6500})
        ->Args({6500, 2466})
        ->Args({1'000'000, 1'000'000});
}

std::size_t first(const benchmark::State& state) {
    return static_cast<std::size_t>(state.range(0));
}
std::size_t second(const benchmark::State& state) {
    return static_cast<std::size_t>(state.range(1));
}

/// Searches both ways between random clouds of the sizes of the template and of a typical truth.
void bothWays(benchmark::State& state) {
    const Points vertices = normalCloud(1, 2466);
    const Points truth = normalCloud(2, 6500);
    const CloudPair pair[] = {{vertices, truth}};
    for (auto _ : state) benchmark::DoNotOptimize(bidirectionalNeighbours(pair));
}
BENCHMARK(bothWays)->Unit(benchmark::kMillisecond)->UseRealTime();

void oneWay(benchmark::State& state) {
    const Points queries = normalCloud(1, first(state));
    const Points reference = normalCloud(2, second(state));
    for (auto _ : state) benchmark::DoNotOptimize(nearestNeighbours(queries, reference));
}
BENCHMARK(oneWay)->Apply(shapes);

void build(benchmark::State& state) {
    const Points reference = normalCloud(2, static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(NearestIndex(reference));
}
BENCHMARK(build)->Unit(benchmark::kMillisecond)->UseRealTime()->Arg(6500)->Arg(1'000'000);

#if __has_include(<nanoflann.hpp>)
struct Cloud {
    const Points& points;

    std::size_t kdtree_get_point_count() const { return points.size(); }
    double kdtree_get_pt(std::size_t index, std::size_t axis) const {
        return static_cast<double>(points[index][static_cast<int>(axis)]);
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

/// Searches with nanoflann, the library that Threefold used before, on one thread.
void nanoflannOneWay(benchmark::State& state) {
    const Points queries = normalCloud(1, first(state));
    const Points reference = normalCloud(2, second(state));
    const Cloud cloud{reference};
    for (auto _ : state) {
        using Distance = nanoflann::L2_Simple_Adaptor<double, Cloud, double>;
        nanoflann::KDTreeSingleIndexAdaptor<Distance, Cloud, 3, std::uint32_t> index(
            3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(16));
        double sum = 0;
        for (const glm::vec3& point : queries) {
            const double query[3] = {point.x, point.y, point.z};
            std::uint32_t found = 0;
            double squared = 0;
            index.knnSearch(query, 1, &found, &squared);
            sum += squared;
        }
        benchmark::DoNotOptimize(sum);
    }
}
BENCHMARK(nanoflannOneWay)->Apply(shapes);
#endif

/// Searches with the tree, or with brute force if range(1) is 1, on one thread and without building
/// the tree. Shows from which number of reference points, range(0), the tree is faster.
void crossover(benchmark::State& state) {
    const Points queries = normalCloud(1, 1024);
    const Points reference = normalCloud(2, static_cast<std::size_t>(state.range(0)));
    const PackedKdTree packed(reference);
    simd::NearestTree tree = packed.view();
    if (state.range(1) == 1) tree.levelCount = 0;
    std::vector<double> squared(queries.size());
    std::vector<std::uint32_t> position(queries.size());
    for (auto _ : state) {
        simd::runnableNearestSearches().front()->find(tree, &queries[0].x, queries.size(),
                                                      squared.data(), position.data());
        benchmark::DoNotOptimize(squared.data());
    }
}
BENCHMARK(crossover)
    ->ArgNames({"reference", "brute"})
    ->Unit(benchmark::kMicrosecond)
    ->ArgsProduct({{64, 128, 256, 512, 1024, 2048, 6500, 100'000}, {0, 1}});

}  // namespace
}  // namespace threefold
