#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cuda/backend/allowed_deviation.h"
#include "cuda/kernels/element.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/network/pooling.h"
#include "engine/sample/ground_truth.h"
#include "tests/cuda/gpu/gpu_backend.h"

namespace threefold::test {
namespace {

using cuda::allowedDeviation;
using cuda::Deviation;
using cuda::distanceQuantile;
using cuda::kTypicalQuantile;

// Tolerance of every value in float32, relative to the largest magnitude of its tensor. It includes
// the rounding of the reference program that wrote the golden files.
constexpr double kTensorTolerance = 1e-4;
// The reference's own rounding of vertices changes a score by up to 5e-5.
constexpr double kScoreTolerance = 1e-3;
// Pixels by which rounding in float32 may move the projection of a stage-1 point. The point moves
// by some 2e-6 units (simulated); a unit is 310 to 400 pixels.
constexpr double kProjectionRounding = 1e-3;
constexpr double kTexel = 4;  // pixels per texel of the finest map of stage 1

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

    // Returns a run that all tests share, since each run takes seconds and chooses its engines
    // anew.
    const GoldenRun& run(Mode mode) const {
        static std::map<std::pair<std::size_t, Mode>, GoldenRun> runs;
        const auto key = std::pair(GetParam(), mode);
        if (!runs.contains(key)) {
            const auto backend = gpuBackend(golden(), gpuOptions(mode.precision, mode.library));
            GoldenRun probed = runGolden(*backend, golden());
            // The result is taken from the captured graph, as users get it, not from the probed
            // sequence.
            probed.result = backend->reconstruct(goldenInput(golden()), {});
            runs[key] = std::move(probed);
        }
        return runs.at(key);
    }

    // Flags the vertices that are at a discontinuity of the sampler in either block.
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
        return chamferAndFScores(points, loadGroundTruth(sample, 0).points).atTau().fScore;
    }

    Deviation allowed(Precision precision, bool library = false) const {
        return allowedDeviation(precision,
                                library ? cuda::KernelSource::library : cuda::KernelSource::fused,
                                golden().sampler);
    }

    // Whether some of the points before a graph block read other texels than in the golden file.
    // Points can do so only with the sampler that truncates pixel coordinates. Such points must lie
    // at the edge of a texel.
    bool readsOtherTexels(const GoldenRun& ours, const std::string& points) const {
        if (golden().sampler != SamplerKind::nearestInFirstView) return false;
        const Points start = asPoints(ours.tensors.at(points));
        const Points exact = asPoints(golden().values(points));
        bool any = false;
        const auto compare = [&](double here, double there) {
            if (std::floor(here / kTexel) == std::floor(there / kTexel)) return;
            any = true;
            EXPECT_LE(std::abs(there - kTexel * std::round(there / kTexel)), kProjectionRounding)
                << points << " has a point that is elsewhere";
        };
        for (const FeatureProjection& view : projectionsFrom(goldenInput(golden()).cameras)) {
            for (std::size_t i = 0; i < exact.size(); ++i) {
                const FeatureProjection::Pixel here = view.project(start[i]);
                const FeatureProjection::Pixel there = view.project(exact[i]);
                compare(here.row, there.row);
                compare(here.column, there.column);
            }
        }
        return any;
    }

    // Tolerance of a tensor in float32; nullopt for scores and features of stage 2 that depend on
    // points that crossed a texel's edge. Other tensors that depend on such points have the
    // tolerance of float16, in which points cross edges, too.
    std::optional<double> toleranceOf(const std::string& name, const GoldenRun& ours) const {
        const bool ofStage2 = name.starts_with("refined_") || name.starts_with("score_") ||
                              name.starts_with("stage2_features_");
        const bool isFromLevel2On = name.starts_with("level2") || name == "coarse" || ofStage2;
        const bool isFromLevel3On = name == "coarse" || ofStage2;
        const bool moved = (isFromLevel2On && readsOtherTexels(ours, "level1_unpooled")) ||
                           (isFromLevel3On && readsOtherTexels(ours, "level2_unpooled"));
        const bool amplified = ofStage2 && !name.starts_with("refined_");
        if (!moved) return amplified ? kScoreTolerance : kTensorTolerance;
        if (amplified) return std::nullopt;
        const Deviation most = allowed(Precision::float16);
        return ofStage2 ? most.maxVertex : most.levels;
    }

    // Tolerance of a run against the exact result; it allows for points that cross a texel's edge.
    Deviation allowedFor(const Mode& mode) const {
        const GoldenRun& ours = run(mode);
        const bool moved =
            mode.precision == Precision::float32 && (readsOtherTexels(ours, "level1_unpooled") ||
                                                     readsOtherTexels(ours, "level2_unpooled"));
        return allowed(moved ? Precision::float16 : mode.precision, mode.library);
    }

    void expectClose(Precision precision, bool library) const {
        const Points& exact = run({Precision::float32, false}).result.vertices("refined");
        const Points& ours = run({precision, library}).result.vertices("refined");
        const Deviation most = allowed(precision, library);
        const std::string name =
            fmt::format("{} {}", precisionName(precision), library ? "by the library" : "fused");
        const double typical = distanceQuantile(ours, exact, kTypicalQuantile);
        EXPECT_LE(typical, most.typicalVertex) << name;
        EXPECT_LE(furthest(ours, exact), most.maxVertex) << name;
        EXPECT_NEAR(fScore(ours), fScore(exact), most.scorePoints) << name;
        RecordProperty(name,
                       fmt::format("{:.2e}, furthest {:.2e}", typical, furthest(ours, exact)));
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
            ASSERT_TRUE(result.tensors.contains(name)) << name << " was not reported";
            const std::vector<float>& ours = result.tensors.at(name);
            const std::vector<float> theirs = array.toFloat();
            ASSERT_EQ(ours.size(), theirs.size()) << name;
            const std::optional<double> tolerance = toleranceOf(name, result);
            if (!tolerance) continue;
            const SkippedRows skipped = rowsAtGaps(name, array, gap);
            const Worst worst = worstDifference(ours, theirs, skipped.width, skipped.rows);
            RecordProperty(fmt::format("{}_{}", library ? "library" : "fused", name),
                           fmt::format("{:.2e} of the largest", worst.difference / worst.scale));
            EXPECT_LE(worst.difference, *tolerance * worst.scale)
                << name << (library ? " by the library" : " fused") << ", value " << worst.index
                << ": " << ours[worst.index] << " here, " << theirs[worst.index]
                << " in the golden file";
        }
        EXPECT_EQ(compared, 22U) << "the golden file has another number of tensors";
    }
}

TEST_P(GpuGolden, givesTheSameMeshCapturedAsStepByStep_whenPrecisionIsFloat32) {
    const GoldenRun& result = run({Precision::float32, false});
    EXPECT_EQ(furthest(result.result.vertices("coarse"), asPoints(result.tensors.at("coarse"))),
              0.0);
    EXPECT_EQ(furthest(result.result.vertices("refined"), asPoints(result.tensors.at("refined_2"))),
              0.0);
}

// The tolerances add up: each of the two runs may deviate from float32 by its own tolerance.
TEST_P(GpuGolden, agreesTensorByTensorWithTheLibrary_whenFused) {
    for (const Precision precision : {Precision::float32, Precision::float16}) {
        const GoldenRun& fused = run({precision, false});
        const GoldenRun& library = run({precision, true});
        const Deviation ofFused = allowedFor({precision, false});
        const Deviation ofLibrary = allowedFor({precision, true});
        ASSERT_EQ(fused.tensors.size(), library.tensors.size());
        for (const auto& [name, theirs] : library.tensors) {
            // Scores, refined vertices, and features pooled at moved points amplify earlier
            // deviations. The final refined vertices are compared below.
            if (name.starts_with("score_") || name.starts_with("stage2_features_") ||
                name.starts_with("refined_")) {
                continue;
            }
            const bool ofLevels = name.starts_with("level") || name == "coarse";
            const double tolerance =
                ofLevels ? ofFused.levels + ofLibrary.levels : ofFused.maps + ofLibrary.maps;
            const Worst worst = worstDifference(fused.tensors.at(name), theirs, 1, {});
            EXPECT_LE(worst.difference, tolerance * worst.scale)
                << name << " in " << precisionName(precision) << ", value " << worst.index;
        }
        EXPECT_LE(distanceQuantile(fused.result.vertices("refined"),
                                   library.result.vertices("refined"), kTypicalQuantile),
                  ofFused.typicalVertex + ofLibrary.typicalVertex)
            << precisionName(precision);
        EXPECT_LE(
            furthest(fused.result.vertices("refined"), library.result.vertices("refined"), gaps()),
            ofFused.maxVertex + ofLibrary.maxVertex)
            << precisionName(precision);
    }
}

TEST_P(GpuGolden, staysCloseToFloat32_whenPrecisionIsLower) {
    for (const Precision precision : kAllPrecisions) {
        if (precision == Precision::float32 || !gpuHas(precision)) continue;
        expectClose(precision, false);
        if (!cuda::isEightBit(precision)) expectClose(precision, true);
    }
}

INSTANTIATE_TEST_SUITE_P(, GpuGolden, testing::Range<std::size_t>(0, goldenCases().size()),
                         [](const auto& test) { return goldenCases()[test.param].name; });

}  // namespace
}  // namespace threefold::test
