#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/options/photo_reports.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/stereo/photographs.h"
#include "tests/engine/structure_from_motion/colmap_model.h"
#include "tests/engine/turntable/scene.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Scene = TurntableScene;

/// Azimuths far from those of a turn by equal steps.
constexpr std::array<double, 8> kUnequalAzimuths = {0, 25, 100, 120, 200, 225, 250, 330};
/// Folder with eight photographs of a figure on a transparent background, from unequal azimuths,
/// and a fake COLMAP, whose model has the cameras of seven photographs, in a rotated and scaled
/// world.
class CamerasCommand : public testing::Test {
  protected:
    CamerasCommand() {
        fs::create_directories(figure_);
        fs::create_directories(temporary_);
        photograph(kUnequalAzimuths);
        registerPhotographs(kUnequalAzimuths, 7);
        writeFakeColmap(folder_ / "bin/colmap", folder_ / "models");
    }

    /// Replaces the photographs by photographs from other azimuths, degrees.
    void photograph(std::span<const double> azimuths) const {
        int number = 0;
        for (const PosedMask& view : Scene::outlines(Scene::figure(), azimuths)) {
            Image image{Scene::kWidth, Scene::kHeight, {}};
            for (const std::uint8_t inside : view.mask.inside) {
                const std::uint8_t alpha = inside != 0 ? 255 : 0;
                image.rgba.insert(image.rgba.end(), {90, 80, 200, alpha});
            }
            writePng(figure_ / fmt::format("IMG_{}.png", ++number), image);
        }
    }

    /// Makes the fake COLMAP register the first `count` photographs with cameras at these azimuths,
    /// degrees. `models`: folder of the model, as in writeFakeColmap().
    void registerPhotographs(std::span<const double> azimuths, std::size_t count,
                             const char* models = "models") const {
        const auto figure = Scene::figure();
        const auto views = Scene::outlines(figure, azimuths);
        const glm::dmat3 worldRotation = glm::mat3_cast(glm::angleAxis(1.3, glm::normalize(kAxis)));
        std::vector<ModelPicture> pictures;
        for (std::size_t i = 0; i < count; ++i)
            pictures.push_back({fmt::format("{:06}.png", i),
                                {.rotation = views[i].pose.rotation * glm::transpose(worldRotation),
                                 .centre = kScale * (worldRotation * views[i].pose.centre)}});
        std::vector<glm::dvec3> points;
        for (const Scene::Ball& ball : figure)
            for (int i = 0; i < 64; ++i) {
                const glm::dvec3 corner(i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 - 1.5);
                points.push_back(kScale * (worldRotation *
                                           (ball.centre + ball.radius * glm::normalize(corner))));
            }
        writeColmapModel(folder_ / models / "0", views.front().lens, pictures, points, 0.625);
    }

    StartOptions options(const char* behaviour = "") const {
        StartOptions options;
        options.environment = {{"PATH", (folder_ / "bin").string() + ":/usr/bin:/bin"},
                               {"FAKE_COLMAP", behaviour},
                               {"FAKE_COLMAP_CHILD", (folder_ / "child").string()},
                               {"TMPDIR", temporary_.string()}};
        return options;
    }
    json file() const { return json::parse(readFile(figure_ / "cameras.json")); }
    bool leftNothing() const { return fs::is_empty(temporary_); }

    static constexpr double kScale = 7;
    static constexpr glm::dvec3 kAxis{1, 2, -0.5};
    TempFolder folder_;
    fs::path figure_ = folder_ / "figure";
    fs::path temporary_ = folder_ / "tmp";
};

TEST_F(CamerasCommand, writesCamerasThatOtherProgramsRead) {
    const ProcessResult result = runThreefold({"cameras", figure_.string(), "--json"}, options());
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("IMG_8.png: has no camera"), HasSubstr("10° to 20°")));
    const json document = json::parse(result.output);
    EXPECT_EQ(document["registered"], 7);
    EXPECT_EQ(document["reprojectionErrorPx"], 0.625);
    EXPECT_EQ(document["photographs"][6]["points"], 3 * 64);
    EXPECT_EQ(document["photographs"][7]["registered"], false);
    EXPECT_EQ(document["method"], "colmap");
    for (const json& candidate : document["candidates"])
        EXPECT_NE(candidate["method"], "turntable") << "the steps are unequal";
    EXPECT_EQ(file()["made_by"], "threefold cameras");
    EXPECT_EQ(file()["views"].size(), 7);
    const ProcessResult inspected = runThreefold({"inspect", figure_.string()});
    EXPECT_EQ(inspected.exitCode, 0) << inspected.errors;
    EXPECT_THAT(inspected.output, AllOf(HasSubstr("cameras.json"), HasSubstr("7 of 7 views")));
    EXPECT_TRUE(leftNothing());
}

TEST(PhotographExitCode, followsFromCamerasBeforeMasks) {
    const CameraPhoto good{.file = "1.png"};
    const CameraPhoto withoutMask{.file = "2.png", .maskError = "no object"};
    const CameraPhoto withoutCamera{.file = "3.png", .problem = "no camera"};
    using Photographs = std::vector<CameraPhoto>;
    EXPECT_EQ(exitCodeOfPhotographs(Photographs{good, good}), ExitCode::done);
    EXPECT_EQ(exitCodeOfPhotographs(Photographs{good, withoutMask}), ExitCode::someFailed);
    EXPECT_EQ(exitCodeOfPhotographs(Photographs{withoutMask}), ExitCode::someFailed);
    EXPECT_EQ(exitCodeOfPhotographs(Photographs{good, withoutCamera}), ExitCode::someFailed);
    EXPECT_EQ(exitCodeOfPhotographs(Photographs{withoutCamera}), ExitCode::failed);
}

TEST_F(CamerasCommand, failsForTheMasksAlone_whenNoMaskCanBeRead) {
    fs::create_directories(figure_ / "masks");
    for (int i = 1; i <= 8; ++i)
        overwrite(figure_ / "masks" / fmt::format("IMG_{}.png", i), "no picture");
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, options());
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("the mask of IMG_1.png"));
    EXPECT_EQ(file()["views"].size(), 7);
}

TEST_F(CamerasCommand, warns_whenMasksAndPointsDisagree) {
    for (int i = 1; i <= 7; ++i) {
        const fs::path file = figure_ / fmt::format("IMG_{}.png", i);
        Image image = readImage(file);
        for (std::size_t pixel = 0; pixel < image.rgba.size() / 4; ++pixel) {
            const int row = static_cast<int>(pixel) / Scene::kWidth;
            image.rgba[4 * pixel + 3] = row < 8 ? 255 : 0;
        }
        writePng(file, image);
    }
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, options());
    EXPECT_THAT(result.errors, AllOf(HasSubstr("look at the masks"), HasSubstr("--object-centre")));
    EXPECT_NEAR(file()["object_size"], 0.4, 0.1) << "the size must be that of the points";
}

TEST_F(CamerasCommand, putsTheWorldUpright_whenADistanceIsGiven) {
    runThreefold({"cameras", figure_.string(), "--camera-distance", "500"}, options());
    const json views = file()["views"];
    double distance = 0;
    for (const json& view : views) {
        glm::dmat3 rotation;
        glm::dvec3 translation;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column)
                rotation[column][row] = view["matrix"][row][column];
            translation[row] = view["matrix"][row][3];
        }
        const glm::dvec3 origin = -(glm::transpose(rotation) * translation);
        const json centre = file()["object_centre"];
        distance += glm::length(origin - glm::dvec3(centre[0], centre[1], centre[2])) / 7;
        EXPECT_GT(origin.z, 200) << "above the object";
        EXPECT_NEAR(rotation[2].x, 0, 0.01) << "level";
        EXPECT_NEAR(rotation[2].y, -std::cos(Scene::kTilt), 0.01);
    }
    EXPECT_NEAR(distance, 500, 25);
    EXPECT_NEAR(file()["object_size"], 200, 50);
}

TEST_F(CamerasCommand, keepsCamerasOfOtherPrograms_unlessToldToOverwriteThem) {
    overwrite(figure_ / "cameras.json", R"({"made_by": "threefold board"})");
    const ProcessResult kept = runThreefold({"cameras", figure_.string()}, options());
    EXPECT_EQ(kept.exitCode, 1);
    EXPECT_THAT(kept.errors,
                AllOf(HasSubstr("not written by 'threefold cameras'"), HasSubstr("--overwrite")));
    EXPECT_EQ(runThreefold({"cameras", figure_.string(), "--overwrite"}, options()).exitCode, 3);
    EXPECT_EQ(runThreefold({"cameras", figure_.string()}, options()).exitCode, 3)
        << "the command must replace its own cameras.json";
}

TEST_F(CamerasCommand, namesThePackageToInstall_whenColmapIsMissing) {
    StartOptions without = options();
    without.environment["PATH"] = folder_.path().string();
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, without);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("COLMAP: is not installed"),
                                     HasSubstr("apt install"), HasSubstr("board or a turntable")));
    EXPECT_FALSE(fs::exists(figure_ / "cameras.json"));
}

TEST_F(CamerasCommand, keepsCamerasOfEqualTurns_whenColmapRegistersHalfOfThePhotographs) {
    const std::vector<double> azimuths = Scene::azimuths(8, 45);
    photograph(azimuths);
    registerPhotographs(azimuths, 4);
    const ProcessResult result = runThreefold(
        {"cameras", figure_.string(), "--camera-distance", "500", "--json"}, options());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("has no camera")));
    const json document = json::parse(result.output);
    EXPECT_EQ(document["method"], "turntable");
    ASSERT_EQ(document["candidates"].size(), 2U);
    EXPECT_EQ(document["candidates"][0]["cameras"], 4);
    EXPECT_GT(document["candidates"][0]["hull_overlap"], 0.95);
    EXPECT_NEAR(document["candidates"][0]["explained"], 0.5, 0.03);
    EXPECT_EQ(document["candidates"][1]["cameras"], 8);
    EXPECT_GT(document["candidates"][1]["explained"], 0.95);
    EXPECT_THAT(document["choice"].get<std::string>(),
                AllOf(HasSubstr("The cameras are those of equal turns"),
                      HasSubstr("(8 of 8 photographs"), HasSubstr("(4 of 8 photographs")));
    EXPECT_EQ(file()["made_by"], "threefold cameras");
    EXPECT_EQ(file()["method"], "turntable");
    EXPECT_EQ(file()["views"].size(), 8U);
    EXPECT_NEAR(file()["object_size"], 200, 50)
        << "the size must be in the unit of --camera-distance";
    EXPECT_EQ(runThreefold({"cameras", figure_.string()}, options()).exitCode, 0)
        << "the command must replace its own cameras.json";
    EXPECT_TRUE(leftNothing());
}

TEST_F(CamerasCommand, keepsCamerasOfEqualTurns_whenColmapsCamerasContradictTheOutlines) {
    photograph(Scene::azimuths(8, 45));
    registerPhotographs(Scene::azimuths(8, -45), 8);
    const ProcessResult result = runThreefold({"cameras", figure_.string(), "--json"}, options());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["method"], "turntable");
    EXPECT_LT(document["candidates"][0]["hull_overlap"], 0.9);
}

TEST_F(CamerasCommand, triesNoTurntable_whenColmapsCamerasExplainAllOutlines) {
    const std::vector<double> azimuths = Scene::azimuths(8, 45);
    photograph(azimuths);
    registerPhotographs(azimuths, 8);
    const ProcessResult result = runThreefold({"cameras", figure_.string(), "--json"}, options());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["method"], "colmap");
    ASSERT_EQ(document["candidates"].size(), 1U);
    EXPECT_GT(document["candidates"][0]["explained"], 0.95);
    EXPECT_FALSE(document.contains("choice"));
    EXPECT_EQ(file()["method"], "colmap");
}

TEST_F(CamerasCommand, keepsCamerasByFeaturesInMasks_whenTheseExplainMore) {
    registerPhotographs(kUnequalAzimuths, 3);
    registerPhotographs(kUnequalAzimuths, 8, "models-in-masks");
    const ProcessResult result = runThreefold({"cameras", figure_.string(), "--json"}, options());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["method"], "colmap_in_masks");
    ASSERT_EQ(document["candidates"].size(), 2U);
    EXPECT_EQ(document["candidates"][0]["cameras"], 3);
    EXPECT_THAT(document["choice"].get<std::string>(), HasSubstr("features inside of the masks"));
    EXPECT_EQ(document["registered"], 8);
    EXPECT_EQ(file()["method"], "colmap_in_masks");
    EXPECT_EQ(file()["views"].size(), 8U);
    EXPECT_TRUE(leftNothing());
}

TEST_F(CamerasCommand, keepsCamerasOfEqualTurns_whenColmapIsMissing) {
    photograph(Scene::azimuths(8, 45));
    StartOptions without = options();
    without.environment["PATH"] = folder_.path().string();
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, without);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("equal turns"), HasSubstr("is not installed")));
    EXPECT_EQ(file()["views"].size(), 8U);
}

TEST_F(CamerasCommand, namesTheRemedy_whenNoPhotographsMatch) {
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, options("none"));
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("none of 8 photographs"), HasSubstr("texture")));
    EXPECT_FALSE(fs::exists(figure_ / "cameras.json"));
    EXPECT_TRUE(leftNothing());
}

TEST_F(CamerasCommand, keepsOnlyTheLog_whenColmapFails) {
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, options("fail"));
    EXPECT_EQ(result.exitCode, 1);
    const fs::path log = figure_ / "colmap.log";
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("exit code 3: no more space"), HasSubstr(log.string())));
    EXPECT_TRUE(leftNothing());
    EXPECT_THAT(std::string(asText(readFile(log))), HasSubstr("no more space"));
}

TEST_F(CamerasCommand, leavesNoFiles_whenInterrupted) {
    Process process({"cameras", figure_.string()}, options("hang"));
    while (!fs::exists(folder_ / "child")) std::this_thread::yield();
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("cancelled"));
    EXPECT_TRUE(leftNothing());
    EXPECT_FALSE(fs::exists(figure_ / "cameras.json"));
}

TEST_F(CamerasCommand, writesCameras_whenTheyDoNotAllFaceOneObject) {
    Lens lens;
    lens.width = Scene::kWidth;
    lens.height = Scene::kHeight;
    lens.focalX = lens.focalY = Scene::kFocal;
    lens.principalX = Scene::kWidth / 2.0;
    lens.principalY = Scene::kHeight / 2.0;
    std::vector<ModelPicture> pictures;
    for (std::size_t i = 0; i < 8; ++i)
        pictures.push_back({fmt::format("{:06}.png", i), {.centre = {double(i), 0, 0}}});
    fs::remove_all(folder_ / "models/0");
    const std::vector<glm::dvec3> points = {{2, 1, -9}, {4, 0, -8}, {5, 1, -9}};
    writeColmapModel(folder_ / "models/0", lens, pictures, points, 0.5);
    const ProcessResult result = runThreefold({"cameras", figure_.string()}, options());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(file()["views"].size(), 8);
}

/// Ball with bumps, which looks different from every side.
Mesh lumpyBall() {
    constexpr int kRings = 40, kSides = 80;
    Mesh mesh;
    for (int ring = 0; ring <= kRings; ++ring)
        for (int side = 0; side < kSides; ++side) {
            const double polar = std::numbers::pi * ring / kRings;
            const double angle = 2 * std::numbers::pi * side / kSides;
            const double radius = 0.17 + 0.02 * std::sin(3 * angle + 1) * std::sin(polar) +
                                  0.02 * std::cos(5 * polar);
            mesh.vertices.push_back(
                glm::vec3(radius * glm::dvec3(std::sin(polar) * std::cos(angle), std::cos(polar),
                                              std::sin(polar) * std::sin(angle))));
        }
    for (int ring = 0; ring < kRings; ++ring)
        for (int side = 0; side < kSides; ++side) {
            const auto at = [&](int r, int k) {
                return static_cast<std::uint32_t>(r * kSides + k % kSides);
            };
            mesh.faces.push_back({at(ring, side), at(ring, side + 1), at(ring + 1, side)});
            mesh.faces.push_back({at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)});
        }
    return mesh;
}

/// Angle of the rotation between two cameras' orientations, in degrees.
double turnBetween(const glm::dmat3& one, const glm::dmat3& other) {
    const glm::dmat3 turn = one * glm::transpose(other);
    const double cosine = (turn[0][0] + turn[1][1] + turn[2][2] - 1) / 2;
    return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
}

TEST(RealColmap, findsTheCameras_whenColmapIsInstalled) {
    if (std::system("command -v colmap > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "COLMAP is not installed";
    constexpr int kCount = 18, kSide = 400;
    const TempFolder folder;
    const Mesh ball = lumpyBall();
    std::vector<Camera> truth;
    for (int i = 0; i < kCount; ++i) {
        truth.push_back(Camera::fromRow(
            {.azimuth = 20.0 * i, .elevation = 25 + 5.0 * (i % 2), .distance = 0.8}));
        writePng(folder / fmt::format("{}.png", i),
                 texturedPhotograph(ball, truth.back(), kSide, 60));
    }
    const ProcessResult result = runThreefold({"cameras", folder.path().string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["registered"], kCount);
    EXPECT_LT(document["reprojectionErrorPx"], 1);
    std::vector<glm::dmat3> found;
    for (const json& view : json::parse(readFile(folder / "cameras.json"))["views"]) {
        glm::dmat3& rotation = found.emplace_back();
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                rotation[column][row] = view["matrix"][row][column];
    }
    for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_NEAR(turnBetween(found[i], found.front()),
                    turnBetween(truth[i].rotation, truth.front().rotation), 1)
            << i;
}

}  // namespace
}  // namespace threefold::test
