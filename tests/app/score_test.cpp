#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/measures/truth_distances.h"
#include "engine/sample/ground_truth.h"
#include "engine/views/camera.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// Square in front of the camera, in the plane `z`: 4 vertices, 2 faces.
Mesh square(float z = -0.8F) {
    return {{{-0.1F, -0.1F, z}, {0.1F, -0.1F, z}, {0.1F, 0.1F, z}, {-0.1F, 0.1F, z}},
            {{0, 1, 2}, {0, 2, 3}}};
}

class ScoreCommand : public testing::Test {
  protected:
    std::string written(const char* name, const Mesh& mesh) {
        writeMesh(folder_ / name, MeshFormat::obj, mesh);
        return (folder_ / name).string();
    }
    std::string written(const char* name, const std::string& text) {
        overwrite(folder_ / name, text);
        return (folder_ / name).string();
    }
    static json documentOf(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "score");
        arguments.emplace_back("--json");
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return json::parse(result.output);
    }

    TempFolder folder_;
};

TEST_F(ScoreCommand, givesTheMeasuresOfTheEngine_asJson) {
    const Mesh mesh = square();
    const json document = documentOf({written("m.obj", mesh), truthOf("02691156"), "--no-emd"});
    const GroundTruth truth = readGroundTruth(truthOf("02691156"));
    const ChamferAndFScores expected = chamferAndFScores(mesh.vertices, truth.points);
    EXPECT_EQ(document.at("protocol"), "published");
    EXPECT_EQ(document.at("tau"), 1e-4);
    EXPECT_EQ(document.at("points").at("mesh"), 4);
    EXPECT_EQ(document.at("points").at("truth"), truth.points.size());
    EXPECT_EQ(document.at("units").at("chamfer"), "object units squared");
    EXPECT_EQ(document.at("chamfer"), expected.chamfer);
    const char* const keys[] = {"half_tau", "tau", "1_5_tau", "2tau"};
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string key = keys[i];
        EXPECT_EQ(document.at("f_" + key), expected.fScores[i].fScore);
        EXPECT_EQ(document.at("precision_" + key), expected.fScores[i].precision);
        EXPECT_EQ(document.at("recall_" + key), expected.fScores[i].recall);
    }
    EXPECT_GT(document.at("hausdorff"), 0.1);
    EXPECT_GT(document.at("normal_consistency"), 0.1);
    EXPECT_TRUE(document.at("emd").is_null());
}

/// `count` points on a helix; helices of different `turns` share only their first point.
Mesh helix(std::size_t count, float turns) {
    Mesh mesh;
    for (std::size_t i = 0; i < count; ++i) {
        const float at = static_cast<float>(i) / static_cast<float>(count);
        mesh.vertices.emplace_back(std::cos(turns * at), std::sin(turns * at), at);
    }
    return mesh;
}

TEST_F(ScoreCommand, refusesAFileThatInspectRefuses_inTheSameWords) {
    const std::string mesh = written("m.obj", square());
    for (const char* name : {"large.obj", "large.dat"}) {
        const std::string large = written(name, std::string());
        std::filesystem::resize_file(large, kMaxContentBytes + 1);  // a sparse file
        const ProcessResult inspected = runThreefold({"inspect", large});
        EXPECT_THAT(inspected.errors,
                    HasSubstr("is 1073741825 bytes long, but at most 1073741824 are"));
        for (const auto& [first, second] : {std::pair(large, mesh), std::pair(mesh, large)}) {
            const ProcessResult result = runThreefold({"score", first, second});
            EXPECT_EQ(result.exitCode, 1);
            EXPECT_EQ(result.errors, inspected.errors);
        }
    }
}

TEST_F(ScoreCommand, refusesAnEarthMoversDistance_whenItWouldTakeHours) {
    const std::string mesh = written("m.obj", helix(70'000, 30));
    const std::string truth = written("t.obj", helix(70'000, 50));
    const ProcessResult result = runThreefold({"score", mesh, truth, "--emd"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors,
                HasSubstr("earth mover's distance: 70000 and 70000 points are too many"));
    EXPECT_THAT(result.errors, HasSubstr("65536 points a side. Leave this measure out"));
    EXPECT_EQ(runThreefold({"score", mesh, truth}).exitCode, 0);
}

TEST_F(ScoreCommand, reportsItsProgress_andEndsAtCtrlC) {
    const std::string mesh = written("m.obj", helix(60'000, 30));
    const std::string truth = written("t.obj", helix(60'000, 50));
    Process process({"score", mesh, truth, "--emd"});
    ASSERT_TRUE(process.waitForError("60000 points: 0 %"));
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors,
                testing::ContainsRegex("earth mover's distance of 60000 and 60000 points: 0 %"));
    EXPECT_THAT(result.errors, HasSubstr("threefold: cancelled\n"));
    EXPECT_THAT(result.output, IsEmpty());
}

TEST_F(ScoreCommand, measuresSinglePoints_whereverTheyLie) {
    const std::string a = written("a.xyz", std::string("5000000.25 0 0\n"));
    const std::string b = written("b.xyz", std::string("5000000.35 0 0\n"));
    const json document = documentOf({a, b, "--no-emd"});
    EXPECT_NEAR(document.at("chamfer").get<double>(), 0.02, 1e-8);  // rounding of float differences
}

TEST_F(ScoreCommand, refusesCameras_whenNoSpaceNeedsThem) {
    const std::string mesh = written("m.obj", square());
    const ProcessResult result = runThreefold({"score", mesh, mesh, "--cameras", "/nonexistent"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr("neither --space nor --truth-space"));
}

TEST_F(ScoreCommand, givesBothProtocols_whenAsked) {
    const std::string mesh = written("m.obj", square());
    const json document = documentOf({mesh, mesh, "--protocol", "both", "--no-emd"});
    EXPECT_EQ(document.at("published").at("points").at("mesh"), 4);
    EXPECT_EQ(document.at("surface").at("points").at("mesh"), 10000);
    EXPECT_EQ(document.at("surface").at("chamfer"), 0.0);
    EXPECT_TRUE(document.at("truth_sampled"));
}

TEST_F(ScoreCommand, givesTheEarthMoversDistance_exactOrWithItsBound) {
    const std::string mesh = written("m.xyz", "0 0 -0.8\n0 0.1 -0.8\n");
    const std::string truth = written("t.xyz", "0 0 -0.9\n0 0.1 -0.9\n");
    const json few = documentOf({mesh, truth});
    EXPECT_NEAR(few.at("emd").get<double>(), 0.1, 1e-7);
    EXPECT_TRUE(few.at("emd_exact"));
    EXPECT_EQ(few.at("emd_lower_bound"), few.at("emd"));
    const json many = documentOf({mesh, truthOf("02691156"), "--emd"});
    EXPECT_FALSE(many.at("emd_exact"));
    EXPECT_LE(many.at("emd_lower_bound"), many.at("emd"));
    EXPECT_THAT(runThreefold({"score", mesh, truthOf("02691156"), "--emd"}).output,
                HasSubstr("upper bound"));
    EXPECT_THAT(runThreefold({"score", mesh, truth}).output, HasSubstr("units, exact"));
}

TEST_F(ScoreCommand, leavesTheEarthMoversDistanceOut_whenItTakesLong) {
    const std::string mesh = written("m.obj", square());
    const ProcessResult result = runThreefold({"score", mesh, mesh, "--protocol", "both"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("--emd computes it"));  // for 10000 × 10000 points
    EXPECT_THAT(result.output, HasSubstr("an upper bound"));     // for 4 × 10000 points
    EXPECT_THAT(result.errors, IsEmpty());
}

TEST_F(ScoreCommand, printsUnitsAndProtocol_withItsNumbers) {
    const ProcessResult result =
        runThreefold({"score", written("m.obj", square()), truthOf("02691156"), "--no-emd", "--tau",
                      "2e-4", "--protocol", "both"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("τ = 0.0002 units²"),
                      HasSubstr("published protocol: 4 vertices of the mesh"),
                      HasSubstr("surface protocol: 10000 samples"),
                      HasSubstr("units², sum of the mean squared distances"), HasSubstr("F, %")));
    EXPECT_THAT(result.errors, IsEmpty());
}

TEST_F(ScoreCommand, warns_whenSpacesOrUnitsSeemToDiffer) {
    const std::string view = written("view.obj", square());
    const auto errorsOf = [&](const std::string& mesh) {
        const ProcessResult result = runThreefold({"score", mesh, view, "--no-emd"});
        EXPECT_EQ(result.exitCode, 0);
        return result.errors;
    };
    EXPECT_THAT(errorsOf(view), IsEmpty());
    EXPECT_THAT(errorsOf(written("world.obj", square(0))),
                AllOf(HasSubstr("the world's space"), HasSubstr("--cameras")));
    Mesh large = square(-800);
    for (glm::vec3& vertex : large.vertices) vertex *= glm::vec3(1000, 1000, 1);
    EXPECT_THAT(errorsOf(written("large.obj", large)), HasSubstr("the same unit?"));
    EXPECT_THAT(errorsOf(written("far.obj", square(-3))), HasSubstr("do not overlap"));
}

TEST_F(ScoreCommand, warnsOfSeparateBoundingBoxes_onlyWhenTheyDoNotTouch) {
    // The mesh lies on an edge of the truth; the truth's random samples do not reach that edge.
    const std::string mesh = written("line.obj", "v 0 0 0\nv 1 0 0\nv 0.5 0 0\n");
    const std::string truth = written("face.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_THAT(runThreefold({"score", mesh, truth, "--no-emd"}).errors, IsEmpty());
    // Far from 0, each file is read relative to an origin of its own.
    const std::string far = written("far.xyz", "5000000 0 0\n5000001 1 0\n");
    const std::string beside = written("beside.xyz", "5000900 0 0\n5000901 1 0\n");
    EXPECT_THAT(runThreefold({"score", far, beside, "--no-emd"}).errors,
                HasSubstr("do not overlap"));
}

TEST_F(ScoreCommand, warns_whenTheTruthsNameEndsWithAnotherView) {
    const CameraRow rows[] = {{30, 20, 0, 0.8, 25}, {100, 10, 0, 0.7, 25}};
    const std::string cameras = written("cameras.txt", formatRenderingMetadata(rows));
    const std::string mesh = written("m.obj", square());
    const std::string truth = written("03001627_banquet_00.obj", square());
    const auto errorsOf = [&](const char* view) {
        const ProcessResult result = runThreefold({"score", mesh, truth, "--no-emd", "--space",
                                                   "view", "--cameras", cameras, "--view", view});
        EXPECT_EQ(result.exitCode, 0);
        return result.errors;
    };
    EXPECT_THAT(errorsOf("0"), IsEmpty());
    EXPECT_THAT(errorsOf("1"), HasSubstr("whose name ends with view 0, not 1."));
}

TEST_F(ScoreCommand, convertsByTheCamera_whenTheSpacesDiffer) {
    const CameraRow row{30, 20, 0, 0.8, 25};
    const CameraRow other{100, 10, 0, 0.7, 25};
    const CameraRow rows[] = {other, row};
    const std::string cameras = written("cameras.txt", formatRenderingMetadata(rows));
    const Mesh view = square();
    Mesh world = view;
    for (glm::vec3& vertex : world.vertices) {
        vertex = glm::vec3(Camera::fromRow(row).toWorld(glm::dvec3(vertex)));
    }
    const std::string ofView = written("view.obj", view);
    const std::string ofWorld = written("world.obj", world);
    const json inWorld = documentOf({ofWorld, ofView, "--space", "world", "--truth-space", "view",
                                     "--cameras", cameras, "--view", "1", "--protocol", "surface"});
    EXPECT_LT(inWorld.at("chamfer"), 1e-9);
    EXPECT_TRUE(inWorld.at("truth_sampled"));
    const json back = documentOf(
        {ofView, ofWorld, "--truth-space", "world", "--cameras", cameras, "--view", "1"});
    EXPECT_GT(back.at("normal_consistency"), 0.999);
    EXPECT_TRUE(back.at("truth_sampled"));
    EXPECT_LT(back.at("surface_largest"), 1e-6);  // the truth's surface is converted, too

    const ProcessResult without = runThreefold({"score", ofWorld, ofView, "--space", "world"});
    EXPECT_EQ(without.exitCode, 2);
    EXPECT_THAT(without.errors, HasSubstr("--cameras"));
    const ProcessResult tooHigh = runThreefold(
        {"score", ofWorld, ofView, "--space", "world", "--cameras", cameras, "--view", "2"});
    EXPECT_EQ(tooHigh.exitCode, 1);
    EXPECT_THAT(tooHigh.errors, AllOf(HasSubstr("cameras.txt: view 2"), HasSubstr("2 rows")));
}

/// A tetrahedron with outward faces, which contains the point (0.05, 0.05, −0.75).
Mesh tetrahedron() {
    return {{{0, 0, -0.8F}, {0.4F, 0, -0.8F}, {0, 0.4F, -0.8F}, {0, 0, -0.4F}},
            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

std::string textOfFile(const std::string& file) {
    const std::vector<std::byte> bytes = readFile(file);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(ScoreCommand, measuresExactlyToTheTruthsSurface_underEachProtocol) {
    const Mesh truth = tetrahedron();
    const std::string truthFile = written("truth.obj", truth);
    const json itself = documentOf({truthFile, truthFile, "--no-emd"});
    for (const char* key : {"surface_mean", "surface_median", "surface_p95", "surface_largest"})
        EXPECT_EQ(itself.at(key), 0) << key;
    EXPECT_GT(itself.at("chamfer"), 0);  // vertices against random samples of the same surface
    EXPECT_FALSE(itself.contains("surface_signed"));

    const Mesh mesh{{{0.05F, 0.05F, -0.75F}, {0.1F, 0.1F, -1.1F}, {0.1F, -0.2F, -0.7F}},
                    {{0, 1, 2}}};
    const std::string meshFile = written("m.obj", mesh);
    const json document = documentOf({meshFile, truthFile, "--signed", "--protocol", "both"});
    EXPECT_NEAR(document.at("surface_mean"), (0.05 + 0.3 + 0.2) / 3, 1e-6);
    EXPECT_NEAR(document.at("surface_median"), 0.2, 1e-6);
    EXPECT_NEAR(document.at("surface_largest"), 0.3, 1e-6);
    const json& signedDistances = document.at("surface_signed");
    EXPECT_NEAR(signedDistances.at("mean"), (-0.05 + 0.3 + 0.2) / 3, 1e-6);
    EXPECT_NEAR(signedDistances.at("lowest"), -0.05, 1e-6);
    EXPECT_NEAR(signedDistances.at("highest"), 0.3, 1e-6);
    EXPECT_NEAR(signedDistances.at("inside"), 1.0 / 3, 1e-9);
    EXPECT_THAT(runThreefold({"score", meshFile, truthFile}).output,
                AllOf(HasSubstr("distances of 3 vertices from the truth's surface"),
                      HasSubstr("95th percentile  ")));
}

TEST_F(ScoreCommand, warnsOfSigns_whenTheTruthHasNoInside) {
    const std::string mesh = written("m.obj", square());
    const auto warningsOf = [&](const char* name, const Mesh& truth, bool withSign = true) {
        std::vector<std::string> words{"score", mesh, written(name, truth), "--no-emd"};
        if (withSign) words.emplace_back("--signed");
        const ProcessResult result = runThreefold(words);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return result.errors;
    };
    EXPECT_THAT(warningsOf("closed.obj", tetrahedron()), IsEmpty());
    Mesh open = tetrahedron();
    open.faces.pop_back();
    EXPECT_THAT(warningsOf("open.obj", open), HasSubstr("open.obj: 3 edges have one face: signs"));
    EXPECT_THAT(warningsOf("open.obj", open, false), IsEmpty());
    Mesh inward = tetrahedron();
    for (glm::u32vec3& face : inward.faces) std::swap(face.y, face.z);
    EXPECT_THAT(warningsOf("inward.obj", inward),
                HasSubstr("1 part has faces that point inward, or no inside: signs"));
}

TEST_F(ScoreCommand, givesNoSurfaceDistance_whenTheTruthHasOnlyPoints) {
    const std::string mesh = written("m.obj", square());
    EXPECT_TRUE(documentOf({mesh, truthOf("02691156"), "--no-emd"}).at("surface_mean").is_null());
    EXPECT_THAT(runThreefold({"score", mesh, truthOf("02691156"), "--no-emd"}).output,
                testing::Not(HasSubstr("from the truth's surface")));
    const ProcessResult result = runThreefold({"score", mesh, truthOf("02691156"), "--signed"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("has points alone, without an inside"));
}

TEST_F(ScoreCommand, writesTheDistanceOfEachVertex) {
    const Mesh truth = tetrahedron();
    const std::string truthFile = written("truth.obj", truth);
    const Mesh mesh{{{0.1F, 0.1F, -0.7F}, {0.1F, 0.1F, -1.1F}, {0.1F, -0.2F, -0.7F}}, {{0, 1, 2}}};
    const std::string meshFile = written("m.obj", mesh);
    const std::string csv = (folder_ / "of.csv").string();
    const std::string ply = (folder_ / "of.PLY").string();
    ASSERT_EQ(runThreefold({"score", meshFile, truthFile, "-o", csv}).exitCode, 0);
    ASSERT_EQ(runThreefold({"score", meshFile, truthFile, "-o", ply, "--signed"}).exitCode, 0);

    GroundTruth read = readGroundTruth(truthFile);
    const TruthDistances distances(read);
    const Points vertices = readMesh(meshFile).vertices;
    std::string expected = "vertex,distance\n";
    for (std::size_t i = 0; i < vertices.size(); ++i)
        expected += fmt::format("{},{}\n", i, distances.distancesOf(vertices)[i]);
    EXPECT_EQ(textOfFile(csv), expected);
    const LoadedMesh painted = readMesh(ply);
    EXPECT_EQ(painted.faces, mesh.faces);
    ASSERT_EQ(painted.scalars.size(), 1U);
    EXPECT_EQ(painted.scalars[0].values, distances.signedDistancesOf(vertices));

    for (const std::string& refused : {meshFile, truthFile, (folder_ / "of.stl").string()}) {
        const ProcessResult result = runThreefold({"score", meshFile, truthFile, "-o", refused});
        EXPECT_EQ(result.exitCode, 2) << refused;
    }
    EXPECT_EQ(readMesh(meshFile).vertices.size(), 3U);
}

TEST_F(ScoreCommand, keepsTheVertexNumbersOfTheFile_whenAVertexIsLeftOut) {
    const std::string mesh = written("m.obj", "v 0 0 -0.8\nv 0 nan 0\nv 0.1 0 -0.8\n");
    const std::string csv = (folder_ / "of.csv").string();
    ASSERT_EQ(runThreefold({"score", mesh, written("t.xyz", "0 0 -0.8\n"), "-o", csv}).exitCode, 0);
    EXPECT_EQ(textOfFile(csv), "vertex,distance\n0,0\n2,0.1\n");
}

TEST_F(ScoreCommand, writesDistances_overNoOtherFile) {
    const std::string mesh = written("m.obj", square());
    const std::string truth = written("t.ply", tetrahedron());
    const std::string notes = written("notes.csv", "my,notes\n");
    const ProcessResult foreign = runThreefold({"score", mesh, truth, "-o", notes});
    EXPECT_EQ(foreign.exitCode, 2);
    EXPECT_THAT(foreign.errors, HasSubstr("exists, and is not a CSV of distances"));
    EXPECT_EQ(textOfFile(notes), "my,notes\n");
    const std::string log = (folder_ / "d.csv").string();
    const ProcessResult same =
        runThreefold({"score", mesh, truth, "-o", log, "--log-file", log, "-v"});
    EXPECT_EQ(same.exitCode, 2);
    EXPECT_THAT(same.errors, HasSubstr("is the file of the log"));
    EXPECT_EQ(textOfFile(log).find("vertex,"), std::string::npos);
}

TEST_F(ScoreCommand, namesFileAndReason_whenItCannotBeScored) {
    const std::string good = written("good.obj", square());
    const std::string points = written("points.xyz", "0 0 -0.8\n0 1 -0.8\n");
    const std::string flat = written("flat.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
    struct Bad {
        std::string mesh;
        std::string protocol;
        std::string said;
    };
    const std::vector<Bad> all = {
        {written("empty.obj", ""), "published", "empty.obj"},
        {written("nan.xyz", "0 0 nan\n"), "published", "nan.xyz"},
        {written("notes.txt", "nothing that is a mesh"), "published", "notes.txt"},
        {(folder_ / "none.obj").string(), "published", "none.obj"},
        {points, "surface", "points.xyz: has no faces"},
        {flat, "surface", "flat.obj: its faces have no area"},
    };
    for (const Bad& bad : all) {
        const ProcessResult result =
            runThreefold({"score", bad.mesh, good, "--protocol", bad.protocol, "--json"});
        EXPECT_EQ(result.exitCode, 1) << bad.said;
        EXPECT_THAT(result.errors, HasSubstr(bad.said));
        EXPECT_THAT(result.output, IsEmpty());
    }
    EXPECT_THAT(runThreefold({"score", good, flat}).errors,
                HasSubstr("flat.obj: its faces have no"));
}

TEST_F(ScoreCommand, exitsWithTwo_whenOptionsAreWrong) {
    const std::string mesh = written("m.obj", square());
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"score", mesh},
                                               {"score", mesh, mesh, "--protocol", "own"},
                                               {"score", mesh, mesh, "--tau", "0"},
                                               {"score", mesh, mesh, "--tau", "inf"},
                                               {"score", mesh, mesh, "--emd", "--no-emd"},
                                               {"score", mesh, mesh, "--space", "moon"}}) {
        EXPECT_EQ(runThreefold(wrong).exitCode, 2) << testing::PrintToString(wrong);
    }
}

}  // namespace
}  // namespace threefold::test
