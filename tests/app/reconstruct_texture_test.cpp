#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Reconstruct, writesThePhotographsOnTheMesh_whenAskedForATexture) {
    const TempFolder folder;
    const std::string sample = bundledSample("02691156").string();
    const ProcessResult result =
        runThreefold({"reconstruct", sample, "--texture", "1024", "--texture-seen", "--json",
                      "--format", "obj,glb,xyz", "-o", folder.path().string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(folder.path()),
                ElementsAre("02691156_p0001_00_predict.glb", "02691156_p0001_00_predict.mtl",
                            "02691156_p0001_00_predict.obj", "02691156_p0001_00_predict.png",
                            "02691156_p0001_00_predict.xyz", "02691156_p0001_00_predict_seen.png"));
    EXPECT_EQ(json::parse(result.output).at("samples").at(0).at("files").size(), 6U);
    EXPECT_THAT(result.errors, HasSubstr("xyz: written without the texture"));
    const TexturedMesh obj = readTexturedMesh(folder / "02691156_p0001_00_predict.obj");
    const TexturedMesh glb = readTexturedMesh(folder / "02691156_p0001_00_predict.glb");
    ASSERT_EQ(obj.appearance.textures.size(), 1U);
    EXPECT_EQ(obj.appearance.textures[0].width, 1024);
    EXPECT_EQ(obj.appearance.textures[0].rgba, glb.appearance.textures.at(0).rgba);
    ASSERT_EQ(obj.appearance.textureCoordinates.size(), glb.appearance.textureCoordinates.size());
    for (std::size_t i = 0; i < obj.appearance.textureCoordinates.size(); ++i)
        ASSERT_LT(glm::distance(obj.appearance.textureCoordinates[i],
                                glb.appearance.textureCoordinates[i]),
                  1e-6F);
    const Image seen = readImage(folder / "02691156_p0001_00_predict_seen.png");
    EXPECT_EQ(seen.rgba[3], 0);  // the corner pixel lies outside all charts
}

TEST(Reconstruct, keepsTheExposure_whenAsked) {
    const TempFolder folder;
    const auto sample = copySample("02691156", folder.path());
    constexpr int kPhotographs = 24;
    for (int view = 0; view < kPhotographs; ++view) {
        const double gain = view % 2 == 0 ? 0.5 : 0.9;  // below 1: no pixel is saturated
        const auto file = sample / fmt::format("rendering/{:02}.png", view);
        Image image = readImage(file);
        for (std::size_t at = 0; at < image.rgba.size(); ++at)
            if (at % 4 != 3)
                image.rgba[at] = static_cast<std::uint8_t>(std::lround(gain * image.rgba[at]));
        writePng(file, image);
    }
    const auto textured = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> arguments{
            "reconstruct", sample.string(), "--texture", "1024",
            "-v",          "--json",        "-o",        (folder / name).string()};
        std::ranges::move(more, std::back_inserter(arguments));
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return std::tuple{result.errors, nlohmann::json::parse(result.output)["samples"][0],
                          readImage(folder / name / "02691156_p0001_00_predict.png").rgba};
    };
    const auto [saidEvened, evenedJson, evened] = textured("evened", {});
    const auto [saidTaken, takenJson, asTaken] = textured("taken", {"--texture-as-taken"});
    EXPECT_FALSE(takenJson.contains("exposures"));
    const auto& listed = evenedJson["exposures"][0];
    EXPECT_EQ(listed["mesh"], "02691156_p0001_00_predict");
    ASSERT_EQ(listed["photographs"].size(), kPhotographs);
    std::array<double, 2> sums{};
    for (int view = 0; view < kPhotographs; ++view)
        sums.at(view % 2) += listed["photographs"][view]["gain"][0].get<double>();
    EXPECT_GT(sums[0], 1.3 * sums[1]) << "darker photographs have the larger gains";
    EXPECT_THAT(saidEvened, HasSubstr("exposure evened: gains"));
    EXPECT_THAT(saidTaken, Not(HasSubstr("exposure evened")));
    EXPECT_NE(evened, asTaken);
}

TEST(Reconstruct, warnsOfNoFormat_whenATextureIsWrittenInTheDefaultFormats) {
    const TempFolder folder;
    const ProcessResult result = runThreefold({"reconstruct", bundledSample("02691156").string(),
                                               "--texture", "1024", "-o", folder.path().string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(folder.path()), testing::IsSupersetOf({"02691156_p0001_00_predict.png",
                                                               "02691156_p0001_00_predict.xyz"}));
    EXPECT_THAT(result.errors, Not(HasSubstr("written without the texture")));
}

TEST(Reconstruct, refusesATexture_whenNoFormatHoldsItOrItsSizeIsInvalid) {
    const TempFolder folder;
    const std::string sample = bundledSample("02691156").string();
    for (const auto& [options, problem] :
         {std::pair<std::vector<std::string>, const char*>{
              {"--texture", "--format", "xyz,stl"}, "--texture: xyz, stl: carries no texture"},
          {{"--texture", "100"}, "100: is no number"},
          {{"--texture", "9000"}, "9000"},
          {{"--texture", "large"}, "large"},
          {{"--texture-seen"}, "--texture"}}) {
        std::vector<std::string> arguments{"reconstruct", sample, "-o", (folder / "out").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 2) << problem;
        EXPECT_THAT(result.errors, HasSubstr(problem));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace threefold::test
