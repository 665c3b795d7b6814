#include "engine/sample/posed_photos/photo_foregrounds.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::size_t> indicesOf(const std::vector<PhotoForeground>& foregrounds) {
    std::vector<std::size_t> indices;
    for (const PhotoForeground& each : foregrounds) indices.push_back(each.photoIndex);
    return indices;
}

TEST(ForegroundsOf, namesThePhotographsThatHaveAMask) {
    const test::TempFolder folder;
    test::writeDiscScene(folder.path(), 5);
    std::vector<Photo> photos = readCameraFile(folder / "transforms.json").photos;
    photos.at(1).image.clear();
    photos.at(3).lens.width = 99;
    EXPECT_THAT(indicesOf(foregroundsOf(photos)), ElementsAre(0, 2, 4));
}

TEST(ForegroundsOf, choosesTwelve_evenly) {
    const test::TempFolder folder;
    test::writeDiscScene(folder.path(), 24);
    EXPECT_THAT(indicesOf(foregroundsOf(readCameraFile(folder / "transforms.json").photos)),
                ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22));
}

TEST(ForegroundsOf, isEmpty_whenOnlyOnePhotographHasAMask) {
    const test::TempFolder folder;
    test::writeDiscScene(folder.path(), 2);
    std::vector<Photo> photos = readCameraFile(folder / "transforms.json").photos;
    photos.at(1).image.clear();
    EXPECT_THAT(foregroundsOf(photos), IsEmpty());
}

}  // namespace
}  // namespace threefold
