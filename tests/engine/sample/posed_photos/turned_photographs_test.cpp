#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/exif_bytes.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using nlohmann::json;
using test::TempFolder;
using testing::HasSubstr;

/// PNG of a white picture with a dark disc near its middle.
std::string discPng(int width, int height, int orientation = 1) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool dark = std::hypot(x - 0.55 * width, y - 0.48 * height) < 20;
            const auto grey = static_cast<std::uint8_t>(dark ? 60 + x : 255);
            image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
        }
    const std::string png(asText(encodePng(image)));
    return orientation == 1 ? png : test::pngWithExif(png, test::exifBytes(orientation));
}

void writePhoto(const std::filesystem::path& file, const std::string& text) {
    writeFileAtomically(file, asBytes(text));
}

/// Writes and returns a transforms.json of three photographs of 100 × 80 stored pixels.
json storedScene(const std::filesystem::path& folder) {
    json scene = test::writeDiscScene(folder, 3);
    scene.update({{"w", 100},
                  {"h", 80},
                  {"fl_y", 125},
                  {"cx", 53},
                  {"cy", 37},
                  {"k1", -0.1},
                  {"p1", 2e-3},
                  {"p2", -3e-3}});
    test::writeJson(folder / "transforms.json", scene);
    return scene;
}

TEST(TurnedPhotographs, haveCamerasOfTheUprightPicture_whenTheFileDescribesTheStoredOne) {
    const TempFolder folder;
    storedScene(folder.path());
    const auto read = [&](int orientation) {
        for (const char* name : {"0", "1", "2"})
            writePhoto(folder / "images" / (std::string(name) + ".png"),
                       discPng(100, 80, orientation));
        return readCameraFile(folder / "transforms.json");
    };
    const CameraFile plain = read(1);
    EXPECT_EQ(plain.rotatedCameraCount, 0U);
    for (const int orientation : {3, 6, 8}) {
        const CameraFile turned = read(orientation);
        EXPECT_EQ(turned.rotatedCameraCount, 3U);
        for (const glm::dvec3 point : {glm::dvec3(0, 0, 0), {0.2, 0.1, -0.15}, {-0.3, 0.2, 0.1}})
            for (std::size_t i = 0; i < plain.photos.size(); ++i) {
                const auto pixelOf = [&](const Photo& photo) {
                    return *LensProjection(photo.lens).project(photo.pose.toCamera(point));
                };
                const glm::dvec2 was = pixelOf(plain.photos[i]);
                const glm::dvec2 is = pixelOf(turned.photos[i]);
                const glm::dvec2 expected = orientation == 3   ? glm::dvec2(100 - was.x, 80 - was.y)
                                            : orientation == 6 ? glm::dvec2(80 - was.y, was.x)
                                                               : glm::dvec2(was.y, 100 - was.x);
                EXPECT_LT(glm::length(is - expected), 1e-9) << orientation;
            }
    }
}

TEST(TurnedPhotographs, areTurned_byTheirSizeOrTheConventionOfTheFile) {
    const TempFolder folder;
    json nerf = storedScene(folder.path());
    for (const char* name : {"0", "1", "2"})
        writePhoto(folder / "images" / (std::string(name) + ".png"), discPng(100, 80, 6));
    const auto turnedOf = [&](const json& document) {
        test::writeJson(folder / "of.json", document);
        const CameraFile file = readCameraFile(folder / "of.json");
        EXPECT_EQ(file.photos[0].lens.width, 80);  // always the width of the upright picture
        EXPECT_EQ(file.photos[0].lens.height, 100);
        return file.rotatedCameraCount;
    };
    EXPECT_EQ(turnedOf(nerf), 3U);
    nerf.erase("w");
    nerf.erase("h");
    EXPECT_EQ(turnedOf(nerf), 3U);
    nerf.update({{"w", 80}, {"h", 100}});
    EXPECT_EQ(turnedOf(nerf), 0U);

    json own = {{"convention", "opengl"},
                {"matrices", "camera_to_world"},
                {"intrinsics", {{120, 0, 40}, {0, 120, 50}, {0, 0, 1}}}};
    for (const json& frame : nerf["frames"])
        own["views"].push_back(
            {{"image", frame["file_path"]}, {"matrix", frame["transform_matrix"]}});
    EXPECT_EQ(turnedOf(own), 0U);
    own.update({{"width", 100}, {"height", 80}});
    EXPECT_EQ(turnedOf(own), 3U);
}

TEST(TurnedPhotographs, giveTheNetworkTheSamePictures_withANote) {
    const TempFolder folder;
    const auto sampleOf = [&](int orientation) {
        storedScene(folder.path());
        for (const char* name : {"0", "1", "2"})
            writePhoto(folder / "images" / (std::string(name) + ".png"),
                       discPng(100, 80, orientation));
        ObjectPlacement place;
        place.centre = glm::dvec3(0);
        place.size = 0.7;
        place.up = glm::dvec3(0, 0, 1);
        return findSample({.location = folder / "transforms.json", .placement = place});
    };
    const Image plain = readNetworkImage(sampleOf(1), 0);
    const Sample turned = sampleOf(6);
    EXPECT_THAT(turned.photos->frame.notes,
                testing::Contains(HasSubstr("3 of 3 cameras are of the pixels as stored")));
    const Image again = readNetworkImage(turned, 0);
    ASSERT_EQ(again.rgba.size(), plain.rgba.size());
    int worst = 0;
    for (std::size_t i = 0; i < plain.rgba.size(); ++i)
        worst = std::max(worst, std::abs(plain.rgba[i] - again.rgba[i]));
    EXPECT_LE(worst, 1);
    EXPECT_NE(std::ranges::min(plain.rgba), 255);
}

TEST(TurnedPhotographs, areUsed_whenMirroredAndTheCameraIsOfTheUprightPicture) {
    const TempFolder folder;
    json own = {{"convention", "opengl"},
                {"matrices", "camera_to_world"},
                {"object_centre", {0, 0, 0}},
                {"object_size", 0.7},
                {"intrinsics", {{120, 0, 50}, {0, 120, 40}, {0, 0, 1}}}};
    const json frames = storedScene(folder.path())["frames"];
    for (const json& frame : frames)
        own["views"].push_back(
            {{"image", frame["file_path"]}, {"matrix", frame["transform_matrix"]}});
    own.update({{"width", 100}, {"height", 80}});
    test::writeJson(folder / "cameras.json", own);
    const auto viewsOf = [&](int orientation) {
        const bool swapped = orientation > 4;
        for (const char* name : {"0", "1", "2"})
            writePhoto(folder / "images" / (std::string(name) + ".png"),
                       discPng(swapped ? 80 : 100, swapped ? 100 : 80, orientation));
        return readPosedPhotos(folder / "cameras.json").views;
    };
    for (int orientation = 1; orientation <= 8; ++orientation)
        for (const PosedPhoto& view : viewsOf(orientation))
            EXPECT_EQ(view.problem, "") << orientation;
}

TEST(TurnedPhotographs, areRefusedInOneLine_whenMirroredOrOfAnotherSize) {
    const TempFolder folder;
    storedScene(folder.path());
    const auto problemOf = [&](const std::string& first) {
        for (const char* name : {"1", "2"})
            writePhoto(folder / "images" / (std::string(name) + ".png"), discPng(100, 80));
        writePhoto(folder / "images/0.png", first);
        return readPosedPhotos(folder / "transforms.json").views[0].problem;
    };
    EXPECT_THAT(problemOf(discPng(100, 80, 5)), HasSubstr("is stored mirrored, by its EXIF"));
    EXPECT_THAT(problemOf(discPng(90, 80, 6)),
                HasSubstr("is 80 × 90 pixels, its camera is for 100"));
}

}  // namespace
}  // namespace threefold
