#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/configuration/configuration.h"
#include "app/console/help_formatter.h"
#include "app/console/output.h"
#include "app/describe/describers.h"
#include "app/options/given_samples.h"
#include "app/reconstruct/request.h"
#include "engine/error.h"
#include "engine/text.h"
#include "engine/text_table.h"
#include "tests/app/bundled.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;

TEST(Table, alignsColumns_whenTextIsNotAscii) {
    Table table("lrl");
    table.add({"τ", "1", "a"});
    table.add({"long", "20", ""});
    EXPECT_EQ(table.text(" "), " τ      1  a\n long  20\n");
}

TEST(Help, wrapsAtCharacters_andKeepsLongWordsWhole) {
    EXPECT_EQ(wrapped("ττ ττ ττ", 7, 2), "ττ ττ\n  ττ");
    EXPECT_EQ(wrapped("a\nbc", 20, 1), "a\n bc");
    EXPECT_EQ(wrapped("a verylongword b", 6, 0), "a\nverylongword\nb");
    EXPECT_EQ(wrapped("", 6, 2), "");
}

TEST(Printable, escapesControlCharacters_exceptThoseToKeep) {
    EXPECT_EQ(printable("a\tb\nc\x1b[0m\x7f"), "a\\x09b\\nc\\x1b[0m\\x7f");
    EXPECT_EQ(printable("a\tb\nc\r", "\n\t"), "a\tb\nc\\x0d");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m");
}

TEST(Printable, escapesAsJsonDoes_whenJsonNeedNot) {
    EXPECT_EQ(printableJson("[\n  \"\\u001b\xc2\x85\xc2\x9b\x7fτ\"\n]\n"),
              "[\n  \"\\u001b\\u0085\\u009b\\u007fτ\"\n]\n");
}

TEST(Printable, keepsAllOtherBytes) {
    for (const char* text : {"F(τ) → ½ ©", "not utf-8 \xff\xc2", ""})
        EXPECT_EQ(printable(text), text);
}

TEST(OutputFolder, isRemoved_whenNothingWasWritten) {
    const TempFolder folder;
    { const OutputFolder made(folder / "a/b/c/"); }
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(OutputFolder, staysWithItsParents_whenNotEmpty) {
    const TempFolder folder;
    {
        const OutputFolder made(folder / "a/b");
        overwrite(folder / "a/b/result", "x");
    }
    EXPECT_THAT(filesIn(folder / "a"), ElementsAre("result"));
}

TEST(OutputFolder, stays_whenItExistedBefore) {
    const TempFolder folder;
    std::filesystem::create_directory(folder / "mine");
    { const OutputFolder used(folder / "mine"); }
    EXPECT_TRUE(std::filesystem::exists(folder / "mine"));
}

TEST(ExpandSamples, keepsNamesAndReadsLists_inOrder) {
    const TempFolder folder;
    const std::string list = (folder / "list.txt").string();
    overwrite(list, "b.dat\n#c\n\t d.dat \r\n");
    const auto named = [](const std::string& name, const std::string& place) {
        return testing::AllOf(testing::Field(&NamedSample::name, name),
                              testing::Field(&NamedSample::listed, place));
    };
    EXPECT_THAT(
        expandSamples({"a", list, "e/rendering_metadata.txt"}),
        ElementsAre(named("a", ""), named("b.dat", list + ", line 1"),
                    named("d.dat", list + ", line 3"), named("e/rendering_metadata.txt", "")));
    EXPECT_THROW(expandSamples({(folder / "none.txt").string()}), IoError);
}

TEST(AcceptsList, takesTheNumberOfValuesOfItsSetting_allDifferent) {
    using Texts = std::vector<std::string>;
    EXPECT_TRUE(acceptsList(setting::views, Texts{"0", "6", "7"}));
    EXPECT_TRUE(acceptsList(setting::views, Texts{"23", "1"}));
    EXPECT_FALSE(acceptsList(setting::views, Texts{"0"}));
    EXPECT_FALSE(acceptsList(setting::views, Texts{"3", "1", "3"}));
    EXPECT_FALSE(acceptsList(setting::views, Texts{"0", "1", "2", "3", "4", "5", "6", "7", "8"}));
    EXPECT_TRUE(acceptsList(setting::formats, Texts{"obj"}));
    EXPECT_FALSE(acceptsList(setting::formats, Texts{"obj", "xyz", "obj"}));
}

TEST(DescribeArray, countsNonFiniteValues_andRangesOverTheOthers) {
    const float infinity = std::numeric_limits<float>::infinity();
    const ArrayDescription described =
        describeArray("x", makeArray(std::vector<float>{1, infinity, -3, -infinity}, {4}), true);
    ASSERT_TRUE(described.range);
    EXPECT_EQ(described.range->lowest, -3);
    EXPECT_EQ(described.range->highest, 1);
    EXPECT_EQ(described.range->mean, -1);
    EXPECT_EQ(described.range->notFinite, 2U);
}

TEST(DescribeArray, hasNoRange_whenNoValueIsFinite) {
    const ArrayDescription described =
        describeArray("x", makeArray(std::vector<float>{NAN, NAN}, {2}), true);
    ASSERT_TRUE(described.range);
    EXPECT_EQ(described.range->notFinite, 2U);
    Description description{"npz", {}, {described}};
    EXPECT_EQ(descriptionText("a", description).find("mean"), std::string::npos);
    const auto array =
        nlohmann::ordered_json::parse(descriptionJson("a", description).dump()).at("arrays").at(0);
    EXPECT_TRUE(array.at("min").is_null());
}

TEST(DescribeArray, hasNoRange_whenEmptyOrNotAskedFor) {
    EXPECT_FALSE(describeArray("x", makeArray(std::vector<float>{}, {0}), true).range);
    EXPECT_FALSE(describeArray("x", makeArray(std::vector<float>{1}, {1}), false).range);
}

}  // namespace
}  // namespace threefold::test
