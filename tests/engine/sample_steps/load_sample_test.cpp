#include "engine/sample_steps/load_sample.h"

#include <filesystem>

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

}  // namespace
}  // namespace threefold
