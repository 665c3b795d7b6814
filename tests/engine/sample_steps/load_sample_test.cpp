#include "engine/sample_steps/load_sample.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

TEST(LoadTruth, throws_whenARequiredTruthIsMissing) {
    Sample sample = findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                               "samples/ShapeNetRendering/02691156/p0001");
    EXPECT_FALSE(loadTruth(sample, 0, {.truthRequired = true}).truth.points.empty());
    sample.truth.reset();
    EXPECT_TRUE(loadTruth(sample, 0).truth.points.empty());
    EXPECT_THROW(loadTruth(sample, 0, {.truthRequired = true}), InputError);
}

TEST(LoadTruth, saysWhyATruthIsUnusable_orThrows_whenStrict) {
    Sample sample = findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                               "samples/ShapeNetRendering/02691156/p0001");
    sample.truth->file = "missing.dat";
    for (const bool required : {false, true}) {
        const LoadedTruth loaded = loadTruth(sample, 0, {.truthRequired = required});
        EXPECT_TRUE(loaded.truth.points.empty());
        ASSERT_TRUE(loaded.problem);
        EXPECT_NE(loaded.problem->subject.find("missing.dat"), std::string::npos);
        EXPECT_THROW(loadTruth(sample, 0, {.truthRequired = required, .strictTruth = true}), Error);
    }
}

TEST(LoadTruth, keepsAtMostTheRequestedNumberOfPoints) {
    const Sample sample = findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                                     "samples/ShapeNetRendering/02691156/p0001");
    EXPECT_EQ(loadTruth(sample, 0, {.maxTruthPoints = 100}).truth.points.size(), 100U);
}

}  // namespace
}  // namespace threefold
