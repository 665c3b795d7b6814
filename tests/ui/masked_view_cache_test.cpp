#include "ui/run/masked_view_cache.h"

#include <chrono>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/sample_views.h"
#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

TEST(MaskedViewCache, readsTheSamePhotographsOnce) {
    MaskedViewCache cache;
    const SampleRef sample = test::bundledSample();
    const auto first = cache.load(sample, {0, 6}, false, {});
    ASSERT_EQ(first->size(), 2U);
    EXPECT_EQ((*first)[1].view, 6);
    EXPECT_TRUE((*first)[1].mask);
    EXPECT_EQ(cache.load(sample, {0, 6}, false, {}), first);
    EXPECT_NE(cache.load(sample, {0, 7}, false, {}), first);
    EXPECT_NE(cache.load(test::bundledSample(), {0, 7}, false, {}),
              cache.load(sample, {0, 7}, false, {}));
}

TEST(MaskedViewCache, readsPhotographsAgain_whenAFitComparesThem) {
    MaskedViewCache cache;
    const SampleRef sample = test::bundledSample();
    const auto masks = cache.load(sample, {0, 6}, false, {});
    EXPECT_FALSE(masks->front().photograph.isComplete());
    const auto photographs = cache.load(sample, {0, 6}, true, {});
    EXPECT_TRUE(photographs->front().photograph.isComplete());
    EXPECT_EQ(cache.load(sample, {0, 6}, false, {}), photographs);
}

TEST(MaskedViewCache, readsAFileAgain_whenItHasChanged) {
    const threefold::test::TempFolder folder;
    const auto sampleFolder = test::sampleWithBrokenView(folder, 9);
    const auto sample = std::make_shared<const Sample>(findSample(sampleFolder));
    MaskedViewCache cache;
    const auto first = cache.load(sample, {1, 2}, false, {});
    std::filesystem::last_write_time(
        sample->images[2],
        std::filesystem::last_write_time(sample->images[2]) + std::chrono::seconds(5));
    EXPECT_NE(cache.load(sample, {1, 2}, false, {}), first);
}

TEST(MaskedViewCache, readsAViewAgain_whenItsMaskHasChanged) {
    namespace fs = std::filesystem;
    const threefold::test::TempFolder folder;
    const auto sampleFolder = test::sampleWithBrokenView(folder, 9);
    const auto sample = std::make_shared<const Sample>(findSample(sampleFolder));
    MaskedViewCache cache;
    const auto without = cache.load(sample, {1, 2}, false, {});
    const fs::path mask = sample->images[2].parent_path() / "masks" / sample->images[2].filename();
    fs::create_directories(mask.parent_path());
    const auto write = [&](std::uint8_t inside) {
        Image image{137, 137, std::vector<std::uint8_t>(4 * 137 * 137, inside)};
        writePng(mask, image);
    };
    write(255);
    ASSERT_EQ(maskFileOf(*sample, 2), mask);
    const auto first = cache.load(sample, {1, 2}, false, {});
    EXPECT_NE(first, without);
    EXPECT_EQ(cache.load(sample, {1, 2}, false, {}), first);
    fs::last_write_time(mask, fs::last_write_time(mask) + std::chrono::seconds(5));
    EXPECT_NE(cache.load(sample, {1, 2}, false, {}), first);
}

TEST(MaskedViewCache, endsAtOnce_whenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(MaskedViewCache().load(test::bundledSample(), {0, 6}, false, stop.get_token()),
                 Cancelled);
}

}  // namespace
}  // namespace threefold::ui
