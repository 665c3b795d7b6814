#include "ui/document/view_cache.h"

#include <filesystem>
#include <fstream>
#include <future>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/sample_views.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kBytes = 8 * 8 * 4;  // size of a view

Image grey(int side, std::uint8_t value) {
    const auto count = 4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    return {side, side, std::vector<std::uint8_t>(count, value)};
}

class ViewCacheTest : public testing::Test {
  protected:
    ViewCacheTest() {
        for (const char* name : {"a.png", "b.png", "c.png"}) {
            writePng(folder_ / name, grey(8, 10));
            sample_.images.push_back(folder_ / name);
            sample_.cameraRows.push_back({.distance = 0.8});
        }
    }

    threefold::test::TempFolder folder_;
    Sample sample_;
};

TEST_F(ViewCacheTest, decodesEachViewOnce) {
    ViewCache cache;
    const auto first = cache.read(sample_, 0);
    cache.read(sample_, 1);
    EXPECT_EQ(cache.read(sample_, 0), first);
    EXPECT_EQ(cache.statistics().hits, 1U);
    EXPECT_EQ(cache.statistics().misses, 2U);
    EXPECT_EQ(cache.statistics().bytes, 2 * kBytes);
}

TEST_F(ViewCacheTest, decodesAViewOnce_whenTwoThreadsAskForIt) {
    for (int round = 0; round < 20; ++round) {
        ViewCache cache;
        auto other = std::async(std::launch::async, [&] { return cache.read(sample_, 0); });
        const auto mine = cache.read(sample_, 0);
        EXPECT_EQ(other.get(), mine);
        EXPECT_EQ(cache.statistics().hits, 1U);
        EXPECT_EQ(cache.statistics().misses, 1U);
    }
}

TEST_F(ViewCacheTest, holdsViewsReadAhead) {
    ViewCache cache;
    const auto ahead = cache.prefetch(sample_, 2);
    EXPECT_EQ(cache.statistics().prefetched, 1U);
    EXPECT_EQ(cache.statistics().misses, 0U);
    EXPECT_EQ(cache.read(sample_, 2), ahead);
    EXPECT_EQ(cache.statistics().hits, 1U);
}

TEST_F(ViewCacheTest, keepsViewsReadAhead_onlyWhileTheyFit) {
    ViewCache cache(2 * kBytes);
    cache.read(sample_, 0);
    cache.prefetch(sample_, 1);
    EXPECT_EQ(cache.prefetch(sample_, 2)->width, 8);
    EXPECT_EQ(cache.statistics().prefetched, 1U);
    EXPECT_EQ(cache.statistics().bytes, 2 * kBytes);
    cache.read(sample_, 0);
    cache.read(sample_, 1);
    EXPECT_EQ(cache.statistics().hits, 2U);
    cache.read(sample_, 2);  // a requested view evicts others
    EXPECT_EQ(cache.statistics().misses, 2U);
    EXPECT_EQ(cache.statistics().bytes, 2 * kBytes);
}

TEST_F(ViewCacheTest, readsAViewAgain_whenItsFileChanged) {
    ViewCache cache;
    cache.read(sample_, 0);
    writePng(folder_ / "a.png", grey(16, 90));
    std::filesystem::last_write_time(
        folder_ / "a.png",
        std::filesystem::last_write_time(folder_ / "a.png") + std::chrono::seconds(5));
    EXPECT_EQ(cache.read(sample_, 0)->width, 16);
    EXPECT_EQ(cache.statistics().bytes, 4 * kBytes);
}

TEST_F(ViewCacheTest, evictsTheLeastRecentlyUsed_whenFull) {
    ViewCache cache(2 * kBytes);
    for (const int view : {0, 1, 0, 2}) cache.read(sample_, view);  // evicts view 1
    EXPECT_EQ(cache.statistics().bytes, 2 * kBytes);
    cache.read(sample_, 0);
    EXPECT_EQ(cache.statistics().misses, 3U);
    cache.read(sample_, 1);
    EXPECT_EQ(cache.statistics().misses, 4U);
}

TEST_F(ViewCacheTest, keepsNothing_whenAFileIsBroken) {
    std::ofstream(folder_ / "a.png") << "no picture";
    std::filesystem::remove(folder_ / "b.png");
    ViewCache cache;
    for (const int view : {0, 1}) {
        EXPECT_THROW(cache.read(sample_, view), Error);
        EXPECT_THROW(cache.prefetch(sample_, view), Error);
    }
    EXPECT_EQ(cache.statistics().bytes, 0U);
}

TEST_F(ViewCacheTest, keepsTheNetworksImage_ofAPhotograph) {
    threefold::test::writeDiscScene(folder_.path());
    const Sample photos = findSample(folder_.path());
    ASSERT_TRUE(photos.photos);
    ViewCache cache;
    EXPECT_EQ(cache.read(photos, 1)->rgba, readNetworkImage(photos, 1).rgba);
    EXPECT_EQ(cache.read(photos, 1)->rgba, readNetworkImage(photos, 1).rgba);
    EXPECT_EQ(cache.statistics().hits, 1U);
    const Sample again = findSample(folder_.path());  // the object's placement may differ
    cache.read(again, 1);
    EXPECT_EQ(cache.statistics().misses, 2U);
}

}  // namespace
}  // namespace threefold::ui
