#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/configuration/setting.h"
#include "app/console/help_formatter.h"
#include "app/console/output.h"
#include "app/describe/describers.h"
#include "app/options/output_folder.h"
#include "app/options/sample_arguments.h"
#include "app/reconstruct/sample_remarks.h"
#include "app/reconstruct/sample_result.h"
#include "app/reconstruct/step_outcomes.h"
#include "engine/error.h"
#include "engine/text.h"
#include "engine/text_table.h"
#include "tests/app/bundled.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;

TEST(TextTable, alignsColumns_whenTextIsNotAscii) {
    TextTable table("lrl");
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

TEST(SampleRemarks, haveOneOfAKind_andNoEmptyOne) {
    Remarks remarks;
    setRemark(remarks, RemarkKind::texture, "a_predict: no texture");
    setRemark(remarks, RemarkKind::texture, "a_fitted: no texture");
    setRemark(remarks, RemarkKind::hull, "");
    EXPECT_THAT(remarks,
                ElementsAre(std::pair{RemarkKind::texture, std::string("a_fitted: no texture")}));
    EXPECT_EQ(remarkKey(RemarkKind::measures), "warning");
}

TEST(SampleResult, hasTheOutcomesOfAllStepsBeforeAFailure) {
    SampleSteps steps;
    steps.found = {.value = FoundSample{"mug", "photos", {0, 3}}, .notes = {"chosen"}};
    setRemark(steps.found.remarks, RemarkKind::missingImages, "2 files");
    setRemark(steps.measured.remarks, RemarkKind::masks, "no mask");
    steps.written.notes = {"evened out"};
    const SampleResult result = resultOf("photos", steps, "the disk is full");
    EXPECT_FALSE(result.succeeded());
    EXPECT_EQ(result.given, "photos");
    EXPECT_EQ(result.found.name, "mug");
    EXPECT_THAT(result.found.views, ElementsAre(0, 3));
    EXPECT_FALSE(result.fit || result.hull);
    EXPECT_THAT(result.notes, ElementsAre("chosen", "evened out"));
    EXPECT_THAT(result.remarks,
                ElementsAre(std::pair{RemarkKind::missingImages, std::string("2 files")},
                            std::pair{RemarkKind::masks, std::string("no mask")}));
}

TEST(SampleRemarks, namesTheViews_whenMasksAreMissing) {
    ViewSilhouetteScores masked{.view = 3, .meshes = {}};
    masked.meshes.add("refined", {});
    const std::vector<ViewSilhouetteScores> views = {{.view = 0, .meshes = {}}, masked};
    EXPECT_THAT(maskRemark("mug", views), testing::StartsWith("mug: view 0: no mask"));
    EXPECT_EQ(maskRemark("mug", std::span(views).subspan(1)), "");
}

TEST(SampleRemarks, namesTheWorstViewsFirst_whenAFittedMeshDisagrees) {
    FitResult fit;
    EXPECT_EQ(overlapRemark("mug", fit), "");
    for (const auto& [view, overlap] : {std::pair{4, 0.9}, {7, 0.5}}) {
        FitAgreement agreement{.view = view, .before = {}, .after = {}};
        agreement.after.overlap = overlap;
        fit.agreements.push_back(agreement);
    }
    EXPECT_TRUE(fit.hasLowOverlap());
    EXPECT_THAT(overlapRemark("mug", fit), testing::HasSubstr("view 7 (0.50), view 4 (0.90)"));
    fit.agreements[1].after.overlap = 0.8;
    EXPECT_EQ(overlapRemark("mug", fit), "");
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
        return testing::AllOf(testing::Field(&SampleArgument::location, name),
                              testing::Field(&SampleArgument::listLocation, place));
    };
    EXPECT_THAT(
        expandSamples({"a", list, "e/rendering_metadata.txt"}),
        ElementsAre(named("a", ""), named("b.dat", list + ", line 1"),
                    named("d.dat", list + ", line 3"), named("e/rendering_metadata.txt", "")));
    EXPECT_THROW(expandSamples({(folder / "none.txt").string()}), IoError);
}

TEST(AcceptsList, takesDistinctValues_asManyAsTheSettingAllows) {
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
    EXPECT_EQ(described.range->min, -3);
    EXPECT_EQ(described.range->max, 1);
    EXPECT_EQ(described.range->mean, -1);
    EXPECT_EQ(described.range->notFinite, 2U);
}

TEST(DescribeArray, hasNoMinimumAndNoMean_whenNoValueIsFinite) {
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
