#include "engine/sample/posed_photos/posed_photos.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_candidates.h"
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
