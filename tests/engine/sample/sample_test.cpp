#include "engine/sample/sample.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>

#include "engine/error.h"
#include "engine/sample/data_set.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/engine/sample/sample_folders.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;
using test::kBundled;
using test::kChair;
using test::makeFolder;
using test::messageOf;
using test::TempFolder;
using test::touch;
using test::writeRows;

void expectChair(const Sample& sample) {
    EXPECT_EQ(sample.category, "03001627");
    EXPECT_EQ(sample.id, "p0001");
    EXPECT_EQ(sample.name(), "03001627_p0001_00");
    EXPECT_EQ(sample.viewCount(), 24u);
    EXPECT_EQ(sample.cameraRows.size(), 24u);
    EXPECT_EQ(sample.folder, kChair / "rendering");
    EXPECT_EQ(sample.images[7], kChair / "rendering/07.png");
    EXPECT_EQ(sample.truthFile(), kBundled / "gt/03001627_p0001_00.dat");
    EXPECT_EQ(sample.truthView, 0);
}

TEST(FindSample, givesTheSystemsReason_whenAPathIsUnreadable) {
    const TempFolder folder;
    for (const Path& link : {folder / "loop", folder / "sample" / "rendering_metadata.txt"}) {
        std::filesystem::create_directories(link.parent_path());
        std::filesystem::create_symlink(link.filename(), link);
    }
    for (const Path& location : {folder / "loop", folder / "sample"}) {
        const std::string message = messageOf<IoError>([&] { findSample(location); });
        EXPECT_NE(message.find(location.string() + ": cannot be "), std::string::npos) << message;
        EXPECT_NE(message.find("Too many levels of symbolic links"), std::string::npos) << message;
    }
}

TEST(FindSample, saysThatAFolderIsEmpty) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "empty");
    const std::string message = messageOf<InputError>([&] { findSample(folder / "empty"); });
    EXPECT_NE(message.find("is empty: no photographs and no camera file"), std::string::npos)
        << message;
}

TEST(FindSample, findsTheSample_whenAnyOfItsPathsIsNamed) {
    for (const Path& location :
         {kChair, kChair / "", kChair / "rendering", kChair / "rendering/", kChair / "rendering/.",
          kChair / "rendering/05.png", kChair / "rendering/rendering_metadata.txt"}) {
        SCOPED_TRACE(location);
        expectChair(findSample(location));
    }
}

TEST(FindSample, findsTheSample_whenNamedAsInATestList) {
    for (const Path& root : {kBundled, kBundled / "ShapeNetRendering"})
        for (const char* name : {"03001627_p0001_00.dat", "03001627_p0001_00"}) {
            SCOPED_TRACE(root / name);
            expectChair(findSample({.location = name, .imageRoot = root}));
        }
}

TEST(FindSample, findsTheSample_whenItsTruthIsNamed) {
    expectChair(findSample(kBundled / "gt/03001627_p0001_00.dat"));
}

TEST(FindSample, keepsUnderscores_whenTheSampleHasSome) {
    const TempFolder root;
    makeFolder(root / "04/a_b_c/rendering", 2, {"00.png", "01.png"});
    const Sample sample = findSample({.location = "04_a_b_c_01.dat", .imageRoot = root.path()});
    EXPECT_EQ(sample.id, "a_b_c");
    EXPECT_EQ(sample.name(), "04_a_b_c_01");
    EXPECT_FALSE(sample.truth);
}

TEST(FindSample, prefersTheGivenTruthFolder_whenThereAreSeveral) {
    const TempFolder root;
    makeFolder(root / "data/04/x/rendering", 2, {"00.png", "01.png"});
    touch(root / "data/gt/04_x_00.dat");
    touch(root / "other/04_x_01.dat");
    EXPECT_EQ(findSample(root / "data/04/x").truthFile(), root / "data/gt/04_x_00.dat");
    const Sample sample = findSample({.location = root / "data/04/x", .truthRoot = root / "other"});
    EXPECT_EQ(sample.truthFile(), root / "other/04_x_01.dat");
    EXPECT_EQ(sample.truthView, 1);
    EXPECT_EQ(sample.name(), "04_x_01");
    // A truth outside the given folder of truths is not used, even if there is no other.
    std::filesystem::create_directories(root / "empty");
    EXPECT_FALSE(findSample({.location = root / "data/04/x", .truthRoot = root / "empty"}).truth);
}

TEST(FindSample, usesOnlyTheTruthOfTheListsView) {
    const TempFolder root;
    makeFolder(root / "04/x/rendering", 3, {"00.png", "01.png", "02.png"});
    touch(root / "gt/04_x_00.dat");
    touch(root / "gt/04_x_02.dat");
    EXPECT_EQ(findSample({.location = "04_x_02.dat", .imageRoot = root.path()}).truthFile(),
              root / "gt/04_x_02.dat");
    EXPECT_FALSE(findSample({.location = "04_x_01.dat", .imageRoot = root.path()}).truth);
}

TEST(FindSample, findsTruthsOfOtherFormats_inTheirOrder) {
    const TempFolder root;
    makeFolder(root / "04/x/rendering", 2, {"00.png", "01.png"});
    // Names from lowest to highest priority.
    for (const char* name :
         {"gt/04/x/models/model_normalized.obj", "gt/04/x/model.obj", "gt/04/x.stl", "gt/04_x.xyz",
          "gt/04_x.gltf", "gt/04_x.obj", "gt/04_x_01.ply", "gt/04_x_01.obj", "gt/04_x_00.obj",
          "gt/04_x_00.npz"}) {
        SCOPED_TRACE(name);
        touch(root / name);
        const Sample sample = findSample(root / "04/x");
        EXPECT_EQ(sample.truthFile(), root / name);
        EXPECT_FALSE(sample.truth->space) << "the space is detected from the points";
        EXPECT_EQ(sample.truthView, std::string(name).find("_01.") != std::string::npos);
    }
    touch(root / "gt/04_x_01.dat");
    const Sample sample = findSample(root / "04/x");
    EXPECT_EQ(sample.truthFile(), root / "gt/04_x_01.dat");
    EXPECT_EQ(sample.truth->space, MeshSpace::camera);
    EXPECT_EQ(sample.truthView, 1);
    EXPECT_EQ(findSample({.location = "04_x_00.dat", .imageRoot = root.path()}).truthFile(),
              root / "gt/04_x_00.npz")
        << "the view of the list, whatever its extension";
}

TEST(FindSample, findsTheSample_whenItsTruthIsNamedAndIsAMesh) {
    const TempFolder root;
    makeFolder(root / "ShapeNetRendering/04/x/rendering", 2, {"00.png", "01.png"});
    touch(root / "gt/04_x_01.obj");
    const Sample sample = findSample(root / "gt/04_x_01.obj");
    EXPECT_EQ(sample.truthFile(), root / "gt/04_x_01.obj");
    EXPECT_EQ(sample.truthView, 1);
    EXPECT_FALSE(sample.truth->space);
    EXPECT_EQ(truthViewOf("04_x_01.obj", 7), 1);
}

TEST(FindSample, keepsRowsAndImagesTogether_whenAnImageIsMissing) {
    const TempFolder root;
    makeFolder(root / "04/x/rendering", 4, {"00.png", "01.png", "03.png"});
    const Sample sample = findSample(root / "04/x");
    ASSERT_EQ(sample.viewCount(), 4u);
    EXPECT_TRUE(sample.images[2].empty());
    EXPECT_EQ(sample.images[3].filename(), "03.png");
    EXPECT_EQ(sample.cameraRows[3].azimuth, 30);
}

TEST(FindSample, ordersOwnImages_byName) {
    const TempFolder root;
    makeFolder(root / "vase", 3, {"right.JPG", "back.jpeg", "front.png", "notes.txt", ".hid.png"});
    const Sample sample = findSample(root / "vase");
    EXPECT_EQ(sample.category, "");
    EXPECT_EQ(sample.id, "vase");
    EXPECT_EQ(sample.name(), "vase");
    ASSERT_EQ(sample.viewCount(), 3u);
    EXPECT_EQ(sample.images[0].filename(), "back.jpeg");
    EXPECT_EQ(sample.images[1].filename(), "front.png");
    EXPECT_EQ(sample.images[2].filename(), "right.JPG");
}

TEST(FindSample, countsFromOne_whenOwnImagesDo) {
    const TempFolder root;
    std::vector<std::string> names;
    for (int i = 1; i <= 10; ++i) names.push_back(fmt::format("{}.png", i));
    const Sample sample = findSample(makeFolder(root / "vase", 10, names));
    EXPECT_EQ(sample.images[0].filename(), "1.png");
    EXPECT_EQ(sample.images[9].filename(), "10.png");
}

TEST(FindSample, readsRowsOfCamerasTxt_whenThereAreNoOtherCameras) {
    const TempFolder root;
    const Path folder = makeFolder(root / "demo", 3, {"plane1.png", "plane2.png", "plane3.png"});
    std::filesystem::rename(folder / "rendering_metadata.txt", folder / "cameras.txt");
    touch(folder / "predict.obj");
    for (const Path& named : {folder, folder / "cameras.txt", folder / "plane2.png"}) {
        const Sample sample = findSample(named);
        EXPECT_EQ(sample.id, "demo");
        ASSERT_EQ(sample.viewCount(), 3u) << named;
        EXPECT_EQ(sample.images[1], folder / "plane2.png");
        EXPECT_EQ(sample.cameraRows[1].azimuth, 10);
        EXPECT_FALSE(sample.photos);
    }
    writeRows(folder, 3);
    std::ofstream(folder / "cameras.txt") << "# COLMAP\n1 PINHOLE 800 800 700 700 400 400\n";
    EXPECT_EQ(findSample(folder).viewCount(), 3u);
    std::filesystem::remove(folder / "rendering_metadata.txt");
    const std::string message = messageOf<FormatError>([&] { findSample(folder); });
    EXPECT_NE(message.find("cameras.txt: line 2"), std::string::npos) << message;
    EXPECT_NE(message.find("images.txt"), std::string::npos) << message;
}

TEST(FindSample, namesAcceptedInputs_whenNothingIsFound) {
    const TempFolder root;
    const Path missing = root / "missing";
    EXPECT_NE(messageOf<InputError>([&] { findSample(missing); }).find(missing.string()),
              std::string::npos);
    EXPECT_NE(
        messageOf<InputError>([&] { findSample("04_x_00.dat"); }).find("root folder of the images"),
        std::string::npos);
    EXPECT_NE(messageOf<InputError>([&] {
                  findSample({.location = "04_x_00.dat", .imageRoot = root.path()});
              }).find("04/x/rendering"),
              std::string::npos);
    EXPECT_THROW(findSample({.location = "04_x_.dat", .imageRoot = root.path()}), InputError);
    EXPECT_THROW(findSample({.location = "nonsense", .imageRoot = root.path()}), InputError);
    EXPECT_THROW(findSample(""), InputError);
}

TEST(FindSample, namesTheMissingFile_whenThereIsNoMetadata) {
    const TempFolder root;
    touch(root / "00.png");
    touch(root / "mesh.obj");
    for (const Path& location : {root.path(), root / "00.png"})
        EXPECT_NE(
            messageOf<InputError>([&] { findSample(location); }).find("rendering_metadata.txt"),
            std::string::npos);
    EXPECT_NE(messageOf<InputError>([&] { findSample(root / "mesh.obj"); }).find("not part of"),
              std::string::npos);
}

TEST(FindSample, namesTheImage_whenItHasNoRow) {
    const TempFolder root;
    const Path folder = makeFolder(root / "x/rendering", 2, {"00.png", "01.png", "02.png"});
    const std::string message = messageOf<InputError>([&] { findSample(folder); });
    EXPECT_NE(message.find("02.png"), std::string::npos) << message;
}

TEST(FindSample, namesBothImages_whenTwoShowOneView) {
    const TempFolder root;
    const Path folder = makeFolder(root / "x/rendering", 2, {"00.png", "01.png", "01.jpg"});
    const std::string message = messageOf<InputError>([&] { findSample(folder); });
    EXPECT_NE(message.find("01.png"), std::string::npos) << message;
    EXPECT_NE(message.find("01.jpg"), std::string::npos) << message;
}

TEST(FindSample, countsBoth_whenOwnImagesAndRowsDiffer) {
    const TempFolder root;
    const Path folder = makeFolder(root / "vase", 2, {"a.png", "b.png", "c.png"});
    const std::string message = messageOf<InputError>([&] { findSample(folder); });
    EXPECT_NE(message.find("3 images"), std::string::npos) << message;
    EXPECT_NE(message.find("2 rows"), std::string::npos) << message;
}

TEST(FindSample, refuses_whenThereAreFewerThanTwoImages) {
    const TempFolder root;
    const Path folder = makeFolder(root / "x/rendering", 24, {"03.png"});
    EXPECT_NE(messageOf<InputError>([&] { findSample(folder); }).find("At least 2 views"),
              std::string::npos);
}

TEST(FindSample, namesTheLine_whenMetadataIsDamaged) {
    const TempFolder root;
    const Path folder = makeFolder(root / "vase", 2, {"a.png", "b.png"});
    std::ofstream(folder / "rendering_metadata.txt") << "0 25 0 0.8 25\n10 25 zero 0.8 25\n";
    EXPECT_NE(messageOf<FormatError>([&] { findSample(folder); }).find("line 2"),
              std::string::npos);
}

TEST(ListSamples, sortsByCategoryThenName_whenGivenAnyRoot) {
    const std::vector<std::array<std::string, 2>> names = {
        {"02691156", "p0001"},   {"02958343", "lorry"}, {"02958343", "p0001"},
        {"03001627", "banquet"}, {"03001627", "p0001"}, {"03636649", "lantern"},
        {"04379243", "bistro"},  {"04379243", "p0001"}};
    for (const Path& root : {kBundled, kBundled / "ShapeNetRendering"}) {
        const std::vector<Path> folders = listSamples(root);
        ASSERT_EQ(folders.size(), names.size());
        for (std::size_t i = 0; i < folders.size(); ++i) {
            const auto& [category, id] = names[i];
            EXPECT_EQ(folders[i], kBundled / "ShapeNetRendering" / category / id);
            EXPECT_EQ(findSample(folders[i]).category, category);
        }
    }
}

TEST(ListSamples, findsOneCategoryAndOwnFolders_whenThatIsTheRoot) {
    const Path chairs = kChair.parent_path();
    EXPECT_EQ(listSamples(chairs), (std::vector<Path>{chairs / "banquet", kChair}));
    const TempFolder root;
    makeFolder(root / "b", 2, {"x.png", "y.png"});
    makeFolder(root / "a", 2, {"x.png", "y.png"});
    std::filesystem::create_directories(root / "empty/too");
    touch(root / "file.txt");
    EXPECT_EQ(listSamples(root.path()), (std::vector<Path>{root / "a", root / "b"}));
}

TEST(ListSamples, isEmpty_whenThereIsNothing) {
    const TempFolder root;
    EXPECT_TRUE(listSamples(root.path()).empty());
    EXPECT_TRUE(listSamples(root / "missing").empty());
}

TEST(FindSample, ordersImagesByTheNumbersInTheirNames_whenTheseHaveNoLeadingZeros) {
    const TempFolder folder;
    std::vector<std::string> names;
    for (int i = 1; i <= 12; ++i) names.push_back(fmt::format("view{}.png", i));
    const Sample sample = findSample(makeFolder(folder / "a", 12, names));
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_EQ(sample.images[i].filename(), fmt::format("view{}.png", i + 1));
}

TEST(FindSample, ignoresOtherPictures_ofAView) {
    const TempFolder folder;
    const Sample sample = findSample(makeFolder(
        folder / "a", 2, {"00.png", "01.png", "00_prj.png", "01_depth.png", "01_normal.png"}));
    EXPECT_EQ(sample.images[1].filename(), "01.png");
    // A picture with such a name is a view if no other picture shows that view.
    EXPECT_EQ(
        findSample(makeFolder(folder / "b", 2, {"a_depth.png", "b.png"})).images[0].filename(),
        "a_depth.png");
}

TEST(FindSample, isNamedAfterTheProject_whenTheCamerasAreByColmap) {
    const TempFolder folder;
    for (const char* place : {"first/sparse/0", "second/dense/sparse", "third/colmap/sparse/0"}) {
        test::writeDiscScene(folder / place);
        std::filesystem::remove(folder / place / "transforms.json");
        std::ofstream(folder / place / "cameras.txt") << "1 PINHOLE 100 100 120 120 50 50\n";
        std::ofstream(folder / place / "images.txt")
            << "1 1 0 0 0 0 0 2 1 0.png\n\n2 0.7071068 0 0.7071068 0 0 0 2 1 1.png\n\n";
    }
    EXPECT_EQ(findSample(folder / "first").name(), "first");
    EXPECT_EQ(findSample(folder / "second/dense/sparse").name(), "second");
    EXPECT_EQ(findSample(folder / "third/colmap").name(), "third");
}

TEST(FindSample, readsNamesOfPixel2MeshsLists_andFoldersBelowTheRoot) {
    const Path root = kBundled / "ShapeNetRendering";
    for (const char* name : {"Data/ShapeNetP2M/03001627/p0001/rendering/00.dat",
                             "/somewhere/03001627/p0001/rendering/03.png", "03001627/p0001"}) {
        SCOPED_TRACE(name);
        const Sample sample = findSample({.location = name, .imageRoot = root});
        EXPECT_EQ(sample.id, "p0001");
        EXPECT_EQ(sample.category, "03001627");
    }
    EXPECT_EQ(findSample({.location = "x/03001627/p0001/rendering/03.dat", .imageRoot = kBundled})
                  .truthView,
              3);
    EXPECT_THROW(findSample({.location = "03001627/none", .imageRoot = root}), InputError);
}

TEST(Metadata, isRead_whenItsRowsArePythonsLists) {
    const TempFolder folder;
    const Path place = makeFolder(folder / "a", 2, {"00.png", "01.png"});
    std::ofstream(place / "rendering_metadata.txt")
        << "[10.5, 25, 0, 0.8, 25],\n(20, 26.0, 0, 0.9, 25)\n";
    const Sample sample = findSample(place);
    EXPECT_EQ(sample.cameraRows[0].azimuth, 10.5);
    EXPECT_EQ(sample.cameraRows[1].distance, 0.9);
}

TEST(Sample, hasAnOrigin_whenItsWorldIsGeoreferenced) {
    auto photos = std::make_shared<PosedPhotos>();
    SimilarityTransform& transform = photos->frame.photosToObjectSpace;
    transform.rotation = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    transform.scale = 0.2;
    transform.sourceOrigin = {448260.9612, 5411931.3304, 117.92};
    Sample sample;
    sample.photos = photos;
    const glm::dvec3 origin = sample.photoWorld().origin();
    const glm::dvec3 place = sample.photoWorld().fromObject({0.1234567, -0.2, 0.05});
    const glm::vec3 kept(place - origin);
    EXPECT_LT(glm::distance(origin + glm::dvec3(kept), place), 1e-6);
    EXPECT_EQ(glm::vec3(sample.photoWorld().toObject(place)), glm::vec3(0.1234567, -0.2, 0.05));
    transform.sourceOrigin = {0.3, 2, -1};
    EXPECT_EQ(sample.photoWorld().origin(), glm::dvec3(0.0));
    sample.photos = nullptr;
    EXPECT_EQ(sample.photoWorld().origin(), glm::dvec3(0.0));
}

}  // namespace
}  // namespace threefold
