// The network's picture of a photograph and its camera, and places and masks between the two.
#include "engine/sample/posed_photos/virtual_camera.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/views/foreground.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using nlohmann::json;
using test::TempFolder;

TEST(NetworkImage, isWhiteAndTransparent_beyondThePhotograph) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    scene["object_size"] = 1.4;  // so large that the network's camera sees more than the photograph
    test::writeJson(folder / "transforms.json", scene);
    const Sample sample = findSample(folder.path());
    const Image image = loadViews(sample, std::vector<int>{0, 1, 2}).images[0];
    ASSERT_EQ(image.width, kInputSide);
    const auto pixel = [&](int x, int y) {
        return image.rgba.data() +
               4 * (static_cast<std::size_t>(y) * kInputSide + static_cast<std::size_t>(x));
    };
    // The photograph has 100 pixels at focal length 120, the network's picture 224 at 248, so the
    // photograph leaves 8.7 pixels uncovered on each side.
    EXPECT_EQ(pixel(8, 112)[3], 0);
    EXPECT_EQ(pixel(8, 112)[0], 255);
    EXPECT_EQ(pixel(9, 112)[3], 255);
    EXPECT_EQ(pixel(112, 112)[0], 90);
    // A disc of radius 0.35 at distance 2 ends 43.4 pixels from the middle.
    EXPECT_EQ(pixel(112 + 40, 112)[0], 90);
    EXPECT_EQ(pixel(112 + 47, 112)[0], 255);
}

/// A cut-out disc in the middle of a photograph whose camera is at twice the default distance.
struct CutOutDisc {
    static constexpr double kRadius = 130.3;
    static constexpr double kFocal = 1200;

    CutOutDisc() {
        view.row = {30, 20, 0, 2 * kDefaultDistance, 25};
        view.photo.pose = Camera::fromRow(view.row);
        view.photo.lens = {640, 480, kFocal, kFocal, 320, 240, 0, 0, 0, 0, 0};
        for (int y = 0; y < 480; ++y) {
            for (int x = 0; x < 640; ++x) {
                const bool inside = std::hypot(x - 319.5, y - 239.5) < kRadius;
                photograph.rgba.insert(photograph.rgba.end(),
                                       {80, 90, 100, static_cast<std::uint8_t>(inside ? 255 : 0)});
            }
        }
    }

    /// Area of the disc in a picture of side × side pixels.
    static double area(int side) {
        const double radius = kRadius / kFocal * 2 * kFocalLength * side / kInputSide;
        return std::numbers::pi * radius * radius;
    }

    PosedPhoto view;
    Image photograph{640, 480, {}};
};

TEST(NetworkImage, showsAnObjectNoLarger_thanItsPhotograph) {
    const CutOutDisc disc;
    for (const ViewResolution resolution : {ViewResolution::network, ViewResolution::photograph}) {
        const auto mask =
            foregroundOf(virtualCameraOfPhoto(disc.view, {}).resample(disc.photograph, resolution));
        ASSERT_TRUE(mask);
        const double area = CutOutDisc::area(mask->width);
        EXPECT_NEAR(std::ranges::count(mask->inside, 1), area, 0.005 * area) << mask->width;
    }
}

TEST(ObjectView, hasThePhotographsResolution_andItsBorder) {
    const CutOutDisc disc;
    const ObjectView seen = virtualCameraOfPhoto(disc.view, {}).objectView(disc.photograph);
    EXPECT_EQ(seen.picture.width, std::lround(224 * 1200 / (2 * 248.0)));
    ASSERT_TRUE(seen.mask);
    const double area = CutOutDisc::area(seen.mask->width);
    EXPECT_NEAR(std::ranges::count(seen.mask->inside, 1), area, 0.002 * area);
    ASSERT_EQ(seen.mask->known.size(), seen.mask->inside.size());
    // 480 of the 542 rows show the photograph.
    EXPECT_NEAR(std::ranges::count(seen.mask->known, 1), 542 * 480, 2 * 542);
    EXPECT_FALSE(seen.mask->isKnown(3));
}

TEST(ObjectView, hasOnlyTheObject_whenItsBackgroundIsWhite) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    scene["object_size"] = 1.4;
    test::writeJson(folder / "transforms.json", scene);
    const Sample sample = findSample(folder.path());
    const ObjectView seen = objectView(sample, 0, readImage(sample.images[0]));
    ASSERT_TRUE(seen.mask);
    ASSERT_FALSE(seen.mask->known.empty());
    const double radius = 0.35 / 2 * kFocalLength * seen.mask->width / kInputSide;
    const double area = std::numbers::pi * radius * radius;
    EXPECT_NEAR(std::ranges::count(seen.mask->inside, 1), area, 0.03 * area);
}

// Converts the mask of a view's picture back to the photograph.
TEST(PhotographMask, coversTheObjectInThePhotograph) {
    const TempFolder folder;
    test::writeDiscScene(folder.path());
    const Sample sample = findSample(folder.path());
    const Image photograph = readImage(sample.images[0]);
    const ObjectView seen = objectView(sample, 0, photograph);
    ASSERT_TRUE(seen.mask);
    const Image mask = photoMask(sample, 0, {photograph.width, photograph.height}, *seen.mask);
    ASSERT_EQ(mask.rgba.size(), photograph.rgba.size());
    int differ = 0;
    for (std::size_t i = 0; i < mask.rgba.size(); i += 4)
        differ += (mask.rgba[i] > 127) != (photograph.rgba[i] < 200) ? 1 : 0;
    EXPECT_LT(differ, 0.02 * 1385) << "of the disc's pixels";
}

TEST(ObjectView, hasNoMask_whenTheBackgroundWasNotCutOut) {
    CutOutDisc disc;
    for (std::size_t i = 3; i < disc.photograph.rgba.size(); i += 4) disc.photograph.rgba[i] = 255;
    EXPECT_FALSE(virtualCameraOfPhoto(disc.view, {}).objectView(disc.photograph).mask);
}

TEST(NetworkImage, showsStraightLines_whenTheLensDistorts) {
    // A photograph of a vertical stripe at x/z = 0.1…0.14 through a lens with k1 = −0.3.
    const Lens bent{400, 400, 400, 400, 200, 200, -0.3, 0, 0, 0, 0};
    Image photograph{400, 400, std::vector<std::uint8_t>(640'000, 255)};
    for (int y = 0; y < 400; ++y) {
        for (int x = 0; x < 400; ++x) {
            const std::optional<glm::dvec3> ray = directionThrough(bent, {x + 0.5, y + 0.5});
            if (!ray) continue;  // corners have no ray: r (1 − 0.3 r²) is at most 0.703
            const double at = ray->x / -ray->z;
            if (at < 0.1 || at > 0.14) continue;
            std::uint8_t* pixel = photograph.rgba.data() + 4 * (400 * static_cast<std::size_t>(y) +
                                                                static_cast<std::size_t>(x));
            std::fill(pixel, pixel + 3, std::uint8_t{0});
        }
    }
    PosedPhoto view;
    view.row = {0, 0, 0, 1, 25};
    view.photo.pose = Camera::fromRow(view.row);
    view.photo.lens = bent;
    const Image image = virtualCameraOfPhoto(view, {}).resample(photograph);
    // The stripe reaches from 248 · 0.1 + 112 = 136.8 to 146.7 in every row.
    for (int y = 4; y < 220; ++y) {
        const std::uint8_t* row = image.rgba.data() + 4 * static_cast<std::size_t>(kInputSide * y);
        EXPECT_EQ(row[4 * 135], 255) << y;
        EXPECT_EQ(row[4 * 138], 0) << y;
        EXPECT_EQ(row[4 * 145], 0) << y;
        EXPECT_EQ(row[4 * 148], 255) << y;
    }
}

// A dark square on the x axis of a picture, a quarter of the picture's width right of the middle.
Image markedAside(int width, int height) {
    Image image{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255)};
    for (int y = height / 2 - 8; y < height / 2 + 8; ++y)
        for (int x = 3 * width / 4 - 8; x < 3 * width / 4 + 8; ++x)
            for (int c = 0; c < 3; ++c)
                image.rgba[static_cast<std::size_t>(4 * (y * width + x) + c)] = 20;
    return image;
}

glm::dvec2 middleOfDark(const Image& image) {
    glm::dvec2 sum{0};
    double all = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const double dark =
                255 - image.rgba[static_cast<std::size_t>(4 * (y * image.width + x))];
            sum += dark * glm::dvec2(x + 0.5, y + 0.5);
            all += dark;
        }
    return sum / all;
}

TEST(NetworkImage, isUprightWithTheNetworksLens_whenARowHasRollAndFieldOfView) {
    const auto place = [](const CameraRow& row, int width, int height) {
        const Image image =
            virtualCameraOfRow(row, {width, height}).value().resample(markedAside(width, height));
        EXPECT_EQ(image.width, 224);
        EXPECT_EQ(image.height, 224);
        return middleOfDark(image) - glm::dvec2(kPrincipalPoint);
    };
    // With a field of view of 60°, the offset of a quarter of the width is tan 30° / 2 of the
    // distance.
    const double aside = kFocalLength * std::tan(glm::radians(30.0)) / 2;
    const glm::dvec2 wide = place({0, 20, 0, 0.8, 60}, 448, 448);
    EXPECT_NEAR(wide.x, aside, 0.1);
    EXPECT_NEAR(wide.y, 0, 0.1);
    const glm::dvec2 oblong = place({0, 20, 0, 0.8, 60}, 448, 300);
    EXPECT_NEAR(oblong.x, aside, 0.1);
    EXPECT_NEAR(oblong.y, 0, 0.1);
    // A camera rolled anticlockwise shows everything rotated clockwise. The network's picture is
    // rotated back, anticlockwise, which moves the square from the right to the top.
    const glm::dvec2 turned = place({0, 20, 90, 0.8, 60}, 448, 448);
    EXPECT_NEAR(turned.x, 0, 0.1);
    EXPECT_NEAR(turned.y, -aside, 0.1);
}

TEST(ToPhotograph, findsThePixel_whenARowHasRollAndFieldOfView) {
    const ImageSize picture{448, 300};
    const double aside = kFocalLength * std::tan(glm::radians(30.0)) / 2;
    const auto at = [&](const CameraRow& row, glm::dvec2 offset) {
        return virtualCameraOfRow(row, picture).value().toPhoto()(kPrincipalPoint + offset).value();
    };
    for (const glm::dvec2 place :
         {at({0, 20, 0, 0.8, 60}, {aside, 0}), at({0, 20, 90, 0.8, 60}, {0, -aside})}) {
        EXPECT_NEAR(place.x, 0.75, 1e-12);
        EXPECT_NEAR(place.y, 0.5, 1e-12);
    }
    EXPECT_FALSE(virtualCameraOfRow({0, 20, 0, 0.8, 25}, picture));
}

TEST(NetworkImage, isUntouched_whenARowHasTheMethodsLens) {
    for (const double field : {kShapeNetFieldOfView, 0.0, -4.0, 170.0})
        EXPECT_FALSE(virtualCameraOfRow({0, 20, 0, 0.8, field}, {300, 300})) << field;
    // loadViews() refuses an oblong picture whose field of view is unknown.
    EXPECT_FALSE(virtualCameraOfRow({0, 20, 5, 0.8, 25}, {300, 200}));
}

TEST(ToPhotograph, findsThePixel_throughTheLens) {
    PosedPhoto view;
    view.row = {30, 20, 0, 2.4, 25};
    view.photo.pose = Camera::fromRow(view.row);
    view.photo.pose.rotation = test::turnAbout({0.3, 0.1, 1}, 0.4) * view.photo.pose.rotation;
    view.photo.lens = {640, 480, 700, 710, 300, 250, -0.2, 0.05, 0.001, 0, 0};
    const Camera camera = Camera::fromRow(view.row);
    const auto toPhoto = virtualCameraOfPhoto(view, {}).toPhoto();
    for (const glm::dvec3 point : {glm::dvec3(0.0), {0.1, -0.2, 0.15}, {-0.2, 0.1, 0}}) {
        const glm::dvec3 seen = camera.toCamera(point);
        const auto place = toPhoto(camera.project(seen));
        const auto pixel = LensProjection(view.photo.lens).project(view.photo.pose.toCamera(point));
        ASSERT_TRUE(place && pixel);
        EXPECT_LT(glm::length(*place * glm::dvec2(640, 480) - *pixel), 1e-9);
    }
}

TEST(NetworkImage, keepsTheMeanOfAllPixels_whenThePhotographIsMuchLarger) {
    // Averaging makes a chequerboard of single pixels grey; sampling would make it black or white.
    constexpr int kSide = 2240;
    Image photograph{kSide, kSide, {}};
    photograph.rgba.reserve(std::size_t{4} * kSide * kSide);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const std::uint8_t value = (x + y) % 2 == 0 ? 0 : 255;
            photograph.rgba.insert(photograph.rgba.end(), {value, value, value, 255});
        }
    PosedPhoto view;
    view.row = {0, 0, 0, 1, 25};
    view.photo.pose = Camera::fromRow(view.row);
    view.photo.lens = {kSide, kSide, 2500, 2500, kSide / 2.0, kSide / 2.0, 0, 0, 0, 0, 0};
    const Image image = virtualCameraOfPhoto(view, {}).resample(photograph);
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        if (image.rgba[i + 3] == 0) continue;
        ASSERT_EQ(image.rgba[i], 128) << i;
    }
}

}  // namespace
}  // namespace threefold
