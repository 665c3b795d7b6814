#include "ui/input/photograph_sample.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

using Paths = std::vector<std::filesystem::path>;

Paths photographs(const threefold::test::TempFolder& folder, int count) {
    Paths files;
    std::filesystem::create_directories(folder / "chair");
    for (int i = 0; i < count; ++i) {
        const auto name = "photo-" + std::to_string(i) + ".png";
        files.push_back(folder / "chair" / name);
        std::filesystem::copy_file(
            test::bundledSampleFolder() / "rendering" / ("0" + std::to_string(i) + ".png"),
            files.back());
    }
    return files;
}

TEST(Photographs, getCamerasAroundTheObject) {
    const threefold::test::TempFolder folder;
    const PhotographSample own = photographSample(photographs(folder, 4));
    EXPECT_FALSE(own.camerasKnown);
    EXPECT_EQ(own.sample.id, "chair");
    EXPECT_EQ(own.views, (std::vector<int>{0, 1, 2, 3}));
    ASSERT_EQ(own.sample.cameraRows.size(), 4U);
    EXPECT_EQ(own.sample.cameraRows[1].azimuth, 90);
    EXPECT_EQ(own.sample.cameraRows[3].azimuth, 270);
}

TEST(Photographs, fillAllSlotsEvenly_whenThereAreMoreThanSlots) {
    const threefold::test::TempFolder folder;
    const PhotographSample own = photographSample(photographs(folder, 10));
    EXPECT_EQ(own.sample.viewCount(), 10U);
    EXPECT_EQ(own.views, (std::vector<int>{0, 1, 2, 3, 5, 6, 7, 8}));
}

TEST(Photographs, haveTheChosenViews_whenViewsAreGiven) {
    const threefold::test::TempFolder folder;
    const Paths files = photographs(folder, 4);
    EXPECT_EQ(photographSample(files, {2, 0}).views, (std::vector<int>{2, 0}));
    EXPECT_EQ(photographSample(files, {1}).views, (std::vector<int>{1, 0, 2}));
    EXPECT_THROW(photographSample(files, {1, 4}), InputError);
    writeCameras(photographSample(files).sample);
    const PhotographSample known = photographSample(files, {3, 1});
    EXPECT_TRUE(known.camerasKnown);
    EXPECT_EQ(known.views, (std::vector<int>{3, 1}));
}

TEST(Photographs, areFoundInAFolder_whenItIsNoSample) {
    const threefold::test::TempFolder folder;
    const Paths files = photographs(folder, 3);
    EXPECT_EQ(photographsWithoutCameras(folder / "chair"), files);
    EXPECT_EQ(photographsWithoutCameras(files.front()), Paths());  // a file
    // The bundled sample has cameras.
    EXPECT_EQ(photographsWithoutCameras(test::bundledSampleFolder()), Paths());
    EXPECT_EQ(photographsWithoutCameras(folder.path()), Paths());  // no photograph inside
    writeCameras(photographSample(files).sample);
    EXPECT_EQ(photographsWithoutCameras(folder / "chair"), Paths());
}

TEST(Photographs, areASample_whenCamerasLieBesideThem) {
    const auto folder = test::bundledSampleFolder() / "rendering";
    const PhotographSample own = photographSample({folder / "05.png", folder / "03.png"});
    EXPECT_TRUE(own.camerasKnown);
    EXPECT_EQ(own.views, (std::vector<int>{3, 5}));
    EXPECT_EQ(own.sample.viewCount(), 24U);
}

TEST(Photographs, areASample_whenAFileOfMatricesLiesBesideThem) {
    const threefold::test::TempFolder folder;
    threefold::test::writeDiscScene(folder.path());
    // NeRF's transforms.json names images in a subfolder; here the images lie beside that file.
    for (int i = 0; i < 3; ++i) {
        const auto name = std::to_string(i) + ".png";
        std::filesystem::rename(folder / "images" / name, folder / name);
    }
    auto scene = nlohmann::json::parse(std::ifstream(folder / "transforms.json"));
    for (int i = 0; i < 3; ++i) scene["frames"][i]["file_path"] = std::to_string(i);
    threefold::test::writeJson(folder / "transforms.json", scene);
    const PhotographSample own = photographSample({folder / "2.png", folder / "0.png"});
    EXPECT_TRUE(own.camerasKnown);
    EXPECT_EQ(own.views, (std::vector<int>{0, 2}));
    ASSERT_TRUE(own.sample.photos);
    // rendering_metadata.txt cannot hold a lens.
    EXPECT_THROW(writeCameras(own.sample), InputError);
}

TEST(Photographs, areRefused_whenTheyMakeNoSample) {
    const threefold::test::TempFolder folder;
    const Paths files = photographs(folder, 3);
    EXPECT_THROW(photographSample({files[0]}), InputError);
    EXPECT_THROW(photographSample({files[0], files[0]}), InputError);
    EXPECT_THROW(photographSample({files[0], folder / "chair" / "missing.png"}), InputError);
    EXPECT_THROW(photographSample({files[0], test::bundledSampleFolder() / "rendering" / "00.png"}),
                 InputError);
    EXPECT_THROW(
        photographSample({files[0], test::bundledSampleFolder() / "rendering_metadata.txt"}),
        InputError);
}

TEST(Photographs, areASampleOnDisk_onceTheirCamerasAreWritten) {
    const threefold::test::TempFolder folder;
    PhotographSample own = photographSample(photographs(folder, 3));
    own.sample.cameraRows[2].elevation = 12.5;
    EXPECT_FALSE(hasCameraFile(own.sample));
    const auto file = writeCameras(own.sample);
    EXPECT_TRUE(hasCameraFile(own.sample));
    const Sample found = findSample(folder / "chair");
    EXPECT_EQ(found.images, own.sample.images);
    EXPECT_EQ(found.cameraRows[2].elevation, 12.5);
    EXPECT_EQ(readCamerasFor(own.sample, file).size(), 3U);
    EXPECT_THROW(readCamerasFor(*test::bundledSample(), file), InputError);
}

TEST(Photographs, areNotWritten_whenOtherImagesWouldHaveNoCamera) {
    const threefold::test::TempFolder folder;
    const Paths files = photographs(folder, 4);
    const PhotographSample own = photographSample({files[0], files[2]});
    EXPECT_THROW(writeCameras(own.sample), InputError);
    EXPECT_FALSE(hasCameraFile(own.sample));
}

}  // namespace
}  // namespace threefold::ui
