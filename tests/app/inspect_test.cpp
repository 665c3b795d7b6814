#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/file_bytes.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/pickle_writer.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::string golden(const char* name) {
    return std::string(THREEFOLD_TEST_DATA) + "/golden/" + name;
}

TEST(Inspect, namesEachKind_whenGivenOneOfEach) {
    const TempFolder folder;
    const std::string rendering = (bundledSample("02691156") / "rendering").string();
    const std::string pickle = (folder / "template.dat").string();
    writeFileWhole(pickle, std::string_view(pickle::pickled(pickle::dict(
                               {{"coord", pickle::array<float>("f4", {1, 2, 3}, {1, 3})},
                                {"name", pickle::text("ellipsoid")}}))));
    const Ended ended =
        runThreefold({"inspect", rendering + "/00.png", rendering + "/rendering_metadata.txt",
                      bundledSample("02691156").string(), golden("plane_each.npz"),
                      bundledModel().string(), pickle, "--json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const json documents = json::parse(ended.out);
    std::vector<std::string> formats;
    for (const json& document : documents) formats.push_back(document.at("format"));
    EXPECT_THAT(formats, testing::ElementsAre("image", "rendering metadata", "sample", "npz",
                                              "safetensors", "pickle"));
    EXPECT_EQ(documents[0].at("arrays").size(), 4U);
    EXPECT_EQ(documents[1].at("facts").at("views"), "24");
    EXPECT_EQ(documents[2].at("facts").at("name"), "02691156_p0001_00");
    EXPECT_EQ(documents[5].at("arrays")[0].at("name"), "coord");
    EXPECT_EQ(documents[5].at("arrays")[0].at("mean"), 2.0);
}

TEST(Inspect, printsNamesTypesShapesAndRanges_whenGivenAnNpz) {
    const Ended ended = runThreefold({"inspect", golden("plane_each.npz")});
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("plane_each.npz: npz\n"));
    EXPECT_THAT(ended.out, testing::ContainsRegex(R"(refined_2 +f32 +\[2466, 3\] +-?[0-9.]+ )"));
    EXPECT_THAT(ended.out, testing::ContainsRegex(R"(camera +f32 +\[3, 5\] )"));
}

TEST(Inspect, leavesRangesOut_whenToldTo) {
    const Ended ended = runThreefold({"inspect", bundledModel().string(), "--no-ranges"});
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, AllOf(HasSubstr("stage1.cnn.conv1.weight"), HasSubstr("SHA-256")));
    EXPECT_THAT(ended.out, testing::Not(HasSubstr("mean")));
}

TEST(Inspect, goesOnWithTheRest_whenAFileIsNobodys) {
    const TempFolder folder;
    overwrite(folder / "nonsense.bin", "\x01\x02 nothing that anybody reads");
    const Ended ended =
        runThreefold({"inspect", (folder / "nonsense.bin").string(), (folder / "none").string(),
                      golden("plane_each.npz"), "--no-ranges"});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("nonsense.bin"), HasSubstr("none: there is no such")));
    EXPECT_THAT(ended.out, HasSubstr("refined_2"));
}

TEST(Inspect, namesTheCallable_whenAPickleWouldRunOne) {
    const TempFolder folder;
    overwrite(folder / "evil.dat", "cos\nsystem\n(S'true'\ntR.");
    const Ended ended = runThreefold({"inspect", (folder / "evil.dat").string()});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("evil.dat"), HasSubstr("os.system")));
}

TEST(Inspect, staysShort_whenAPickleNamesOneValueManyTimes) {
    // Each list holds the one before it ten times: 10^4 lists from a hundred bytes.
    std::string bytes = "\x80\x02]q";
    bytes += '\0';
    for (char level = 1; level <= 4; ++level) {
        bytes += "](";
        for (int i = 0; i < 10; ++i) bytes += std::string("h") + static_cast<char>(level - 1);
        bytes += std::string("eq") + level;
    }
    const TempFolder folder;
    overwrite(folder / "many.dat", bytes + '.');
    const Ended ended = runThreefold({"inspect", (folder / "many.dat").string()});
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_LT(ended.out.size(), 200000U);
    EXPECT_THAT(ended.out, HasSubstr("left out"));
}

}  // namespace
}  // namespace threefold::test
