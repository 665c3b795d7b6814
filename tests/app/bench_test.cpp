#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/meshes/mesh_writing.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

using nlohmann::json;

TEST(BenchLatency, timesEveryStage_whenRunTwice) {
    const ProcessResult result =
        runThreefold({"bench", "latency", "--runs", "2", "--warmup", "0", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("runs"), 2);
    std::vector<std::string> stages;
    double sum = 0;
    for (const json& row : document.at("stages")) {
        stages.push_back(row.at("stage"));
        EXPECT_GE(row.at("medianMs"), 0.0);
        EXPECT_GE(row.at("p95Ms"), row.at("medianMs"));
        EXPECT_FALSE(row.contains("ratio"));
        if (row.at("stage") != "load") sum += row.at("medianMs").get<double>();
    }
    EXPECT_THAT(stages,
                testing::ElementsAre("load", "preprocess", "cnn1", "project1", "graph1", "graph2",
                                     "graph3", "cnn2", "project2", "block1", "block2"));
    double fractions = 0;
    for (const json& row : document.at("stages")) fractions += row.value("fraction", 0.0);
    EXPECT_NEAR(fractions, 1, 1e-9);
    EXPECT_THAT(document.at("bottleneck").at("text"), testing::HasSubstr(" % of the network"));
    // The median of two runs is their mean, so the run steps' medians add up to the network's.
    const double whole = document.at("network").at("medianMs");
    EXPECT_NEAR(whole, sum, 1e-6 * sum);
}

TEST(BenchLatency, comparesWithProducts_whenAskedForARoofline) {
    const ProcessResult result =
        runThreefold({"bench", "latency", "--runs", "1", "--warmup", "0", "--roofline", "--sample",
                      bundledSample("03001627").string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("sample"), "03001627_p0001_00");
    EXPECT_GT(document.at("productGigaflops"), 0.0);
    const json& network = document.at("network");
    EXPECT_GT(network.at("stepFlop"), 1e11);
    EXPECT_NEAR(network.at("ratio").get<double>(),
                network.at("medianMs").get<double>() / network.at("productsMs").get<double>(),
                1e-9);
}

TEST(BenchRaster, comparesTiers_whenMeshesAreSmall) {
    const ProcessResult result =
        runThreefold({"bench", "raster", "--triangles", "100,1000", "--size", "64", "--runs", "2",
                      "--warmup", "0", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("size"), 64);
    ASSERT_EQ(document.at("meshes").size(), 2U);
    for (const json& mesh : document.at("meshes")) {
        EXPECT_GT(mesh.at("pixels"), 1000);
        EXPECT_GT(mesh.at("vectorisedToBasic"), 0.0);
        std::vector<std::string> tiers;
        for (const json& tier : mesh.at("tiers")) {
            tiers.push_back(tier.at("tier"));
            const double rate =
                mesh.at("triangles").get<double>() * 1000 / tier.at("medianMs").get<double>();
            EXPECT_NEAR(tier.at("trianglesPerSecond").get<double>(), rate, 1e-6 * rate);
        }
        EXPECT_THAT(tiers, testing::ElementsAre("basic", "tiled", "vectorised"));
    }
    EXPECT_NEAR(document["meshes"][1]["triangles"].get<double>(), 1000, 50);
}

TEST(BenchRaster, drawsSixViewsOfAMesh_whenItsFileIsNamed) {
    const TempFolder folder;
    const std::string file = (folder / "far.obj").string();
    Mesh mesh = box({1, 1, 1});
    for (glm::vec3& p : mesh.vertices) p = p * 40.0F + 700.0F;
    writeText(file, encodeMesh(MeshFormat::obj, mesh));
    const ProcessResult result = runThreefold({"bench", "raster", "--mesh", file, "--triangles",
                                               "12", "--size", "64", "--runs", "1", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json meshes = json::parse(result.output).at("meshes");
    ASSERT_EQ(meshes.size(), 2U);
    EXPECT_EQ(meshes[0].at("mesh"), "far.obj");
    EXPECT_EQ(meshes[0].at("views"), 6);
    EXPECT_EQ(meshes[0].at("triangles"), 12);
    // In each of the six views the cube covers at least a third of the image's width and height.
    EXPECT_GT(meshes[0].at("pixels"), 6 * 20 * 20);
    EXPECT_LT(meshes[0].at("pixels"), 6 * 64 * 64);
    EXPECT_EQ(meshes[1].at("mesh"), "ball");
    writeText(file, "v 0 0 0\n");
    EXPECT_EQ(runThreefold({"bench", "raster", "--mesh", file}).exitCode, 1);
}

TEST(BenchRaster, comparesInstructionSets_whenTheyAreNamed) {
    const ProcessResult result =
        runThreefold({"bench", "raster", "--triangles", "100", "--size", "64", "--runs", "2",
                      "--warmup", "0", "--instructions", "portable,automatic", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json tiers = json::parse(result.output).at("meshes").at(0).at("tiers");
    ASSERT_EQ(tiers.size(), 4U);
    EXPECT_EQ(tiers.at(2).at("instructions"), "portable");
    EXPECT_EQ(tiers.at(3).at("tier"), "vectorised");
    EXPECT_EQ(tiers.at(3).at("instructions"), json::parse(result.output).at("instructions"));
    EXPECT_EQ(runThreefold({"bench", "raster", "--instructions", "mmx"}).exitCode, 2);
}

TEST(Bench, dividesTheTimeOfDepth_whenASampleHasOwnPhotographs) {
    const TempFolder folder;
    writeDiscScene(folder / "disc", 6);
    const ProcessResult result =
        runThreefold({"bench", "fit", "--runs", "1", "--samples", (folder / "disc").string(),
                      "--fit-views", "all", "--surface", "depth", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json depth = json::parse(result.output).at("fits").at(0).at("depth");
    EXPECT_EQ(depth.at("samples"), 1);
    double sum = 0;
    for (const auto& [step, milliseconds] : depth.at("stepsMs").items())
        sum += milliseconds.get<double>();
    EXPECT_LE(sum, depth.at("ms"));
}

TEST(Bench, comparesFittedWithRefinedMeshes) {
    const TempFolder folder;
    linkProceduralSamples(folder.path());
    const ProcessResult result =
        runThreefold({"bench", "fit", "--runs", "1", "--samples", folder.path().string(),
                      "--fit-views", "chosen,8", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json fits = json::parse(result.output).at("fits");
    ASSERT_EQ(fits.size(), 2U);
    for (const json& row : fits) {
        EXPECT_EQ(row.at("samples"), 4);
        EXPECT_GT(row.at("medianMs"), 0);
        EXPECT_GE(row.at("slowestMs"), row.at("medianMs"));
        EXPECT_GT(row.at("overlap").at("fitted"), row.at("overlap").at("refined"));
        for (const char* key : {"fPublished", "fSurface"})
            EXPECT_GT(row.at(key).at("fitted"), row.at(key).at("refined"));
        for (const char* key : {"foldedFaces", "intersectingFaces"})
            EXPECT_GT(row.at(key).at("refined"), 0);
    }
    EXPECT_EQ(runThreefold({"bench", "fit", "--fit", "none"}).exitCode, 2);
    EXPECT_EQ(runThreefold({"bench", "fit", "--samples", "/nowhere"}).exitCode, 1);
}

}  // namespace
}  // namespace threefold::test
