#include "engine/sample/ground_truth.h"

#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/files/write_file.h"
#include "tests/support/message_of.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;
using test::messageOf;
using test::TempFolder;
namespace pickle = test::pickle;

const Path kSamples = Path(THREEFOLD_RESOURCES) / "samples";
const Path kPlane = kSamples / "ShapeNetRendering/02691156/p0001";

const std::vector<float> kTwoPoints = {1, 2, 3, 0, 0, 1, 4, 5, 6, 0, 1, 0};

Path writePickle(const TempFolder& folder, const std::string& value) {
    Path file = folder / "truth.dat";
    writeFileAtomically(file, pickle::pickled(value));
    return file;
}

void expectTwoPoints(const GroundTruth& truth) {
    EXPECT_EQ(truth.points, (Points{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(truth.normals, (Points{{0, 0, 1}, {0, 1, 0}}));
}

TEST(GroundTruth, readsPointsAndNormals_whenTheArrayIsBare) {
    const TempFolder folder;
    expectTwoPoints(readGroundTruth(writePickle(folder, pickle::array("f4", kTwoPoints, {2, 6}))));
}

TEST(GroundTruth, readsPointsAndNormals_whenTheArrayFollowsAnImage) {
    const TempFolder folder;
    const std::string image = pickle::array("u1", std::vector<std::uint8_t>(12), {2, 2, 3});
    const std::string array = pickle::array("f4", kTwoPoints, {2, 6});
    expectTwoPoints(readGroundTruth(writePickle(folder, pickle::tuple({image, array}))));
    expectTwoPoints(readGroundTruth(writePickle(folder, pickle::list({image, array}))));
}

TEST(GroundTruth, readsPointsAlone_whenThereAreThreeColumns) {
    const TempFolder folder;
    const GroundTruth truth = readGroundTruth(
        writePickle(folder, pickle::array("f8", std::vector<double>{1, 2, 3}, {1, 3})));
    EXPECT_EQ(truth.points, (Points{{1, 2, 3}}));
    EXPECT_TRUE(truth.normals.empty());
}

TEST(GroundTruth, readsEveryPoint_whenBundled) {
    const GroundTruth truth = readGroundTruth(kSamples / "gt/02691156_p0001_00.dat");
    EXPECT_EQ(truth.points.size(), 6000u);
    EXPECT_EQ(truth.normals.size(), 6000u);
    for (const glm::vec3& normal : truth.normals) ASSERT_NEAR(glm::length(normal), 1.0f, 1e-4f);
}

TEST(GroundTruth, namesTheFoundShape_whenWrong) {
    const TempFolder folder;
    const auto refusal = [&](const std::string& value) {
        return messageOf<InputError>([&] { readGroundTruth(writePickle(folder, value)); });
    };
    EXPECT_NE(refusal(pickle::array("f4", kTwoPoints, {3, 4})).find("[3, 4]"), std::string::npos);
    EXPECT_NE(refusal(pickle::array("f4", kTwoPoints, {12})).find("[12]"), std::string::npos);
    EXPECT_NE(refusal(pickle::array("f4", std::vector<float>{}, {0, 6})).find("no points"),
              std::string::npos);
    EXPECT_NE(refusal(pickle::integer(7)).find("neither an array"), std::string::npos);
    EXPECT_NE(refusal(pickle::tuple({pickle::integer(7), "N"})).find("neither an array"),
              std::string::npos);
}

TEST(GroundTruth, namesTheRow_whenAValueIsNotFinite) {
    const TempFolder folder;
    std::vector<float> values = kTwoPoints;
    values[8] = std::numeric_limits<float>::quiet_NaN();
    const Path file = writePickle(folder, pickle::array("f4", values, {2, 6}));
    EXPECT_NE(messageOf<InputError>([&] { readGroundTruth(file); }).find("row 1"),
              std::string::npos);
}

TEST(GroundTruth, refusesToRead_whenTheFileIsNoPickle) {
    const TempFolder folder;
    const Path file = folder / "truth.dat";
    writeFileAtomically(file, std::string_view("v 0 0 0\n"));
    EXPECT_THROW(readGroundTruth(file), Error);
    EXPECT_THROW(readGroundTruth(folder / "missing.dat"), IoError);
}

TEST(LoadGroundTruth, changesNothing_whenTheTruthIsInTheFirstViewsSpace) {
    const Sample sample = findSample(kPlane);
    EXPECT_EQ(loadGroundTruth(sample, 0).points, readGroundTruth(sample.truth->file).points);
}

TEST(LoadGroundTruth, expressesTheSameWorld_whenTheFirstViewIsAnother) {
    const Sample sample = findSample(kPlane);
    const GroundTruth own = loadGroundTruth(sample, 0);
    const GroundTruth moved = loadGroundTruth(sample, 6);
    const Camera first = Camera::fromRow(sample.cameraRows[0]);
    const Camera sixth = Camera::fromRow(sample.cameraRows[6]);
    ASSERT_EQ(moved.points.size(), own.points.size());
    ASSERT_EQ(moved.normals.size(), own.normals.size());
    EXPECT_GT(glm::distance(own.points[0], moved.points[0]), 1e-3f);
    for (std::size_t i = 0; i < own.points.size(); ++i) {
        const glm::dvec3 world = first.toWorld(own.points[i]);
        ASSERT_LT(glm::distance(world, sixth.toWorld(moved.points[i])), 1e-6);
        // Compares a normal by the position of its tip.
        const glm::dvec3 tip =
            first.toWorld(glm::dvec3(own.points[i]) + glm::dvec3(own.normals[i]));
        ASSERT_LT(glm::distance(tip, sixth.toWorld(glm::dvec3(moved.points[i]) +
                                                   glm::dvec3(moved.normals[i]))),
                  1e-6);
    }
}

TEST(LoadGroundTruth, isRestored_whenMovedToAnotherViewAndBack) {
    const TempFolder folder;
    Sample sample = findSample(kPlane);
    const GroundTruth own = loadGroundTruth(sample, 0);
    const GroundTruth moved = loadGroundTruth(sample, 13);
    std::vector<float> values;
    for (const glm::vec3& p : moved.points) values.insert(values.end(), {p.x, p.y, p.z});
    sample.truth->file = writePickle(folder, pickle::array("f4", values, {moved.points.size(), 3}));
    sample.truthView = 13;
    const GroundTruth back = loadGroundTruth(sample, 0);
    ASSERT_EQ(back.points.size(), own.points.size());
    for (std::size_t i = 0; i < own.points.size(); ++i)
        ASSERT_LT(glm::distance(back.points[i], own.points[i]), 5e-7f);
}

TEST(LoadGroundTruth, needsACameraOfItsView_onlyInCameraSpace) {
    Sample sample = findSample(kPlane);
    sample.truthView = 77;
    EXPECT_NE(messageOf<InputError>([&] { loadGroundTruth(sample, 0); }).find("view 77"),
              std::string::npos);
    sample.truth->space = MeshSpace::world;
    EXPECT_EQ(loadGroundTruth(sample, 0).points.size(), 6000U);
}

TEST(LoadGroundTruth, namesTheRemedy_whenUnavailable) {
    Sample sample = findSample(kPlane);
    EXPECT_NE(messageOf<InputError>([&] { loadGroundTruth(sample, 24); }).find("view 24"),
              std::string::npos);
    EXPECT_EQ(messageOf<InputError>([&] {
                  loadGroundTruth(sample, 24);
              }).find(sample.folder.string() + ": "),
              0U)
        << "the truth has nothing to do with the views that were asked for";
    sample.truth.reset();
    EXPECT_NE(
        messageOf<InputError>([&] { loadGroundTruth(sample, 0); }).find("02691156_p0001_00.dat"),
        std::string::npos);
}

/// Writes the truth of a bundled sample, scaled by `scale` in world space; returns the sample with
/// the scaled truth.
Sample withScaledTruth(const TempFolder& folder, double scale) {
    Sample sample = findSample(kPlane);
    const GroundTruth truth = loadGroundTruth(sample, 0);
    const Camera camera = Camera::fromRow(sample.cameraRows[0]);
    std::string text;
    for (const glm::vec3& point : truth.points) {
        const glm::dvec3 world = scale * camera.toWorld(glm::dvec3(point));
        text += fmt::format("v {:.9f} {:.9f} {:.9f}\n", world.x, world.y, world.z);
    }
    sample.truth = {folder / "02691156_p0001.obj", std::nullopt};
    writeFileAtomically(sample.truth->file, std::string_view(text));
    return sample;
}

TEST(LoadGroundTruth, scalesATruthOfUnitDiagonal_andNotesIt) {
    const TempFolder folder;
    const GroundTruth right = loadGroundTruth(withScaledTruth(folder, 1), 0);
    EXPECT_TRUE(right.notes.empty());
    const GroundTruth scaled = loadGroundTruth(withScaledTruth(folder, 1 / 0.57), 0);
    ASSERT_EQ(scaled.notes.size(), 1U);
    EXPECT_NE(scaled.notes[0].find("scaled by 0.57"), std::string::npos);
    ASSERT_EQ(scaled.points.size(), right.points.size());
    for (std::size_t i = 0; i < right.points.size(); ++i)
        EXPECT_LT(glm::distance(scaled.points[i], right.points[i]), 1e-6F);
    // Truths of other sizes are not scaled.
    EXPECT_TRUE(loadGroundTruth(withScaledTruth(folder, 1.5), 0).notes.empty());
}

TEST(GroundTruth, keepsItsShape_farFromTheOrigin) {
    const TempFolder folder;
    const std::vector<double> rows{5e6, 5e6, 100, 5e6 + 0.001, 5e6, 100, 5e6, 5e6 + 2, 101};
    GroundTruth truth = readGroundTruth(writePickle(folder, pickle::array("f8", rows, {3, 3})));
    EXPECT_NEAR(truth.points[1].x - truth.points[0].x, 0.001, 1e-6);
    const glm::dvec3 place = truth.origin + glm::dvec3(truth.points[2]);
    EXPECT_EQ(place, glm::dvec3(5e6, 5e6 + 2, 101));
    moveOrigin(truth, {5e6, 5e6, 100});
    EXPECT_EQ(truth.points[2], glm::vec3(0, 2, 1));
}

TEST(GroundTruth, keepsItsShape_besideAnOutlier) {
    const TempFolder folder;
    const std::vector<double> rows{0,   0,   0,       5e6, 5e6,     100,     5e6 + 0.001, 5e6,
                                   100, 5e6, 5e6 + 2, 101, 5e6 + 1, 5e6 + 1, 100};
    const GroundTruth truth =
        readGroundTruth(writePickle(folder, pickle::array("f8", rows, {5, 3})));
    EXPECT_NEAR(truth.points[2].x - truth.points[1].x, 0.001, 1e-6);
    EXPECT_EQ(truth.origin + glm::dvec3(truth.points[0]), glm::dvec3(0.0));
}

TEST(DownsampleRandomly, keepsTheSamePoints_inOrderAndWithNormals) {
    GroundTruth all;
    for (int i = 0; i < 6000; ++i) {
        all.points.emplace_back(i, 0, 0);
        all.normals.emplace_back(0, i, 0);
    }
    GroundTruth truth = all;
    downsampleRandomly(truth, 1155);
    ASSERT_EQ(truth.points.size(), 1155U);
    ASSERT_EQ(truth.normals.size(), 1155U);
    double sum = 0;
    for (std::size_t i = 0; i < truth.points.size(); ++i) {
        EXPECT_EQ(truth.normals[i].y, truth.points[i].x);
        ASSERT_TRUE(i == 0 || truth.points[i].x > truth.points[i - 1].x);
        sum += truth.points[i].x;
    }
    EXPECT_NEAR(sum / 1155, 3000, 150) << "all points are equally likely to be kept";
    GroundTruth again = all;
    downsampleRandomly(again, 1155);
    EXPECT_EQ(again.points, truth.points);
    downsampleRandomly(again, 5000);
    EXPECT_EQ(again.points, truth.points);
}

}  // namespace
}  // namespace threefold
