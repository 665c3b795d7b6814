#include "engine/sample/data_set.h"
#include "engine/sample/test_list.h"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/sample.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::messageOf;
using test::TempFolder;
using testing::HasSubstr;
using Path = std::filesystem::path;

const Path kBundledRoot = Path(THREEFOLD_RESOURCES) / "samples";

void makeSample(const Path& folder) {
    std::filesystem::create_directories(folder / "rendering");
    std::ofstream(folder / "rendering" / "rendering_metadata.txt") << "0 0 0 1 25\n";
    for (const char* name : {"03.png", "01.png"}) {
        const std::ofstream empty(folder / "rendering" / name);
    }
}

std::vector<DataSetSample> samplesOf(const Path& root) {
    std::vector<DataSetSample> samples;
    walkDataSet(root, {}, [&](DataSetSample sample) { samples.push_back(std::move(sample)); });
    return samples;
}

TEST(DataSet, marksSamples_whichHaveATruth) {
    const TempFolder root;
    const Path top = root / "ShapeNetRendering";
    for (const char* sample : {"02691156/a", "02691156/b_c", "04379243/a"})
        makeSample(top / sample);
    std::filesystem::create_directories(root / "gt");
    for (const char* name : {"02691156_b_c_07.dat", "04379243_a_0.dat", "04379243_a_00.txt"}) {
        std::ofstream(root / "gt" / name);
    }
    const auto samples = samplesOf(root.path());
    ASSERT_EQ(samples.size(), 3U);
    EXPECT_EQ(samples[1].category, "02691156");
    EXPECT_EQ(samples[1].id, "b_c");
    EXPECT_EQ(samples[1].folder, top / "02691156" / "b_c");
    EXPECT_FALSE(samples[0].hasTruth);
    EXPECT_TRUE(samples[1].hasTruth);
    EXPECT_FALSE(samples[2].hasTruth);

    const auto category = samplesOf(top / "02691156");
    ASSERT_EQ(category.size(), 2U);
    EXPECT_EQ(category[1].category, "02691156");
    EXPECT_TRUE(category[1].hasTruth);
}

TEST(DataSet, agreesWithFindSample_aboutEachKindOfTruth) {
    for (const char* truth :
         {"gt/02691156_a.obj", "gt/02691156_a_03.npz", "gt/02691156/a.ply",
          "gt/02691156/a/model.obj", "gt/02691156/b.obj", "gt/02691156_a.txt"}) {
        SCOPED_TRACE(truth);
        const TempFolder root;
        const Path rendering = root / "ShapeNetRendering/02691156/a/rendering";
        std::filesystem::create_directories(rendering);
        std::ofstream(rendering / "rendering_metadata.txt") << "0 0 0 1 25\n9 0 0 1 25\n";
        for (const char* image : {"00.png", "01.png"}) std::ofstream(rendering / image) << "";
        std::filesystem::create_directories((root / truth).parent_path());
        std::ofstream(root / truth) << "";
        const auto samples = samplesOf(root.path());
        ASSERT_EQ(samples.size(), 1U);
        const Path found = findSample(samples[0].folder).truthFile();
        EXPECT_EQ(samples[0].hasTruth, !found.empty());
        EXPECT_EQ(found, std::string_view(truth).find("/b.") == std::string_view::npos &&
                                 !std::string_view(truth).ends_with("txt")
                             ? root / truth
                             : Path());
    }
}

TEST(DataSet, endsEarly_whenStopped) {
    std::stop_source stop;
    int taken = 0;
    walkDataSet(kBundledRoot, stop.get_token(), [&](const DataSetSample&) {
        ++taken;
        stop.request_stop();
    });
    EXPECT_EQ(taken, 1);
}

TEST(DataSet, isDistinguished_fromASample) {
    EXPECT_TRUE(isDataSet(kBundledRoot));
    EXPECT_TRUE(isDataSet(kBundledRoot / "ShapeNetRendering" / "02691156"));
    EXPECT_FALSE(isDataSet(kBundledRoot / "ShapeNetRendering" / "02691156" / "p0001"));
    EXPECT_FALSE(isDataSet(kBundledRoot / "list.txt"));
    EXPECT_FALSE(isDataSet(kBundledRoot / "nothing"));
}

TEST(DataSet, findsTheFirstRendering_whenCountingStartsElsewhere) {
    const TempFolder root;
    makeSample(root / "a");
    EXPECT_EQ(firstImageOf(root / "a"), root / "a" / "rendering" / "01.png");
    EXPECT_TRUE(firstImageOf(root / "b").empty());
}

TEST(DataSet, namesThePublishedCategories) {
    EXPECT_EQ(categoryName("02691156"), "airplane");
    EXPECT_EQ(categoryName("04530566"), "watercraft");
    EXPECT_EQ(categoryName("12345678"), "");
}

TEST(TestList, skipsBlankLinesAndComments) {
    const TempFolder root;
    std::ofstream(root / "list.txt") << "# a remark\n a.dat \r\n\n\tb.dat";
    const std::vector<ListedName> read = readTestList(root / "list.txt");
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].name, "a.dat");
    EXPECT_EQ(read[0].line, 2U);
    EXPECT_EQ(read[1].name, "b.dat");
    EXPECT_EQ(read[1].line, 4U);
    EXPECT_THROW(readTestList(root / "none.txt"), IoError);
    EXPECT_TRUE(isTestList("list.txt"));
    EXPECT_FALSE(isTestList("a/rendering_metadata.txt"));
    EXPECT_FALSE(isTestList("a.dat"));
}

TEST(TestList, isReadInOtherEncodings) {
    using namespace std::string_view_literals;
    for (const std::string_view text : {"a.dat\rb.dat"sv, "a.dat\rb.dat\r"sv,
                                        "\xff\xfe"
                                        "a\0.\0d\0a\0t\0\r\0\n\0"
                                        "b\0.\0d\0a\0t\0"sv}) {
        const std::vector<ListedName> read = parseTestList(text, "list.txt");
        ASSERT_EQ(read.size(), 2U);
        EXPECT_EQ(read[0].name, "a.dat");
        EXPECT_EQ(read[1].name, "b.dat");
        EXPECT_EQ(read[1].line, 2U);
    }
}

TEST(TestList, namesTheLine_whenItIsTooLong) {
    EXPECT_EQ(parseTestList(std::string(4096, 'x'), "list.txt").size(), 1u);
    const std::string message = messageOf<FormatError>(
        [] { parseTestList("a\n" + std::string(10'000'000, 'x') + "\nb\n", "list.txt"); });
    EXPECT_NE(message.find("list.txt: line 2: is 10000000 bytes long"), std::string::npos);
    EXPECT_LT(message.size(), 400u);
}

TEST(TestList, namesTheLine_whenItHoldsAControlByte) {
    using namespace std::string_view_literals;
    const auto message = [](std::string_view text) {
        return messageOf<FormatError>([&] { parseTestList(text, "list.txt"); });
    };
    EXPECT_THAT(message("# \x01\n\na.dat\nb\0c.dat\n"sv),
                testing::StartsWith("list.txt: line 4: holds the control byte 0x00"));
    EXPECT_THAT(message("a\x1b[2J.dat"), HasSubstr("line 1: holds the control byte 0x1b"));
    EXPECT_THAT(message("a.dat\rb.dat\n"), HasSubstr("0x0d"));
    EXPECT_EQ(parseTestList("chair \xc3\xa4\tb.dat", "list.txt").size(), 1U);
}

}  // namespace
}  // namespace threefold
