#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/pictures/image.h"
#include "engine/photo_cameras/board_photos.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

// Builds without marker detection pass this test, too.
TEST(MarkerCounts, areZero_whenNoPhotographShowsAMarker) {
    constexpr int kSide = 64;
    const TempFolder folder;
    const std::vector<std::filesystem::path> photographs = {folder / "0.png", folder / "1.png"};
    for (const std::filesystem::path& photograph : photographs)
        writePng(photograph, {kSide, kSide, std::vector<std::uint8_t>(4 * kSide * kSide, 255)});
    EXPECT_THAT(markerCounts(photographs, {}), testing::ElementsAre(0U, 0U));
}

}  // namespace
}  // namespace threefold::test
