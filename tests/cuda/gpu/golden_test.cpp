#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/metrics/measures.h"
#include "engine/sample/ground_truth.h"
#include "tests/cuda/gpu/gpu_backend.h"

namespace threefold::test {
namespace {

// Every value within this share of the largest magnitude of its tensor.
constexpr double kTensorTolerance = 1e-4;
// A vertex that differs by the reference's own rounding changes a score by up to 5e-5.
constexpr double kScoreTolerance = 1e-3;
constexpr double kVertexTolerance = 1e-4;      // refined, object units
constexpr double kHalfTensorTolerance = 5e-3;  // between the paths in float16
constexpr double kHalfVertexTolerance = 1e-3;
constexpr double kTf32VertexTolerance = 1e-3;
constexpr double kBfloat16VertexTolerance = 3e-2;
constexpr double kHalfScoreTolerance = 0.1;      // percentage points of F(τ)
constexpr double kEightBitScoreTolerance = 0.5;  // likewise

struct Mode {
    Precision precision = Precision::float32;
    bool library = false;

    bool operator<(const Mode& other) const {
        return std::pair(precision, library) < std::pair(other.precision, other.library);
    }
};

class GpuGolden : public testing::TestWithParam<std::size_t> {
  protected:
    void SetUp() override { THREEFOLD_NEEDS_GPU(); }

    const GoldenCase& golden() const { return goldenCases()[GetParam()]; }

    // A run takes a moment, and the engines are chosen anew for each: the cases share them.
    const GoldenRun& run(Mode mode) const {
        static std::map<std::pair<std::size_t, Mode>, GoldenRun> runs;
        const auto key = std::pair(GetParam(), mode);
        if (!runs.contains(key)) {
            const auto backend = gpuBackend(golden(), gpuOptions(mode.precision, mode.library));
            GoldenRun probed = runGolden(*backend, golden());
            // What people get is the captured graph, not the probed sequence.
            probed.result = backend->reconstruct(goldenInput(golden()), {});
            runs[key] = std::move(probed);
        }
        return runs.at(key);
    }

    // Where the method itself is not continuous, in either block.
    std::vector<bool> gaps() const {
        std::vector<bool> gap = atSamplerGap(golden(), asPoints(golden().values("coarse")));
        const std::vector<bool> second =
            atSamplerGap(golden(), asPoints(golden().values("refined_1")));
        for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = gap[i] || second[i];
        return gap;
    }

    double fScore(const Points& points) const {
        const Sample sample = findSample(std::filesystem::path(THREEFOLD_RESOURCES) / "samples" /
                                         "ShapeNetRendering" / golden().location);
        return measure(points, loadGroundTruth(sample, 0).points).atTau().f;
    }
};

struct Worst {
    double difference = 0;
    std::size_t index = 0;
    double scale = 0;
};

Worst worstDifference(const std::vector<float>& ours, const std::vector<float>& theirs,
                      std::size_t width, const std::vector<bool>& skip) {
    Worst worst;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        worst.scale = std::max(worst.scale, std::abs(double{theirs[i]}));
        if (!skip.empty() && skip[i / width]) continue;
        const double difference = std::abs(double{ours[i]} - double{theirs[i]});
        if (!(difference <= worst.difference)) {
            worst.difference = difference;
            worst.index = i;
        }
    }
    return worst;
}

TEST_P(GpuGolden, agreesOnEveryTensor_whenPrecisionIsFloat32) {
    const std::vector<bool> gap = gaps();
    for (const bool library : {false, true}) {
        const GoldenRun& result = run({Precision::float32, library});
        std::size_t compared = 0;
        for (const auto& [name, array] : golden().tensors) {
            if (name.starts_with("measures_") || name == "camera" ||
                name.starts_with("template_")) {
                continue;
            }
            ++compared;
            ASSERT_TRUE(result.tensors.contains(name)) << name << " is not probed";
            const std::vector<float>& ours = result.tensors.at(name);
            const std::vector<float> theirs = array.toFloat();
            ASSERT_EQ(ours.size(), theirs.size()) << name;
            const bool afterGaps =
                name.starts_with("score_") || name.starts_with("stage2_features_");
            const double tolerance = afterGaps ? kScoreTolerance : kTensorTolerance;
            const SkippedRows skipped = rowsAtGaps(name, array, gap);
            const Worst worst = worstDifference(ours, theirs, skipped.width, skipped.rows);
            RecordProperty(fmt::format("{}_{}", library ? "library" : "fused", name),
                           fmt::format("{:.2e} of the largest", worst.difference / worst.scale));
            EXPECT_LE(worst.difference, tolerance * worst.scale)
                << name << (library ? " by the library" : " fused") << ", value " << worst.index
                << ": " << ours[worst.index] << " here, " << theirs[worst.index]
                << " in the golden file";
        }
        EXPECT_EQ(compared, 22U) << "the golden file has another number of tensors";
    }
}

TEST_P(GpuGolden, givesTheSameMeshCapturedAsStepByStep_whenPrecisionIsFloat32) {
    const GoldenRun& result = run({Precision::float32, false});
    EXPECT_EQ(furthest(result.result.coarse, asPoints(result.tensors.at("coarse"))), 0.0);
    EXPECT_EQ(furthest(result.result.refined, asPoints(result.tensors.at("refined_2"))), 0.0);
}

TEST_P(GpuGolden, agreesTensorByTensorWithTheLibrary_whenFused) {
    for (const Precision precision : {Precision::float32, Precision::float16}) {
        const bool half = precision == Precision::float16;
        const GoldenRun& fused = run({precision, false});
        const GoldenRun& library = run({precision, true});
        ASSERT_EQ(fused.tensors.size(), library.tensors.size());
        for (const auto& [name, theirs] : library.tensors) {
            // Scores and what is pooled at moved points amplify what came before.
            if (name.starts_with("score_") || name.starts_with("stage2_features_") ||
                name.starts_with("refined_")) {
                continue;
            }
            const Worst worst = worstDifference(fused.tensors.at(name), theirs, 1, {});
            EXPECT_LE(worst.difference,
                      (half ? kHalfTensorTolerance : kTensorTolerance) * worst.scale)
                << name << " in " << precisionName(precision) << ", value " << worst.index;
        }
        EXPECT_LE(furthest(fused.result.refined, library.result.refined, gaps()),
                  half ? kHalfVertexTolerance : kVertexTolerance)
            << precisionName(precision);
    }
}

TEST_P(GpuGolden, staysClose_whenPrecisionIsFloat16) {
    const Points& exact = run({Precision::float32, false}).result.refined;
    const Points& half = run({Precision::float16, false}).result.refined;
    EXPECT_LE(furthest(half, exact), kHalfVertexTolerance);
    EXPECT_NEAR(fScore(half), fScore(exact), kHalfScoreTolerance);
    RecordProperty("furthest", fmt::format("{:.2e}", furthest(half, exact)));
}

TEST_P(GpuGolden, staysClose_whenPrecisionIsTfloat32) {
    if (!gpuHas(Precision::tfloat32)) GTEST_SKIP() << "this GPU has no tfloat32";
    const Points& exact = run({Precision::float32, false}).result.refined;
    EXPECT_LE(furthest(run({Precision::tfloat32, false}).result.refined, exact),
              kTf32VertexTolerance);
    EXPECT_LE(furthest(run({Precision::tfloat32, true}).result.refined, exact),
              kTf32VertexTolerance);
}

TEST_P(GpuGolden, staysClose_whenPrecisionIsBfloat16) {
    if (!gpuHas(Precision::bfloat16)) GTEST_SKIP() << "this GPU has no bfloat16";
    const Points& exact = run({Precision::float32, false}).result.refined;
    EXPECT_LE(furthest(run({Precision::bfloat16, false}).result.refined, exact),
              kBfloat16VertexTolerance);
}

TEST_P(GpuGolden, keepsItsScore_whenPrecisionIsEightBit) {
    const double exact = fScore(run({Precision::float32, false}).result.refined);
    for (const Precision precision : {Precision::int8, Precision::float8}) {
        if (!gpuHas(precision)) continue;
        EXPECT_NEAR(fScore(run({precision, false}).result.refined), exact, kEightBitScoreTolerance)
            << precisionName(precision);
    }
}

INSTANTIATE_TEST_SUITE_P(, GpuGolden, testing::Range<std::size_t>(0, goldenCases().size()),
                         [](const auto& test) { return goldenCases()[test.param].name; });

}  // namespace
}  // namespace threefold::test
