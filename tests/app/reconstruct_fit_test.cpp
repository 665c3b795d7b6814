#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/file_text.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Reconstruct, writesAFittedMeshBesideTheRefinedMesh_whenAskedToFit) {
    const TempFolder folder;
    const std::string sample = bundledSample("02691156").string();
    const ProcessResult result = runThreefold({"reconstruct", sample, "--fit", "8", "--json",
                                               "--format", "obj", "-o", folder.path().string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(folder.path()),
                ElementsAre("02691156_p0001_00_fitted.obj", "02691156_p0001_00_predict.obj"));
    const TempFolder plain;
    ASSERT_EQ(runThreefold({"reconstruct", sample, "-o", plain.path().string()}).exitCode, 0);
    EXPECT_EQ(readObj(folder / "02691156_p0001_00_predict.obj").vertices,
              readObj(plain / "02691156_p0001_00_predict.obj").vertices);
    const json entry = json::parse(result.output).at("samples").at(0);
    EXPECT_EQ(entry.at("fit").at("views").size(), 8U);
    for (const json& view : entry.at("fit").at("views"))
        EXPECT_GT(view.at("overlap_after"), view.at("overlap_before"));
    EXPECT_EQ(entry.at("fit").at("surface"), "hull");
    for (const char* key : {"folded_faces", "intersecting_faces"})
        EXPECT_LT(entry.at("fit").at(std::string(key) + "_after"),
                  entry.at("fit").at(std::string(key) + "_before"));
    EXPECT_LT(entry.at("measures").at("fitted").at("chamfer"),
              entry.at("measures").at("refined").at("chamfer"));
    EXPECT_EQ(entry.at("silhouettes").at(0).count("fitted"), 1U);
    const ProcessResult refused =
        runThreefold({"reconstruct", sample, "--fit", "some", "-o", folder.path().string()});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.errors,
                HasSubstr("'some' names no views. Use auto, chosen, all, or a number"));
}

TEST(Reconstruct, fitsTheOtherPhotographs_whenOneCannotBeRead) {
    const TempFolder folder;
    const std::filesystem::path sampleFolder = copySample("02691156", folder.path());
    std::ofstream(sampleFolder / "rendering" / "03.png") << "no picture";
    const ProcessResult result = runThreefold({"reconstruct", sampleFolder.string(), "--fit", "8",
                                               "--json", "-o", (folder / "out").string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("view 3: "));
    const json entry = json::parse(result.output).at("samples").at(0);
    EXPECT_EQ(entry.at("fit").at("left_out"), json({3}));
    EXPECT_THAT(entry.at("fit").at("notes").at(0), HasSubstr("view 3: "));
    EXPECT_EQ(entry.at("fit").at("views").size(), 7U);
}

TEST(Reconstruct, writesTheHullBesideTheRefinedMesh_whenAsked) {
    const TempFolder folder;
    const std::string sample = bundledSample("02691156").string();
    const ProcessResult result =
        runThreefold({"reconstruct", sample, "--hull", "--vertices", "2500", "--json", "--format",
                      "obj", "-o", folder.path().string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(folder.path()),
                ElementsAre("02691156_p0001_00_hull.obj", "02691156_p0001_00_predict.obj"));
    const json entry = json::parse(result.output).at("samples").at(0);
    const json& hull = entry.at("hull");
    EXPECT_EQ(hull.at("views"), 24);
    EXPECT_GT(hull.at("overlap"), 0.9);
    EXPECT_LT(hull.at("measures").at("chamfer"), entry.at("measures").at("refined").at("chamfer"));
    const auto written = readObj(folder / "02691156_p0001_00_hull.obj");
    EXPECT_EQ(written.vertices.size(), hull.at("vertices"));
    EXPECT_NEAR(static_cast<double>(written.vertices.size()), 2500, 250);
    // The hull is closed and consistently oriented: each directed edge occurs once, and its reverse
    // once.
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (const glm::u32vec3 face : written.faces)
        for (int i = 0; i < 3; ++i) ++sides[{face[i], face[(i + 1) % 3]}];
    for (const auto& [side, count] : sides) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(sides.count({side.second, side.first}), 1U);
    }
}

TEST(Reconstruct, tracesTheHullAsAFit_beforeItIsWritten) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(
        {"reconstruct", bundledSample("02691156").string(), "--hull", "--fit-views", "off", "-o",
         (folder / "out").string(), "--trace", (folder / "trace.json").string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    std::vector<std::string> steps;
    const json trace = json::parse(fileText(folder / "trace.json"));
    for (const json& event : trace.at("traceEvents"))
        for (const char* step : {"fit", "measure", "write"})
            if (event.at("ph") == "X" && event.at("name") == step) steps.emplace_back(step);
    EXPECT_THAT(steps, ElementsAre("measure", "fit", "write"));
}

TEST(Reconstruct, explainsAMissingHull_whenThereAreNoMasks) {
    const TempFolder folder;
    const std::filesystem::path scene = folder / "opaque";
    test::writeDiscScene(scene, 3);
    for (const char* name : {"0.png", "1.png", "2.png"}) {
        const auto file = scene / "images" / name;
        Image image = readImage(file);
        std::fill(image.rgba.begin(), image.rgba.end(), std::uint8_t{90});
        for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
        writePng(file, image);
    }
    const ProcessResult result = runThreefold(
        {"reconstruct", scene.string(), "--hull", "--json", "-o", (folder / "out").string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("no hull: "));
    EXPECT_THAT(result.errors, HasSubstr("0 usable masks"));
    EXPECT_EQ(json::parse(result.output).at("samples").at(0).count("hull"), 0U);
}

TEST(Reconstruct, reportsOverlaps_thatAnIndependentScriptFinds) {
    const TempFolder folder;
    const auto scene = folder / "disc";
    test::writeDiscScene(scene, 7);
    const ProcessResult result =
        runThreefold({"reconstruct", scene.string(), "--fit", "all", "--format", "obj", "--frame",
                      "world", "--json", "-o", (folder / "out").string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json sample = json::parse(result.output).at("samples").at(0);
    EXPECT_THAT(
        std::string(sample.at("fit").at("choice")),
        HasSubstr("Chose the photographs' hull: on the 2 photographs held out it overlaps "));
    const auto counted = folder / "counted";
    ASSERT_EQ(std::system(fmt::format("python3 '{}/app/silhouette_overlap.py' '{}' '{}' > '{}'",
                                      THREEFOLD_TEST_DATA, scene.string(),
                                      (folder / "out/disc_fitted.obj").string(), counted.string())
                              .c_str()),
              0);
    std::ifstream words(counted);
    std::string word;
    words >> word >> word;
    for (const json& view : sample.at("fit").at("views")) {
        double overlap = 0;
        words >> overlap;
        EXPECT_GT(overlap, 0.95);
        // The script counts pixels of the original photograph (100 × 100); the fit counts pixels of
        // the view, which is resampled around the object.
        EXPECT_NEAR(view.at("overlap_after").get<double>(), overlap, 0.02);
    }
}

TEST(Reconstruct, fitsTheSame_fromSeparateOptionsAsFromOneWord) {
    const TempFolder folder;
    int runs = 0;
    const auto fitted = [&](std::vector<std::string> options) {
        const std::filesystem::path out = folder / std::to_string(runs++);
        options.insert(options.begin(), {"reconstruct", bundledSample("02691156").string(), "-o",
                                         out.string(), "--format", "ply"});
        const ProcessResult result = runThreefold(options);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        for (const std::string& name : filesIn(out))
            if (name.ends_with("_fitted.ply")) return readFile(out / name);
        return std::vector<std::byte>();
    };
    const std::vector<std::byte> hull = fitted({"--fit", "8+hull"});
    EXPECT_FALSE(hull.empty());
    EXPECT_EQ(fitted({"--surface", "hull", "--fit-views", "8"}), hull);
    EXPECT_EQ(fitted({"--fit-views", "8", "--fit", "all", "--surface", "hull"}), hull);
    EXPECT_EQ(fitted({"--fit-views", "8"}), fitted({"--fit", "8"}));
}

TEST(Reconstruct, warnsOfAFit_whenItContradictsTheMasks) {
    const TempFolder folder;
    writeDiscScene(folder / "ball", 6);
    // Each photograph keeps one quarter of the ball, and its neighbours keep other quarters.
    for (int view = 0; view < 6; ++view) {
        const std::filesystem::path file =
            folder / "ball" / "images" / (std::to_string(view) + ".png");
        Image image = readImage(file);
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                if ((x < image.width / 2) != (view % 2 == 0) ||
                    (y < image.height / 2) != (view / 2 % 2 == 0))
                    for (int channel = 0; channel < 3; ++channel)
                        image.rgba[static_cast<std::size_t>(4 * (y * image.width + x) + channel)] =
                            255;
        writePng(file, image);
    }
    const auto run = [&](const char* surface) {
        return runThreefold({"reconstruct", (folder / "ball").string(), "--fit-views", "all",
                             "--surface", surface, "--json", "-o", (folder / "out").string()});
    };
    const ProcessResult result = run("network");
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("less than 0.8: masks or cameras are wrong"));
    const json document = json::parse(result.output);
    EXPECT_EQ(document["done"], 1) << "the sample's files are written despite the warning";
    EXPECT_THAT(document["samples"][0].value("overlap_warning", ""), HasSubstr("view "));
}

TEST(Reconstruct, fitsOwnPhotographsByDefault_whenThereAreSix) {
    const TempFolder folder;
    writeDiscScene(folder / "six", 6);
    writeDiscScene(folder / "five", 5);
    const auto run = [&](const char* scene, std::vector<std::string> options) {
        options.insert(options.begin(), {"reconstruct", (folder / scene).string(), "--format",
                                         "obj", "--json", "-o", (folder / "out").string()});
        const ProcessResult result = runThreefold(options);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        json sample = json::parse(result.output).at("samples").at(0);
        EXPECT_EQ(result.errors.find("'--fit-views off' skips the fit") != std::string::npos,
                  sample.contains("fit_default"));
        return sample;
    };
    const json unasked = run("six", {});
    EXPECT_TRUE(unasked.contains("fit_default"));
    EXPECT_THAT(unasked.at("files"), testing::SizeIs(2));
    EXPECT_EQ(unasked.at("fit").at("views").size(), 6U);
    EXPECT_THAT(unasked.at("fit").at("surface"), testing::AnyOf("hull", "depth"));
    const json& depth = unasked.at("fit").at("depth");
    EXPECT_EQ(depth.at("taken"), unasked.at("fit").at("surface") == "depth");
    EXPECT_NE(depth.at("taken"), depth.contains("problem"));
    EXPECT_GE(depth.at("sure"), 0);
    EXPECT_GE(depth.at("steps_ms").size(), 6U);
    const std::vector<std::byte> mesh = readFile(folder / "out/six_fitted.obj");
    run("six", {"--fit", "all+10000vertices"});
    EXPECT_EQ(readFile(folder / "out/six_fitted.obj"), mesh);

    for (const std::vector<std::string>& off :
         {std::vector<std::string>{"--fit", "off"}, {"--fit-views", "off"}})
        EXPECT_FALSE(run("six", off).contains("fit"));
    const json network = run("six", {"--surface", "network"});
    EXPECT_EQ(network.at("fit").at("surface"), "network");
    EXPECT_FALSE(network.contains("fit_default"));
    EXPECT_FALSE(network.at("fit").contains("depth"));
    EXPECT_FALSE(run("five", {}).contains("fit"));

    overwrite(folder / "threefold.toml", "[reconstruction]\nfit = 'off'\n");
    const std::string file = (folder / "threefold.toml").string();
    EXPECT_FALSE(run("six", {"--config", file}).contains("fit"));
    EXPECT_TRUE(run("six", {"--config", file, "--fit-views", "auto"}).contains("fit"));
}

TEST(Reconstruct, refusesOptionsOfTheFit_thatNameNoViewsOrSurface) {
    const std::string sample = bundledSample("02691156").string();
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--fit-views", "all+hull"},
          {"--surface", "sphere"},
          {"--fit-views", "0"}}) {
        std::vector<std::string> words{"reconstruct", sample, "-o", "nowhere"};
        words.insert(words.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(runThreefold(words).exitCode, 2) << wrong.back();
    }
}

}  // namespace
}  // namespace threefold::test
