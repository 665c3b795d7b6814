#include <cmath>
#include <cstdlib>
#include <span>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <oneapi/dnnl/dnnl_version.h>

#include "cuda/backend/allowed_deviation.h"
#include "cuda/backend/simulated_deviations.h"
#include "engine/network/cpu_backend.h"
#include "tests/cuda/emulation/sanitizer.h"
#include "tests/cuda/simulation/deviation.h"
#include "tests/cuda/simulation/subject.h"

namespace threefold::cuda::simulation {
namespace {

// Factor by which the table's limits are widened. Another processor sums in another order: vertices
// move slightly, and some of their hypotheses then sample another pixel of the feature maps.
constexpr double kSumOrderMargin = 1.25;
// The table's float32 rows are the distance between two summation orders of oneDNN 2. The orders of
// oneDNN 3 in Debian 13 are eight times as far apart.
constexpr bool kSumsInOrderOfTable = DNNL_VERSION_MAJOR == 2;
// Change of F(τ), in percentage points, if one of 2466 vertices crosses the threshold.
constexpr double kScoreOfOneVertex = 0.02;

constexpr Deviation withBundledWeights(Precision precision) {
    return simulatedDeviation(precision, KernelSource::fused, SamplerKind::bilinearPerView);
}
// Limits for the bundled weights; GoldenDeviations tests the table itself.
static_assert(withBundledWeights(Precision::float16).typicalVertex <= 1.5e-3);
static_assert(withBundledWeights(Precision::float16).scorePoints <= 0.05);
static_assert(withBundledWeights(Precision::int8).scorePoints <= 0.5);

class Simulation : public testing::TestWithParam<Subject> {};

TEST_P(Simulation, equalsTheProcessor_whenNothingIsRounded) {
    const auto processor = makeCpuBackend(GetParam().model());
    const Reconstruction expected = processor->reconstruct(GetParam().input(), {});
    const Outcome exact = Network(GetParam().model(), GetParam().input()).run({});
    EXPECT_LE(spreadOf(exact.coarse, expected.vertices("coarse")).largest, 1e-5);
    // `largest` is not compared: a hypothesis of a single vertex may project to integer coordinates
    // of a feature map, where the sampler returns 0.
    EXPECT_LE(spreadOf(exact.refined, expected.vertices("refined")).typical, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(, Simulation, testing::ValuesIn(subjects()),
                         [](const auto& test) { return test.param.name; });

class GoldenDeviations : public testing::TestWithParam<std::tuple<Subject, Kernels>> {};

TEST_P(GoldenDeviations, areWithinTheTableOfAllDevices) {
    if (THREEFOLD_ADDRESS_SANITIZER)
        GTEST_SKIP() << "too slow with AddressSanitizer: reconstructs ten full-size meshes. The "
                        "other tests run.";
    const auto& [subject, kernels] = GetParam();
    if (subject.name != subjects().front().name &&
        std::getenv("THREEFOLD_ALL_DEVIATIONS") == nullptr)
        GTEST_SKIP() << "THREEFOLD_ALL_DEVIATIONS is not set; packaging/trust sets it";
    const bool library = kernels == Kernels::library;
    Network network(subject.model(), subject.input());
    const Points truth = subject.truth();
    const Calibration calibration = library ? Calibration{} : bundledCalibration(subject, network);
    const Outcome exact = network.run({});
    for (const SimulatedDeviation& row : kSimulatedDeviations) {
        // In float32 the libraries' kernels round as the fused kernels do, so only the row of the
        // fused kernels is tested.
        const bool leftOut =
            row.precision == Precision::float32 && (library || !kSumsInOrderOfTable);
        if (row.sampler != subject.sampler || (row.kernels == KernelSource::library) != library ||
            leftOut)
            continue;
        const Deviation limits = row.deviation;
        const RunDeviation found = deviationOf(
            network.run(Arithmetic::worst(row.precision, kernels), calibration), exact, truth);
        const testing::ScopedTrace trace(__FILE__, __LINE__,
                                         std::string(precisionName(row.precision)));
        EXPECT_LE(found.maps, kSumOrderMargin * limits.maps);
        EXPECT_LE(found.levels, kSumOrderMargin * limits.levels);
        EXPECT_LE(found.refined.typical, kSumOrderMargin * limits.typicalVertex);
        EXPECT_LE(found.refined.largest, kSumOrderMargin * limits.maxVertex);
        EXPECT_LE(std::abs(found.score), limits.scorePoints + kScoreOfOneVertex);
    }
}

std::string nameOf(const testing::TestParamInfo<std::tuple<Subject, Kernels>>& test) {
    const auto& [subject, kernels] = test.param;
    return subject.name + (kernels == Kernels::fused ? "_fused" : "_libraries");
}
INSTANTIATE_TEST_SUITE_P(, GoldenDeviations,
                         testing::Combine(testing::ValuesIn(subjects()),
                                          testing::Values(Kernels::fused, Kernels::library)),
                         nameOf);

class GoldenDeviationsOfOtherViews : public testing::TestWithParam<Subject> {};

TEST_P(GoldenDeviationsOfOtherViews, staysWithinTheTable_andHardlyChangesWithTheOrderOfSums) {
    Network network(GetParam().model(), GetParam().input());
    const Outcome exact = network.run({});
    const auto expectAt = [&](Precision precision, const Outcome& found) {
        const Deviation limits = withBundledWeights(precision);
        const Spread spread = spreadOf(found.refined, exact.refined);
        EXPECT_LE(spread.typical, kSumOrderMargin * limits.typicalVertex)
            << precisionName(precision);
        EXPECT_LE(spread.largest, kSumOrderMargin * limits.maxVertex) << precisionName(precision);
    };
    if (kSumsInOrderOfTable)
        expectAt(Precision::float32, network.run({.order = SumOrder::backward}));
    Arithmetic half = Arithmetic::of(Precision::float16);
    const Outcome forward = network.run(half);
    expectAt(Precision::float16, forward);
    half.order = SumOrder::backward;
    const Outcome backward = network.run(half);
    for (const auto& [a, b] :
         {std::tie(forward.coarse, backward.coarse), std::tie(forward.refined, backward.refined)}) {
        EXPECT_LE(spreadOf(a, b).typical, kSumOrderMargin * kTypicalSumOrderDeviation);
        EXPECT_LE(spreadOf(a, b).largest, kSumOrderMargin * kMaxSumOrderDeviation);
    }
}

INSTANTIATE_TEST_SUITE_P(, GoldenDeviationsOfOtherViews, testing::ValuesIn(subjectsOfOtherViews()),
                         [](const auto& test) { return test.param.name; });

// Kernels::fusedRoundingOnce: earlier fused kernels rounded each coordinate and activation to one
// 16-bit number. Today's kernels keep each of these values as the sum of several such numbers.
TEST(GoldenDefect, isDetected_whenGraphBlocksRoundOnce) {
    // A device is compared with the same limits on every golden file, so one detection is enough.
    bool seen = false;
    for (const Subject& subject : std::span(subjects()).first(2)) {
        Network network(subject.model(), subject.input());
        const Points exact = network.run({}).refined;
        const auto spreadIn = [&](Kernels kernels) {
            return spreadOf(network.run(Arithmetic::of(Precision::float16, kernels)).refined,
                            exact);
        };
        const Spread once = spreadIn(Kernels::fusedRoundingOnce);
        const Spread now = spreadIn(Kernels::fused);
        // The ratio depends on the weights; with the weights of the fifth version it is 2.9 to 4.4.
        EXPECT_GT(once.median, 2.5 * now.median) << subject.name;
        EXPECT_GT(once.typical, 2.5 * now.typical) << subject.name;
        RecordProperty(subject.name + " typical", std::to_string(once.typical));
        seen = seen || once.typical >
                           kDeviationMargin * withBundledWeights(Precision::float16).typicalVertex;
    }
    EXPECT_TRUE(seen) << "a device with this defect would pass";
}

}  // namespace
}  // namespace threefold::cuda::simulation
