#include "engine/sample/sample_views.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/view_candidates.h"
#include "tests/engine/sample/sample_folders.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;
using test::kChair;
using test::makeFolder;
using test::messageOf;
using test::TempFolder;
using test::writeRows;

TEST(LoadViews, keepsTheOrder_whenViewsAreChosen) {
    const Sample sample = findSample(kChair);
    const NetworkInput input = loadViews(sample, std::vector<int>{7, 0});
    ASSERT_EQ(input.images.size(), 2u);
    EXPECT_EQ(input.images[0].rgba, readImage(kChair / "rendering/07.png").rgba);
    EXPECT_EQ(input.cameras[0].centre, Camera::fromRow(sample.cameraRows[7]).centre);
    EXPECT_EQ(input.cameras[1].centre, Camera::fromRow(sample.cameraRows[0]).centre);
    EXPECT_NO_THROW(requireValidInput(input));
}

TEST(LoadViews, refuses_whenViewsAreMissing) {
    const Sample sample = findSample(kChair);
    const auto refusal = [&](std::vector<int> views) {
        return messageOf<InputError>([&] { loadViews(sample, views); });
    };
    EXPECT_NE(refusal({0, 24}).find("Choose from 0 to 23."), std::string::npos);
    EXPECT_NE(refusal({0, -1}).find("view -1"), std::string::npos);
    EXPECT_NE(refusal({3, 5, 3}).find("view 3"), std::string::npos);
    EXPECT_NE(refusal({0}).find("Choose 2 to 8"), std::string::npos);
    EXPECT_NE(refusal({0, 1, 2, 3, 4, 5, 6, 7, 8}).find("Choose 2 to 8"), std::string::npos);
}

TEST(LoadViews, reportsAMissingImage_onlyWhenChosen) {
    const TempFolder root;
    const Path folder = root / "04/x/rendering";
    writeRows(folder, 3);
    for (const char* name : {"00.png", "02.png"})
        writePng(folder / name, Image{1, 1, {1, 2, 3, 255}});
    const Sample sample = findSample(folder);
    EXPECT_EQ(loadViews(sample, std::vector<int>{0, 2}).images.size(), 2u);
    const std::string message = messageOf<InputError>([&] {
        loadViews(sample, std::vector<int>{0, 1});
    });
    EXPECT_NE(message.find("view 1: has a camera but no image"), std::string::npos) << message;
}

TEST(LoadViews, refusesAPicture_whenNotSquare) {
    const TempFolder root;
    const Path folder = root / "04/x/rendering";
    writeRows(folder, 3);
    const auto write = [&](const char* name, int width, int height) {
        const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        writePng(folder / name, Image{width, height, std::vector<std::uint8_t>(4 * pixels, 255)});
    };
    write("00.png", 30, 30);
    write("01.png", 40, 30);
    write("02.png", 448, 446);  // differs from a square by one pixel of the network's picture
    const Sample sample = findSample(folder);
    EXPECT_EQ(loadViews(sample, std::vector<int>{0, 2}).images.size(), 2u);
    const std::string message = messageOf<InputError>([&] {
        loadViews(sample, std::vector<int>{0, 1});
    });
    EXPECT_NE(message.find("01.png: is 40 × 30 pixels"), std::string::npos) << message;
    EXPECT_NE(message.find("Pad or crop it"), std::string::npos) << message;
}

TEST(LoadViews, enlargesTheCentre_whenTheCamerasAreFarAway) {
    const TempFolder root;
    const Path folder = root / "own";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "rendering_metadata.txt") << "10 25 0 1.6 25\n90 25 0 0.8 25\n";
    // Red in the middle half, white around it.
    constexpr int kSide = 64;
    Image image{kSide, kSide, std::vector<std::uint8_t>(std::size_t{4} * kSide * kSide, 255)};
    for (std::size_t y = kSide / 4; y < 3 * kSide / 4; ++y)
        for (std::size_t x = kSide / 4; x < 3 * kSide / 4; ++x)
            image.rgba[4 * (y * kSide + x) + 1] = image.rgba[4 * (y * kSide + x) + 2] = 0;
    for (const char* name : {"a.png", "b.png"}) writePng(folder / name, image);
    const Sample sample = findSample(folder);
    const NetworkInput input = loadViews(sample, std::vector<int>{0, 1});
    EXPECT_DOUBLE_EQ(input.depthOffset, 0.8);
    const auto greenAt = [](const Image& seen, double x, double y) {
        const auto column = static_cast<std::size_t>(x * seen.width);
        const auto row = static_cast<std::size_t>(y * seen.height);
        return seen.rgba[4 * (row * static_cast<std::size_t>(seen.width) + column) + 1];
    };
    const Image& far = input.images[0];
    EXPECT_EQ(far.width, kInputSide);
    for (const double x : {0.02, 0.5, 0.98}) {
        EXPECT_EQ(greenAt(far, x, 0.5), 0) << x;
        EXPECT_EQ(greenAt(far, 0.5, x), 0) << x;
    }
    EXPECT_EQ(input.images[1].rgba, image.rgba) << "within the trained distances";
    EXPECT_EQ(networkImage(sample, 0, image, ViewResolution::photograph).width, kMinViewSide);
    for (const int view : {-1, 2, 1000})
        EXPECT_THAT(messageOf<InputError>([&] { networkImage(sample, view, image); }),
                    testing::HasSubstr("the sample has 2 views"))
            << view;
}

TEST(LoadViews, refusesTwoViewsOfOneCamera) {
    const TempFolder root;
    const Path folder = root / "own";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "rendering_metadata.txt")
        << "10 25 0 0.8 25\n90 25 0 0.8 25\n370 25 0 0.8 25\n10 25 0 0.9 25\n";
    for (const char* name : {"a.png", "b.png", "c.png", "d.png"})
        writePng(folder / name, Image{1, 1, {1, 2, 3, 255}});
    const Sample sample = findSample(folder);
    EXPECT_EQ(loadViews(sample, std::vector<int>{0, 1, 3}).images.size(), 3u);
    const std::string message = messageOf<InputError>([&] {
        loadViews(sample, std::vector<int>{1, 2, 0});
    });
    EXPECT_NE(message.find("view 0: has the same camera as view 2"), std::string::npos) << message;
}

TEST(LoadViews, namesTheFile_whenAnImageIsDamaged) {
    const TempFolder root;
    const Path folder = makeFolder(root / "04/x/rendering", 2, {"00.png", "01.png"});
    const std::string message = messageOf<Error>([&] {
        loadViews(findSample(folder), std::vector<int>{0, 1});
    });
    EXPECT_NE(message.find("00.png"), std::string::npos) << message;
}

TEST(IsUsableView, isFalse_whereTheImageIsMissingOrTheCameraHasAProblem) {
    Sample sample;
    sample.images = {"0.png", "", "2.png"};
    for (const std::size_t view : {0U, 1U, 2U})
        EXPECT_EQ(isUsableView(sample, view), view != 1) << view;
    auto photos = std::make_shared<PosedPhotos>();
    photos->views.resize(3);
    photos->views[2].problem = "mirrored";
    sample.photos = photos;
    for (const std::size_t view : {0U, 1U, 2U})
        EXPECT_EQ(isUsableView(sample, view), view == 0) << view;
    EXPECT_EQ(usableViews(sample), std::vector{0});
}

TEST(ToPhotograph, takesTheCameraFileOrTheRow_whicheverTheSampleHas) {
    Sample sample;
    sample.images = {"0.png"};
    sample.cameraRows = {CameraRow{0, 20, 0, 0.8, 60}};
    const auto middle = toPhoto(sample, 0, {448, 448})(glm::dvec2(kPrincipalPoint));
    ASSERT_TRUE(middle);
    EXPECT_NEAR(middle->x, 0.5, 1e-12);
    auto photos = std::make_shared<PosedPhotos>();
    PosedPhoto& view = photos->views.emplace_back();
    view.row = sample.cameraRows[0];
    view.photo.pose = Camera::fromRow(view.row);
    view.photo.lens = {448, 448, 400, 400, 112, 224};
    sample.photos = photos;
    const auto aside = toPhoto(sample, 0, {448, 448})(glm::dvec2(kPrincipalPoint));
    ASSERT_TRUE(aside);
    EXPECT_NEAR(aside->x, 0.25, 1e-12);
    EXPECT_THROW(toPhoto(sample, 1, {448, 448}), InputError);
}

TEST(DefaultViews, areTheMostDifferentOfFew_andThePublishedOnesOfMany) {
    const TempFolder folder;
    const auto viewsOf = [&](int rows, std::vector<int> missing = {}) {
        std::vector<std::string> images;
        for (int i = 0; i < rows; ++i)
            if (std::find(missing.begin(), missing.end(), i) == missing.end())
                images.push_back(fmt::format("{:02}.png", i));
        // The object fills all but a corner.
        std::vector<std::uint8_t> pixels(64, 255);
        pixels[3] = 0;
        const Path place = folder / fmt::format("of{}", rows);
        writeRows(place, rows);
        for (const std::string& image : images) writePng(place / image, {4, 4, pixels});
        return defaultViews(findSample(place));
    };
    EXPECT_EQ(viewsOf(2), (std::vector<int>{0, 1}));
    EXPECT_EQ(viewsOf(3), (std::vector<int>{0, 1, 2}));
    // Cameras are 10° apart; views that differ most are chosen.
    EXPECT_EQ(viewsOf(5), (std::vector<int>{0, 2, 4}));
    EXPECT_THAT(viewsOf(8), testing::IsSupersetOf({0, 7}));
    EXPECT_EQ(viewsOf(24), kPublishedViews);
    EXPECT_EQ(viewsOf(23, {6}).size(), 3U);
    EXPECT_THAT(viewsOf(6, {0, 3}), testing::Not(testing::IsSupersetOf({0})));
}

}  // namespace
}  // namespace threefold
