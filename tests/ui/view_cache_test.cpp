#include "ui/run/view_cache.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/temp_folder.h"

namespace threefold::ui {
namespace {

Image grey(int side, std::uint8_t value) {
    const auto count = 4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    return {side, side, std::vector<std::uint8_t>(count, value)};
}

TEST(ViewCache, decodesEachFileOnce) {
    const threefold::test::TempFolder folder;
    writePng(folder / "a.png", grey(8, 10));
    writePng(folder / "b.png", grey(8, 20));
    ViewCache cache;
    const auto first = cache.read(folder / "a.png");
    cache.read(folder / "b.png");
    EXPECT_EQ(cache.read(folder / "a.png"), first);
    EXPECT_EQ(cache.decoded(), 2U);
    EXPECT_EQ(cache.bytes(), 2U * 8 * 8 * 4);
}

TEST(ViewCache, readsAgain_whatWasWrittenAnew) {
    const threefold::test::TempFolder folder;
    writePng(folder / "a.png", grey(8, 10));
    ViewCache cache;
    cache.read(folder / "a.png");
    writePng(folder / "a.png", grey(16, 90));
    std::filesystem::last_write_time(
        folder / "a.png",
        std::filesystem::last_write_time(folder / "a.png") + std::chrono::seconds(5));
    EXPECT_EQ(cache.read(folder / "a.png")->width, 16);
    EXPECT_EQ(cache.bytes(), 16U * 16 * 4);
}

TEST(ViewCache, staysWithinItsBytes_forgettingWhatWasUsedLongestAgo) {
    const threefold::test::TempFolder folder;
    for (const char* name : {"a.png", "b.png", "c.png"}) writePng(folder / name, grey(8, 1));
    ViewCache cache(2 * 8 * 8 * 4);
    cache.read(folder / "a.png");
    cache.read(folder / "b.png");
    cache.read(folder / "a.png");
    cache.read(folder / "c.png");  // b goes
    EXPECT_EQ(cache.bytes(), 2U * 8 * 8 * 4);
    cache.read(folder / "a.png");
    EXPECT_EQ(cache.decoded(), 3U);
    cache.read(folder / "b.png");
    EXPECT_EQ(cache.decoded(), 4U);
}

TEST(ViewCache, keepsNothingOfABrokenFile) {
    const threefold::test::TempFolder folder;
    std::ofstream(folder / "a.png") << "no picture";
    ViewCache cache;
    EXPECT_THROW(cache.read(folder / "a.png"), Error);
    EXPECT_THROW(cache.read(folder / "missing.png"), Error);
    EXPECT_EQ(cache.bytes(), 0U);
}

}  // namespace
}  // namespace threefold::ui
