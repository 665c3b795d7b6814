#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/pictures/image.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Mesh files as text have at least six decimals.
constexpr double kTolerance = 1e-6;

/// Reconstruction of the bundled aeroplane by the engine in this process, with the tests' model.
const Reconstruction& expectedMeshes() {
    static const Reconstruction meshes =
        makeCpuBackend(testModel())
            ->reconstruct(loadViews(findSample(bundledSample("02691156")), kPublishedViews), {});
    return meshes;
}

TEST(Reconstruct, measuresAgainstATruthInWorldSpace_byOptionAndByFile) {
    const TempFolder folder;
    const Sample sample = findSample(bundledSample("02691156"));
    const GroundTruth truth = loadGroundTruth(sample, 0);
    Points world;
    for (const glm::vec3& point : truth.points)
        world.emplace_back(Camera::fromRow(sample.cameraRows[0]).toWorld(glm::dvec3(point)));
    std::filesystem::create_directories(folder / "truths");
    writeMesh(folder / "truths/02691156_p0001_00.xyz", MeshFormat::xyz, {world, {}});

    struct Run {
        json measures;
        std::string log;
    };
    const auto run = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = reconstructing(folder / "out", {"--json"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return Run{json::parse(result.output)["samples"][0]["measures"], result.errors};
    };
    const auto [published, publishedLog] = run({"--gt-space", "view"});
    EXPECT_EQ(published["truthSpace"], "view");
    EXPECT_THAT(publishedLog, IsEmpty());
    const std::string root = (folder / "truths").string();
    const auto [guessed, guessedLog] = run({"--gt", root, "--gt-space", "auto"});
    EXPECT_THAT(guessedLog, HasSubstr("02691156_p0001_00.xyz: taken to be in world space"));
    EXPECT_EQ(guessed["truthSpace"], "world");
    for (const auto& [name, value] : published["refined"].items()) {
        if (!value.is_number()) continue;
        const double expected = value.get<double>();
        EXPECT_NEAR(guessed["refined"][name].get<double>(), expected, 1e-3 * std::abs(expected))
            << name;
    }
}

TEST(Reconstruct, writesAndListsTwoMeshes_whenGivenTwoBundledSamples) {
    const TempFolder folder;
    const std::string out = (folder / "made/on demand").string();
    const ProcessResult result =
        runThreefold({"reconstruct", bundledSample("02691156").string(),
                      bundledSample("03001627").string(), "-o", out, "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, IsEmpty());
    EXPECT_THAT(filesIn(out),
                ElementsAre("02691156_p0001_00_predict.obj", "02691156_p0001_00_predict.xyz",
                            "03001627_p0001_00_predict.obj", "03001627_p0001_00_predict.xyz"));

    const std::string file = out + "/02691156_p0001_00_predict";
    const Points& expected = expectedMeshes().vertices("refined");
    EXPECT_LE(largestDifference(readObj(file + ".obj").vertices, expected), kTolerance);
    EXPECT_EQ(readObj(file + ".obj").faces, expectedMeshes().faces(expectedMeshes().result()));
    EXPECT_EQ(readXyz(file + ".xyz"), expected);
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("done"), 2);
    EXPECT_EQ(document.at("failed"), 0);
    EXPECT_EQ(document.at("views"), json({0, 6, 7}));
    EXPECT_EQ(document.at("precision"), "float32");
    EXPECT_EQ(document.at("model").at("sha256").get<std::string>().size(), 64U);
    EXPECT_GT(document.at("peak_memory_mb"), 1.0);
    const json& sample = document.at("samples").at(1);
    EXPECT_EQ(sample.at("sample"), "03001627_p0001_00");
    EXPECT_EQ(sample.at("files").size(), 2U);
    EXPECT_EQ(sample.at("steps_ms").size(), runStepsOf(kPublishedHypothesisBlocks).size());
    EXPECT_GT(sample.at("network_ms"), 0.0);
    for (const char* stage : {"coarse", "refined"}) {
        const json& measures = sample.at("measures").at(stage);
        EXPECT_GT(measures.at("chamfer"), 0.0);
        EXPECT_GT(measures.at("f_2tau"), measures.at("f_tau"));
        EXPECT_FALSE(measures.contains("hausdorff")) << "was not measured";
    }
}

TEST(Reconstruct, writesCoarseMeshes_whenAskedForAllStagesAsObj) {
    const TempFolder folder;
    const ProcessResult result =
        runThreefold(reconstructing(folder.path(), {"--stage", "all", "--format", "obj"}));
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(folder.path()),
                ElementsAre("02691156_p0001_00_coarse.obj", "02691156_p0001_00_predict.obj"));
    EXPECT_LE(largestDifference(readObj(folder / "02691156_p0001_00_coarse.obj").vertices,
                                expectedMeshes().vertices("coarse")),
              kTolerance);
}

TEST(Reconstruct, printsOneLineForASample) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(reconstructing(folder.path()));
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("02691156_p0001_00"));
    EXPECT_THAT(result.output, HasSubstr("F(τ)"));
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1);
}

TEST(Reconstruct, keepsTheKeysOfEarlierReleases_inItsDocument) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(reconstructing(folder.path(), {"--json"}));
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("peakMemoryMb"), document.at("peak_memory_mb"));
    const json& sample = document.at("samples").at(0);
    EXPECT_EQ(sample.at("timingsMs"), sample.at("steps_ms"));
    EXPECT_EQ(sample.at("networkMs"), sample.at("network_ms"));
    const json& measures = sample.at("measures");
    EXPECT_EQ(measures.at("truthSpace"), measures.at("truth_space"));
    const json& refined = measures.at("refined");
    ASSERT_EQ(refined.at("scores").size(), 4U);
    EXPECT_EQ(refined.at("scores").at(1).at("fPercent"), refined.at("f_tau"));
    EXPECT_EQ(refined.at("scores").at(1).at("recallPercent"), refined.at("recall_tau"));
}

TEST(Reconstruct, writesEveryFormatInWorldSpace_whenAsked) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(
        reconstructing(folder.path(), {"--format", "obj,xyz,ply,stl,glb", "--frame", "world"}));
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const Camera camera = Camera::fromRow(findSample(bundledSample("02691156")).cameraRows[0]);
    Points expected = expectedMeshes().vertices("refined");
    for (glm::vec3& point : expected) point = glm::vec3(camera.toWorld(glm::dvec3(point)));
    for (const char* format : {"obj", "xyz", "ply", "stl", "glb"}) {
        SCOPED_TRACE(format);
        const LoadedMesh mesh =
            readMesh(folder / (std::string("02691156_p0001_00_predict.") + format));
        EXPECT_EQ(meshFormatExtension(mesh.format), format);
        EXPECT_EQ(mesh.faces.size(), infoOf(mesh.format).carriesFaces ? 4928U : 0U);
        EXPECT_EQ(detectSpace(mesh.vertices), MeshSpace::world);
        // STL stores faces, so its vertices are in another order.
        if (mesh.format == MeshFormat::stl) continue;
        EXPECT_LE(largestDifference(mesh.vertices, expected), kTolerance);
    }
}

/// Writes transforms.json for the bundled aeroplane: its cameras as matrices, in a world that is
/// scaled by 2 and translated.
void writeOwnPlane(const std::filesystem::path& folder) {
    const Sample plane = findSample(bundledSample("02691156"));
    json file = {{"fl_x", kFocalLength * 137 / kInputSide},
                 {"object_centre", {5, 6, 7}},
                 {"object_size", 2 * kObjectDiagonal},
                 {"frames", json::array()}};
    for (const int view : kPublishedViews) {
        const auto index = static_cast<std::size_t>(view);
        file["frames"].push_back(
            {{"file_path", plane.images[index].string()},
             {"transform_matrix",
              openGlMatrix(plane.cameraRows[index], {glm::dmat3(1.0), 2, {5, 6, 7}})}});
    }
    writeJson(folder / "transforms.json", file);
}

TEST(Reconstruct, writesMeshesInTheUsersWorld_whenCamerasAreMatrices) {
    const TempFolder folder;
    writeOwnPlane(folder / "plane");
    const ProcessResult result =
        runThreefold({"reconstruct", (folder / "plane").string(), "--format", "xyz", "--frame",
                      "world", "-o", folder.path().string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("views"), json({0, 1, 2}));
    EXPECT_EQ(document.at("samples")[0].at("views"), json({0, 1, 2}));
    EXPECT_THAT(document.at("samples")[0].at("notes")[0], HasSubstr("Up is (0, 1, 0)"));
    const Camera camera = Camera::fromRow(findSample(bundledSample("02691156")).cameraRows[0]);
    Points expected = expectedMeshes().vertices("refined");
    for (glm::vec3& point : expected)
        point = glm::vec3(2.0 * camera.toWorld(glm::dvec3(point)) + glm::dvec3(5, 6, 7));
    const LoadedMesh mesh = readMesh(folder / "plane_predict.xyz");
    EXPECT_LE(largestDifference(mesh.vertices, expected), 2 * kTolerance);
}

TEST(Reconstruct, explainsTheRefusal_whenOptionsOfOwnCamerasAreWrong) {
    const TempFolder folder;
    writeOwnPlane(folder / "plane");
    const auto run = [&](const std::string& option, const std::string& value) {
        return runThreefold({"reconstruct", (folder / "plane").string(), "-o",
                             folder.path().string(), option, value});
    };
    EXPECT_EQ(run("--object-size", "-2").exitCode, 2);
    EXPECT_EQ(run("--object-up", "0,0,0").exitCode, 2);
    EXPECT_EQ(run("--object-centre", "1,2").exitCode, 2);
    const ProcessResult behind = run("--object-centre", "500,0,0");
    EXPECT_EQ(behind.exitCode, 1);
    EXPECT_THAT(behind.errors, HasSubstr("the object's centre lies"));
}

TEST(Reconstruct, namesAMissingPhotograph_andKeepsTheNumbersOfTheOthers) {
    const TempFolder folder;
    writeDiscScene(folder / "disc", 4);
    const auto run = [&] {
        return runThreefold({"reconstruct", (folder / "disc").string(), "--format", "xyz", "-o",
                             (folder / "out").string(), "--json"});
    };
    std::filesystem::remove(folder / "disc/images/3.png");
    const ProcessResult other = run();
    EXPECT_EQ(other.exitCode, 0) << other.errors;
    EXPECT_THAT(other.errors, HasSubstr("1 of 4 images is missing: view 3 (images/3.png)"));
    const json document = json::parse(other.output);
    EXPECT_EQ(document.at("views"), json({0, 1, 2}));
    EXPECT_EQ(document.at("samples")[0].at("missing_images"),
              "1 of 4 images is missing: view 3 "
              "(images/3.png)");
    std::filesystem::rename(folder / "disc/images/0.png", folder / "disc/images/3.png");
    // Without --views, the views that have images are used, and keep their numbers.
    const ProcessResult first = run();
    EXPECT_EQ(first.exitCode, 0) << first.errors;
    EXPECT_THAT(first.errors, HasSubstr("1 of 4 images is missing: view 0 (images/0.png)"));
    EXPECT_EQ(json::parse(first.output).at("views"), json({1, 2, 3}));
    const ProcessResult chosen = runThreefold({"reconstruct", (folder / "disc").string(), "--views",
                                               "0,1,2", "-o", (folder / "out").string()});
    EXPECT_EQ(chosen.exitCode, 1) << chosen.output;
    EXPECT_THAT(chosen.errors, HasSubstr("view 0: its image 'images/0.png' was not found. Put it"));
}

TEST(Reconstruct, readsATestList_whenTheFolderOfImagesIsGiven) {
    const TempFolder folder;
    overwrite(folder / "list.txt", "# two\n03001627_p0001_00.dat\r\n\n  02691156_p0001_00.dat");
    const std::string samples = std::string(THREEFOLD_RESOURCES) + "/samples";
    const ProcessResult result = runThreefold(
        {"reconstruct", (folder / "list.txt").string(), "--images", samples + "/ShapeNetRendering",
         "--gt", samples + "/gt", "--format", "xyz", "-o", (folder / "out").string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(folder / "out"),
                ElementsAre("02691156_p0001_00_predict.xyz", "03001627_p0001_00_predict.xyz"));
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("samples").at(0).at("sample"), "03001627_p0001_00");
    EXPECT_TRUE(document.at("samples").at(0).contains("measures"));
}

TEST(Reconstruct, namesListAndLine_whenASampleIsMissing) {
    const TempFolder folder;
    const std::string list = (folder / "notes.txt").string();
    overwrite(list, "hello\n\n02691156_p0001_00.dat\n");
    const ProcessResult result = runThreefold(
        {"reconstruct", list, "--images", folder.path().string(), "-o", (folder / "out").string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr(list + ", line 1: sample 'hello' not found."));
    EXPECT_THAT(result.errors, HasSubstr(list + ", line 3: sample '02691156_p0001_00.dat': " +
                                         folder.path().string() + ": holds no 02691156/p0001"));
}

TEST(Reconstruct, warnsAndContinues_whenThereAreTwoViews) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(reconstructing(folder.path(), {"--views", "0,6"}));
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("2 views"));
    EXPECT_THAT(filesIn(folder.path()), testing::SizeIs(2));
}

TEST(Reconstruct, namesTheViewsWithoutAMask_oncePerSample) {
    const TempFolder folder;
    const std::filesystem::path sampleFolder = folder / "photos";
    std::filesystem::copy(bundledSample("02691156") / "rendering", sampleFolder);
    for (const char* name : {"06.png", "07.png"}) {
        Image image = readImage(sampleFolder / name);
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            if (image.rgba[i + 3] < 128)
                image.rgba[i] = image.rgba[i + 1] = image.rgba[i + 2] = 120;  // a grey wall
            image.rgba[i + 3] = 255;
        }
        writePng(sampleFolder / name, image);
    }
    const ProcessResult result =
        runThreefold({"reconstruct", sampleFolder.string(), "-o", (folder / "out").string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("photos: views 6, 7: no mask"));
    EXPECT_THAT(result.errors, HasSubstr("make the background transparent"));
    EXPECT_EQ(result.errors.find("no mask"), result.errors.rfind("no mask"));
}

TEST(Reconstruct, writesATrace_whenAskedFor) {
    const TempFolder folder;
    const ProcessResult result =
        runThreefold(reconstructing(folder / "out", {"--trace", (folder / "trace.json").string()}));
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    std::ifstream file(folder / "trace.json");
    std::map<std::string, json> events;
    double end = 0;
    // A variable, since a temporary would be destroyed before the loop's first iteration.
    const json document = json::parse(file);
    for (const json& event : document.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        events[event.at("name")] = event;
        end = std::max(end, event.at("ts").get<double>() + event.at("dur").get<double>());
    }
    for (const RunStep step : runStepsOf(kPublishedHypothesisBlocks)) {
        EXPECT_TRUE(events.contains(std::string(runStepName(step)))) << runStepName(step);
    }
    EXPECT_TRUE(events.contains("measure"));
    EXPECT_TRUE(events.contains("write"));
    const json& whole = events.at(bundledSample("02691156").string());
    EXPECT_DOUBLE_EQ(whole.at("ts").get<double>() + whole.at("dur").get<double>(), end);
}

TEST(Reconstruct, replacesAFile_onlyWhenItIsATrace) {
    const TempFolder folder;
    const std::filesystem::path sampleFolder = copySample("02691156", folder.path());
    const std::string view = (sampleFolder / "rendering" / "00.png").string();
    const std::vector<std::byte> before = readFile(view);
    const auto traced = [&](const char* command, const std::string& file) {
        return runThreefold(
            {command, sampleFolder.string(), "-o", (folder / command).string(), "--trace", file});
    };
    for (const char* command : {"reconstruct", "eval"}) {
        const ProcessResult result = traced(command, view);
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("--trace: " + view + ": exists, and is not a trace"));
        EXPECT_EQ(readFile(view), before);
        EXPECT_FALSE(std::filesystem::exists(folder / command));
    }
    const std::string trace = (folder / "trace.json").string();
    overwrite(trace, "");
    for (const char* command : {"reconstruct", "eval"})
        EXPECT_EQ(traced(command, trace).exitCode, 0) << command;
}

TEST(Reconstruct, replacesAFile_onlyWhenAnEarlierCallWroteIt) {
    const TempFolder folder;
    const std::filesystem::path out = folder / "out";
    std::filesystem::create_directories(out);
    const std::filesystem::path obj = out / "02691156_p0001_00_predict.obj";
    const std::filesystem::path xyz = out / "02691156_p0001_00_predict.xyz";
    overwrite(folder / "diary.txt", "my diary");
    std::filesystem::create_symlink("../diary.txt", xyz);
    const auto expectRefused = [&](const std::filesystem::path& file) {
        const ProcessResult result = runThreefold(reconstructing(out, {}));
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.errors, HasSubstr(file.string() + ": exists, and is no "));
    };
    expectRefused(xyz);
    EXPECT_EQ(asText(readFile(folder / "diary.txt")), "my diary");
    EXPECT_FALSE(std::filesystem::exists(obj)) << "written before all files were checked";
    std::filesystem::remove(xyz);
    overwrite(obj, "v of my own");
    expectRefused(obj);
    EXPECT_EQ(asText(readFile(obj)), "v of my own");
    std::filesystem::remove(obj);
    const std::vector<std::string> all{"--format", "obj,xyz,ply,stl,glb,gltf"};
    for (const char* run : {"first", "again"})
        EXPECT_EQ(runThreefold(reconstructing(out, all)).exitCode, 0) << run;
}

TEST(Reconstruct, refusesAMesh_thatWouldReplaceTheTrace) {
    const TempFolder folder;
    const std::string mesh = (folder / "out/02691156_p0001_00_predict.obj").string();
    const ProcessResult result = runThreefold(reconstructing(folder / "out", {"--trace", mesh}));
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("_predict.obj: is the file of the trace"));
}

TEST(Reconstruct, failsBeforeItComputes_whenTheTraceCannotBeWritten) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(
        reconstructing(folder / "out", {"--trace", (folder / "no" / "trace.json").string()}));
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("trace.json: cannot be written"));
    EXPECT_EQ(result.output, "");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Reconstruct, givesTheSameBytes_whenRunTwice) {
    const TempFolder folder;
    std::vector<Points> points;
    for (const char* name : {"a", "b"}) {
        const std::string out = (folder / name).string();
        ASSERT_EQ(runThreefold({"reconstruct", bundledSample("04379243").string(), "-o", out,
                                "--format", "xyz"})
                      .exitCode,
                  0);
        points.push_back(readXyz(std::filesystem::path(out) / "04379243_p0001_00_predict.xyz"));
    }
    EXPECT_EQ(points[0], points[1]);
}

}  // namespace
}  // namespace threefold::test
