#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/turntable/scene.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using Scene = TurntableScene;

/// Twelve photographs of a figure on a transparent background. Their names, IMG_1.png to
/// IMG_12.png, have no leading zeros.
class TurntableCommand : public testing::Test {
  protected:
    TurntableCommand() {
        fs::create_directories(figure_);
        int number = 0;
        for (const PosedMask& outline : Scene::outlines(Scene::figure(), Scene::azimuths(12, 30))) {
            Image image{Scene::kWidth, Scene::kHeight, {}};
            for (const std::uint8_t inside : outline.mask.inside) {
                const std::uint8_t alpha = inside != 0 ? 255 : 0;
                image.rgba.insert(image.rgba.end(), {90, 80, 200, alpha});
            }
            writePng(figure_ / fmt::format("IMG_{}.png", ++number), image);
        }
    }

    json file() const { return json::parse(readFile(figure_ / "cameras.json")); }

    TempFolder folder_;
    fs::path figure_ = folder_ / "figure";
};

TEST_F(TurntableCommand, writesCameras_thatInspectReads) {
    const ProcessResult result =
        runThreefold({"turntable", figure_.string(), "--focal-mm35", "27", "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["sure"], true) << result.errors;
    EXPECT_EQ(document["turnsBy"], "clockwise");
    EXPECT_EQ(document["stepDegrees"], 30);
    EXPECT_THAT(document["photographs"][9]["photograph"].get<std::string>(),
                HasSubstr("IMG_10.png"));
    EXPECT_NEAR(document["photographs"][9]["azimuthDegrees"], 270, 2);
    EXPECT_EQ(file()["made_by"], "threefold turntable");
    EXPECT_FALSE(file().contains("doubts"));
    EXPECT_EQ(file()["unit"], "unknown");
    EXPECT_EQ(file()["views"].size(), 12);
    const ProcessResult inspected = runThreefold({"inspect", figure_.string()});
    EXPECT_EQ(inspected.exitCode, 0) << inspected.errors;
    EXPECT_THAT(inspected.output, AllOf(HasSubstr("cameras.json"), HasSubstr("usable")));
}

TEST_F(TurntableCommand, warns_whenAPhotographIsThereTwice) {
    fs::copy_file(figure_ / "IMG_1.png", figure_ / "IMG_2.png",
                  fs::copy_options::overwrite_existing);
    const ProcessResult result = runThreefold({"turntable", figure_.string(), "--json"});
    EXPECT_THAT(
        result.errors,
        HasSubstr("1 of 12 photographs are copies of another one (IMG_2.png of IMG_1.png)"));
    EXPECT_EQ(json::parse(result.output)["sure"], false);
}

TEST_F(TurntableCommand, writesCameras_whenTwoUnreadablePhotographsHaveTheSameFileSize) {
    const fs::path unreadable = "/proc/sys/vm/compact_memory";  // not readable even by root
    if (!fs::is_regular_file(unreadable) || std::ifstream(unreadable))
        GTEST_SKIP() << "no file here is unreadable";
    for (const char* name : {"IMG_11.png", "IMG_12.png"}) {
        fs::remove(figure_ / name);
        fs::create_symlink(unreadable, figure_ / name);
    }
    const ProcessResult result = runThreefold({"turntable", figure_.string()});
    EXPECT_TRUE(fs::exists(figure_ / "cameras.json")) << result.errors;
}

TEST_F(TurntableCommand, warns_whenGivenTheWrongDirection) {
    const ProcessResult result =
        runThreefold({"turntable", figure_.string(), "--turn-by", "anticlockwise"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("not sure: the object turned anticlockwise by 30°"));
    EXPECT_THAT(result.errors, HasSubstr("cameras.json: not sure: "));
    EXPECT_EQ(file()["sure"], false);
    EXPECT_THAT(file()["doubts"].dump(), HasSubstr("opposite to the given direction"));
    // Whoever uses the cameras is warned again.
    EXPECT_THAT(runThreefold({"inspect", figure_.string()}).output,
                HasSubstr("The cameras are uncertain: The outlines "));
}

TEST_F(TurntableCommand, isNotSure_whenAllMasksAreTheSame) {
    const Image first = readImage(figure_ / "IMG_1.png");
    for (int number = 1; number <= 12; ++number) {  // different colours, the same alpha channel
        Image image = first;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4)
            image.rgba[i] = static_cast<std::uint8_t>(number);
        writePng(figure_ / fmt::format("IMG_{}.png", number), image);
    }
    const ProcessResult result = runThreefold({"turntable", figure_.string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("nothing shows that the object turned"));
    EXPECT_EQ(file()["sure"], false);
}

TEST_F(TurntableCommand, keepsCamerasOfOtherPrograms_unlessToldToOverwriteThem) {
    overwrite(figure_ / "cameras.json", R"({"made_by": "threefold board"})");
    const ProcessResult kept = runThreefold({"turntable", figure_.string()});
    EXPECT_EQ(kept.exitCode, 1);
    EXPECT_THAT(kept.errors,
                AllOf(HasSubstr("not written by 'threefold turntable'"), HasSubstr("--overwrite")));
    EXPECT_EQ(runThreefold({"turntable", figure_.string(), "--overwrite"}).exitCode, 0);
    EXPECT_EQ(runThreefold({"turntable", figure_.string()}).exitCode, 0)
        << "the command must replace its own cameras.json";
}

}  // namespace
}  // namespace threefold::test
