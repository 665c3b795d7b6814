#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/sample_rendering/shapes.h"
#include "tests/support/poll_until.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Render, makesASample_thatReconstructReadsAndMeasures) {
    const TempFolder folder;
    const std::string mesh = (folder / "03001627/block.obj").string();
    writeText(mesh, encodeMesh(MeshFormat::obj, box({2, 3, 2.5})));
    const std::string data = (folder / "data").string();
    const ProcessResult rendered = runThreefold({"render", mesh, "-o", data});
    ASSERT_EQ(rendered.exitCode, 0) << rendered.errors;
    EXPECT_THAT(rendered.errors, IsEmpty());
    EXPECT_THAT(runThreefold({"render", mesh, "-o", data, "--overwrite", "-v"}).errors,
                HasSubstr("rasteriser: vectorised, "));
    EXPECT_THAT(rendered.output, HasSubstr("03001627_block  24 views  12 faces  10000 points"));

    const ProcessResult result = runThreefold(
        {"reconstruct", data + "/03001627/block", "-o", (folder / "meshes").string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json sample = json::parse(result.output).at("samples").at(0);
    EXPECT_EQ(sample.at("sample"), "03001627_block_00");
    // With a wrong rotation or scale, fewer points would be within the threshold.
    EXPECT_GT(sample.at("measures").at("refined").at("f_2tau"), 10);
    // The tests' model gives 0.0042, and about 0.008 if the object is scaled by 1.2.
    EXPECT_LT(sample.at("measures").at("refined").at("chamfer"), 5e-3);
}

/// Folder of four valid meshes and a broken one, and a command that renders them as small images.
class RenderFolder : public testing::Test {
  protected:
    RenderFolder() {
        writeText(folder_ / "in/balls/one.obj", encodeMesh(MeshFormat::obj, ball(8)));
        writeText(folder_ / "in/balls/bad.obj", "v 0 0 0\nf 1 2 3\n");
        writeText(folder_ / "in/boxes/two.stl", encodeMesh(MeshFormat::stl, box({1, 1, 1})));
        writeText(folder_ / "in/boxes/three.glb", encodeMesh(MeshFormat::glb, box({1, 1, 2})));
        writeText(folder_ / "in/boxes/four.ply", encodeMesh(MeshFormat::ply, box({1, 3, 2})));
    }

    ProcessResult render(const std::string& size, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> command = {"render",   (folder_ / "in").string(),
                                            "-o",       out_,
                                            "--size",   size,
                                            "--views",  "2",
                                            "--points", "100",
                                            "--json",   "--test-fraction",
                                            "0.5"};
        command.insert(command.end(), more.begin(), more.end());
        return runThreefold(command);
    }

    TempFolder folder_;
    std::string out_ = (folder_ / "out").string();
};

TEST_F(RenderFolder, makesADataSet_andNamesABrokenMesh) {
    const ProcessResult result = render("32");
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr("bad.obj"), HasSubstr("names the vertex 3")));
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("made"), 4);
    EXPECT_EQ(document.at("failed"), 1);
    EXPECT_EQ(document.at("lists").at("all"), 4);
    for (const json& sample : document.at("samples")) {
        if (sample.at("ok") == false) continue;
        EXPECT_TRUE(fs::exists(sample.at("truth").get<std::string>())) << sample;
        EXPECT_TRUE(fs::exists(sample.at("folder").get<std::string>() + "/rendering/01.png"));
    }
    EXPECT_TRUE(fs::exists(out_ + "/boxes/three"));
    EXPECT_THAT(filesIn(out_), testing::IsSupersetOf({"list.txt", "test.txt", "train.txt"}));
}

TEST_F(RenderFolder, keepsFinishedSamples_whenTheCommandIsRepeated) {
    render("32");
    const json again = json::parse(render("32").output);
    EXPECT_EQ(again.at("made"), 0);
    EXPECT_EQ(again.at("skipped"), 4);
    EXPECT_EQ(again.at("lists").at("all"), 4);
}

TEST_F(RenderFolder, isRefused_whileAnotherRunWritesToTheFolder) {
    fs::create_directories(out_);
    {
        const FileDescriptor other = openLockedFolder(out_);
        for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--overwrite"}}) {
            const ProcessResult refused = render("32", more);
            EXPECT_EQ(refused.exitCode, 1);
            EXPECT_THAT(refused.errors,
                        HasSubstr(out_ + ": another run is writing to it at this moment"));
        }
        EXPECT_THAT(filesIn(out_), IsEmpty());
    }
    EXPECT_EQ(json::parse(render("32").output).at("made"), 4);
}

TEST_F(RenderFolder, refusesOtherOptions_unlessToldToOverwrite) {
    render("32");
    const ProcessResult refused = render("64");
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.errors, HasSubstr("--size was 32 in this data set and is 64 now"));
    EXPECT_EQ(json::parse(render("64", {"--overwrite"}).output).at("made"), 4);
}

TEST(Render, listsItsPlan_inADryRun) {
    const TempFolder folder;
    writeText(folder / "in/balls/one.obj", encodeMesh(MeshFormat::obj, ball(8)));
    writeText(folder / "in/balls/one.stl", encodeMesh(MeshFormat::stl, ball(8)));
    const std::string out = (folder / "out").string();
    std::vector<std::string> command = {"render", (folder / "in").string(), "-o", out, "--dry-run"};
    const ProcessResult result = runThreefold(command);
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("in/balls/one.obj → " + out + "/balls/one\n"));
    EXPECT_THAT(result.output, HasSubstr("1 to make, 0 skipped, 1 blocked by other files"));
    EXPECT_THAT(result.errors, AllOf(HasSubstr("one.stl: its sample would be balls_one"),
                                     HasSubstr("in/balls/one.obj. Rename")));
    EXPECT_FALSE(fs::exists(out));
    command.emplace_back("--json");
    // This path names one.obj a second time.
    command.push_back((folder / "in/balls/../balls/one.obj").string());
    const json document = json::parse(runThreefold(command).output);
    EXPECT_EQ(document.at("dryRun"), true);
    EXPECT_EQ(document.at("failed"), 1);
    EXPECT_EQ(document.at("made"), 1);
    EXPECT_EQ(document.at("samples").at(0).at("folder"), out + "/balls/one");
    EXPECT_FALSE(fs::exists(out));
}

TEST(Render, leavesNoFiles_whenTheInputIsNoMesh) {
    const TempFolder folder;
    writeText(folder / "points.ply", encodeMesh(MeshFormat::ply, {{{0, 0, 0}}, {}}));
    const ProcessResult result =
        runThreefold({"render", (folder / "points.ply").string(), "-o", (folder / "out").string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("holds 1 points and no faces"));
    EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Render, readsMaterialsOutsideTheFolder_onlyWhenAllowed) {
    const TempFolder folder;
    const std::string mesh = (folder / "m/block.obj").string();
    writeText(mesh,
              "mtllib ../far.mtl\nusemtl red\n" + encodeMesh(MeshFormat::obj, box({1, 1, 1})));
    writeText(folder / "far.mtl", "newmtl red\nKd 1 0 0\n");
    std::vector<std::string> command = {"render",   mesh, "-o",      (folder / "out").string(),
                                        "--size",   "32", "--views", "2",
                                        "--points", "100"};
    const ProcessResult refused = runThreefold(command);
    EXPECT_EQ(refused.exitCode, 0) << refused.errors;
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("the material library '../far.mtl': is outside"),
                                      HasSubstr("--allow-outside")));
    command.emplace_back("--allow-outside");
    const ProcessResult changed = runThreefold(command);
    EXPECT_EQ(changed.exitCode, 2);
    EXPECT_THAT(changed.errors,
                HasSubstr("--allow-outside was false in this data set and is true now"));
    command.emplace_back("--overwrite");
    const ProcessResult allowed = runThreefold(command);
    EXPECT_EQ(allowed.exitCode, 0) << allowed.errors;
    EXPECT_THAT(allowed.errors, IsEmpty());
}

TEST(Render, makesASampleWithoutColours_whenAVertexColourIsBroken) {
    const TempFolder folder;
    std::string text = encodeMesh(MeshFormat::obj, box({1, 1, 1}));
    text.insert(text.find('\n'), " nan 0 0");
    writeText(folder / "m/block.obj", text);
    const ProcessResult result =
        runThreefold({"render", (folder / "m/block.obj").string(), "-o", (folder / "out").string(),
                      "--size", "32", "--views", "2", "--points", "100"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors,
                HasSubstr("line 1: 'nan' is not a finite number; expected a colour"));
}

TEST(Render, exitsWithTwo_whenOptionsAreWrong) {
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--views", "1"},
                                               {"--size", "5000"},
                                               {"--elevation", "91"},
                                               {"--distance", "0.1"},
                                               {"--azimuth", "left"},
                                               {"--up", "x"},
                                               {"--tier", "fast"},
                                               {"--test-fraction", "2"},
                                               {"--points", "0"}}) {
        std::vector<std::string> command = {"render", "mesh.obj", "-o", out};
        command.insert(command.end(), wrong.begin(), wrong.end());
        const ProcessResult result = runThreefold(command);
        EXPECT_EQ(result.exitCode, 2) << wrong.front() << result.errors;
        EXPECT_FALSE(fs::exists(out));
    }
}

TEST(Render, keepsTheUsersLists_andMakesNoDataSetInTheFolderOfTheMeshes) {
    const TempFolder folder;
    fs::create_directories(folder / "meshes");
    fs::create_directories(folder / "out");
    std::ofstream(folder / "meshes/a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::ofstream(folder / "out/train.txt") << "mine\n";
    const std::string meshes = (folder / "meshes").string(), out = (folder / "out").string();
    const ProcessResult occupied = runThreefold({"render", meshes, "-o", out});
    EXPECT_EQ(occupied.exitCode, 2);
    EXPECT_THAT(occupied.errors,
                HasSubstr("train.txt: already exists and belongs to no data set of Threefold"));
    EXPECT_EQ(filesIn(out), std::vector<std::string>{"train.txt"});
    const ProcessResult among = runThreefold({"render", meshes, "-o", meshes});
    EXPECT_EQ(among.exitCode, 2);
    EXPECT_THAT(among.errors, HasSubstr("is the folder of the meshes"));
    EXPECT_EQ(filesIn(meshes), std::vector<std::string>{"a.obj"});
}

/// Contents of all files below a folder, by relative path.
std::map<std::string, std::string> bytesByName(const fs::path& folder) {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_directory()) continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        contents[fs::relative(entry.path(), folder).string()] = {
            std::istreambuf_iterator<char>(stream), {}};
    }
    return contents;
}

TEST(Render, makesTheSameDataSet_howeverOftenItIsKilled) {
    const TempFolder folder;
    constexpr int kMeshes = 60;
    for (int i = 0; i < kMeshes; ++i)
        writeText(folder / "in/balls" / (std::to_string(i) + ".obj"),
                  encodeMesh(MeshFormat::obj, ball(12)));
    const auto command = [&](const char* out, const char* threads) {
        return std::vector<std::string>{"render",    (folder / "in").string(),
                                        "-o",        (folder / out).string(),
                                        "--points",  "500",
                                        "--views",   "6",
                                        "--threads", threads};
    };
    const auto samplesIn = [&](const fs::path& root) {
        std::error_code none;
        return std::distance(fs::directory_iterator(root / "balls", none), {});
    };
    for (const int enough : {1, 20}) {
        Process process(command("killed", "2"));
        EXPECT_TRUE(pollUntil([&] { return samplesIn(folder / "killed") >= enough; }));
        process.send(SIGKILL);
        EXPECT_EQ(process.wait().signal, SIGKILL);
    }
    EXPECT_LT(samplesIn(folder / "killed"), kMeshes);
    const ProcessResult result = runThreefold(command("killed", "1"));
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("skipped (there already"));
    ASSERT_EQ(runThreefold(command("whole", "2")).exitCode, 0);
    const auto killed = bytesByName(folder / "killed");
    const auto whole = bytesByName(folder / "whole");
    for (const auto& [name, bytes] : killed) EXPECT_TRUE(whole.contains(name)) << name;
    for (const auto& [name, bytes] : whole)
        EXPECT_TRUE(killed.contains(name) && killed.at(name) == bytes) << name;
}

TEST(Render, leavesWholeSamples_whenCtrlCIsPressed) {
    const TempFolder folder;
    for (int i = 0; i < 200; ++i)
        writeText(folder / "in/balls" / (std::to_string(i) + ".obj"),
                  encodeMesh(MeshFormat::obj, ball(16)));
    Process process({"render", (folder / "in").string(), "-o", (folder / "out").string()});
    // The folder is made with the first sample.
    EXPECT_TRUE(pollUntil([&] { return fs::exists(folder / "out/balls"); }));
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("cancelled"));
    std::size_t samples = 0;
    for (const auto& entry : fs::directory_iterator(folder / "out/balls")) {
        ++samples;
        EXPECT_TRUE(fs::exists(entry.path() / "rendering/23.png"));
        EXPECT_TRUE(fs::exists(entry.path() / "rendering/rendering_metadata.txt"));
    }
    EXPECT_GT(samples, 0U);
    EXPECT_LT(samples, 200U);
    EXPECT_EQ(filesIn(folder / "out/gt").size(), 2 * samples);
    for (const auto& entry : fs::directory_iterator(folder / "out"))
        EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
}

}  // namespace
}  // namespace threefold::test
