#include "engine/sample/posed_photos/posed_photos.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_candidates.h"
#include "engine/views/foreground.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/message_of.h"
#include "tests/support/models.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using nlohmann::json;
using test::messageOf;
using test::OtherWorld;
using test::TempFolder;
using testing::HasSubstr;

const std::vector<int> kFirstThree = {0, 1, 2};

Backend& backend() {
    static const std::unique_ptr<Backend> made = makeCpuBackend(test::testModel());
    return *made;
}

/// Vertices of the coarse and of the refined mesh, in object space.
Points reconstructed(const Sample& sample, const std::vector<int>& views) {
    const NetworkInput input = loadViews(sample, views);
    const Reconstruction meshes = backend().reconstruct(input, {});
    Points all = meshes.vertices("coarse");
    all.insert(all.end(), meshes.vertices("refined").begin(), meshes.vertices("refined").end());
    for (glm::vec3& point : all)
        point = glm::vec3(input.cameras.front().toWorld(glm::dvec3(point)));
    return all;
}

/// Vertices of the chair, reconstructed from the sample in ShapeNet's own format.
const Points& plainMesh() {
    static const Points mesh = reconstructed(test::bundled("03001627"), kPublishedViews);
    return mesh;
}

struct Difference {
    double mean = 0;
    double max = 0;
};

Difference between(const Points& a, const Points& b) {
    Difference found;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double distance = glm::length(glm::dvec3(a[i]) - glm::dvec3(b[i]));
        found.mean += distance / static_cast<double>(a.size());
        found.max = std::max(found.max, distance);
    }
    return found;
}

/// Writes views 0, 6 and 7 with their own pictures and intrinsics, so that only the format of the
/// cameras differs.
void writeSameIntrinsics(const std::filesystem::path& folder, const Sample& plain,
                         const OtherWorld& world) {
    const int side = readImage(plain.images[0]).width;
    json file = {{"fl_x", test::shapeNetPinhole(side).focalX},
                 {"w", side},
                 {"h", side},
                 {"object_centre", {world.shift.x, world.shift.y, world.shift.z}},
                 {"object_size", kObjectDiagonal * world.scale},
                 {"frames", json::array()}};
    for (const int view : kPublishedViews) {
        const auto index = static_cast<std::size_t>(view);
        file["frames"].push_back(
            {{"file_path", plain.images[index].string()},
             {"transform_matrix", test::openGlMatrix(plain.cameraRows[index], world)}});
    }
    test::writeJson(folder / "transforms.json", file);
}

TEST(PosedPhotos, giveTheSameMesh_whenOnlyTheFormOfTheCamerasChanges) {
    const Sample plain = test::bundled("03001627");
    const TempFolder folder;
    writeSameIntrinsics(folder.path(), plain, {});
    const Sample own = findSample(folder.path());
    const NetworkInput input = loadViews(own, kFirstThree);
    EXPECT_EQ(input.images[0].rgba, readImage(plain.images[0]).rgba);  // not resampled
    EXPECT_LT(between(reconstructed(own, kFirstThree), plainMesh()).max, 1e-6);
}

TEST(PosedPhotos, giveTheNetworkTheSame_whenTheWorldIsTransformed) {
    const Sample plain = test::bundled("03001627");
    const TempFolder folder;
    const OtherWorld world = test::someWorld();
    writeSameIntrinsics(folder.path(), plain, world);
    const Sample own = findSample(folder / "transforms.json");
    const NetworkInput given = loadViews(own, kFirstThree);
    const NetworkInput expected = loadViews(plain, kPublishedViews);
    // The azimuth of all cameras together is arbitrary, so only transforms between cameras are
    // compared.
    for (std::size_t view = 0; view < 3; ++view) {
        EXPECT_EQ(given.images[view].rgba, expected.images[view].rgba);
        for (const glm::dvec3 point :
             {glm::dvec3(0, 0, -0.8), {0.2, -0.1, -0.7}, {-0.1, 0.2, -1}}) {
            const glm::dvec3 here =
                transformBetweenCameras(given.cameras[0], given.cameras[view], point);
            const glm::dvec3 there =
                transformBetweenCameras(expected.cameras[0], expected.cameras[view], point);
            EXPECT_LT(glm::length(here - there), 1e-12);
            // Exported points must be in the original world.
            const glm::dvec3 exported =
                own.photoWorld().fromObject(given.cameras[0].toWorld(point));
            EXPECT_LT(glm::length(exported - world.of(expected.cameras[0].toWorld(point))), 1e-12);
            EXPECT_LT(
                glm::length(own.photoWorld().toObject(exported) - given.cameras[0].toWorld(point)),
                1e-12);
        }
    }
}

/// Vertices of the chair in ShapeNet's object space, reconstructed from photographs through three
/// other lenses, which have more pixels, a crop, a principal point off the middle, non-square
/// pixels or roll. The file has the first lens's principal point `error` pixels too far to the
/// right.
Points throughOtherLenses(double error) {
    const std::vector<test::Pinhole> lenses = {{400, 300, 430, 430, 215, 140},
                                               {251, 260, 290, 275, 118, 135},
                                               {180, 180, 190, 190, 90, 90}};
    const std::vector<double> rolls = {0.0, 0.1, -0.4};
    const Sample plain = test::bundled("03001627");
    const OtherWorld world = test::someWorld();
    const TempFolder folder;
    json file = {{"object_centre", {world.shift.x, world.shift.y, world.shift.z}},
                 {"object_size", kObjectDiagonal * world.scale},
                 {"frames", json::array()}};
    const glm::dvec3 up = world.rotation * glm::dvec3(0, 1, 0);
    file["up"] = {up.x, up.y, up.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto view = static_cast<std::size_t>(kPublishedViews[i]);
        const test::Pinhole& lens = lenses[i];
        const std::string name = fmt::format("{}.png", i);
        writePng(folder / name, test::seenBy(readImage(plain.images[view]), lens, rolls[i]));
        file["frames"].push_back(
            {{"file_path", name},
             {"fl_x", lens.focalX},
             {"fl_y", lens.focalY},
             {"cx", lens.principalX + (i == 0 ? error : 0)},
             {"cy", lens.principalY},
             {"transform_matrix", test::openGlMatrix(plain.cameraRows[view], world, rolls[i])}});
    }
    test::writeJson(folder / "transforms.json", file);
    const Sample own = findSample(folder.path());
    Points found = reconstructed(own, kFirstThree);
    for (glm::vec3& point : found) {
        const glm::dvec3 there = own.photoWorld().fromObject(glm::dvec3(point));
        point = glm::vec3(glm::transpose(world.rotation) * (there - world.shift) / world.scale);
    }
    return found;
}

TEST(PosedPhotos, giveNearlyTheSameMesh_throughOtherLenses) {
    // Mean distance between meshes of an object of size 0.57: two bilinear resamplings cause
    // 0.0021, an error of four of 400 pixels in one of the three lenses causes 0.0032.
    const Points plain = plainMesh();
    EXPECT_LT(between(throughOtherLenses(0), plain).mean, 2.6e-3);
    EXPECT_GT(between(throughOtherLenses(4), plain).mean, 2.6e-3) << "an error would not be seen";
}

TEST(PosedPhotos, areASample_whenTheirFolderOrFileIsNamed) {
    const TempFolder folder;
    test::writeDiscScene(folder.path(), 5);
    for (const auto& location : {folder.path(), folder / "transforms.json"}) {
        const Sample sample = findSample(location);
        EXPECT_EQ(sample.viewCount(), 5U);
        EXPECT_EQ(sample.cameraRows.size(), 5U);
        EXPECT_EQ(sample.id, folder.path().filename());
        EXPECT_EQ(sample.images[3], folder / "images/3.png");
        ASSERT_TRUE(sample.photos);
        EXPECT_EQ(sample.photos->file, folder / "transforms.json");
    }
    EXPECT_EQ(defaultViews(test::bundled("03001627")), kPublishedViews);
}

TEST(PosedPhotos, refuseAView_whenUnusable) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path(), 4);
    scene["frames"][1]["file_path"] = "none.png";
    test::writeJson(folder / "transforms.json", scene);
    const Sample sample = findSample(folder.path());
    EXPECT_THAT(messageOf<InputError>([&] {
                    loadViews(sample, std::vector<int>{0, 1});
                }),
                HasSubstr("view 1: its image 'none.png' was not found"));
    EXPECT_EQ(defaultViews(sample), (std::vector<int>{0, 2, 3}));
    // The image changes after the sample was found.
    writePng(folder / "images/2.png", {10, 10, std::vector<std::uint8_t>(400, 255)});
    EXPECT_THAT(messageOf<InputError>([&] {
                    loadViews(sample, std::vector<int>{0, 2});
                }),
                HasSubstr("is 10 × 10 pixels, its camera is for 100 × 100"));
}

TEST(PosedPhotos, areSkipped_whenTheyDoNotShowTheObject) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path(), 4);
    scene["object_centre"] = {0, 0, 0};
    scene["object_size"] = 0.7;
    for (json& row :
         scene["frames"][1]["transform_matrix"]) {  // turned 180° about y: the camera looks away
        row[0] = -row[0].get<double>();
        row[2] = -row[2].get<double>();
    }
    scene["frames"][1]["transform_matrix"][3] = {0, 0, 0, 1};
    test::writeJson(folder / "transforms.json", scene);
    EXPECT_EQ(defaultViews(findSample(folder.path())), (std::vector<int>{0, 2, 3}));
}

TEST(NetworkImage, isWhiteAndTransparent_beyondThePhotograph) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    scene["object_size"] = 1.4;  // so large that the network's camera sees more than the photograph
    test::writeJson(folder / "transforms.json", scene);
    const Sample sample = findSample(folder.path());
    const Image image = loadViews(sample, kFirstThree).images[0];
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

TEST(PosedPhotos, nameAFile_whenItIsNoPicture) {
    const TempFolder root;
    std::filesystem::create_directories(root / "scan");
    json scene = test::writeDiscScene(root / "scan");
    scene["object_centre"] = {0, 0, 0};
    scene["object_size"] = 1;
    std::filesystem::rename(root / "scan/images", root / "images");
    for (json& frame : scene["frames"])
        frame["file_path"] = "../" + frame["file_path"].get<std::string>();
    writeFileAtomically(root / "key", "not for everybody");
    for (const auto& [name, problem] :
         {std::pair<std::string, std::string>("/dev/zero", "its image '/dev/zero' was not found"),
          {(root / "key").string(), (root / "key").string() + " is no PNG"}}) {
        scene["frames"][0]["file_path"] = name;
        test::writeJson(root / "scan/transforms.json", scene);
        const PosedPhotos read = readPosedPhotos(root / "scan/transforms.json");
        EXPECT_THAT(read.views[0].problem, HasSubstr(problem));
        for (const std::size_t other : {1, 2}) {
            EXPECT_EQ(read.views[other].problem, "");
            EXPECT_TRUE(isFile(read.views[other].photo.image));
        }
    }
}

}  // namespace
}  // namespace threefold
