#include "engine/evaluation/describe_run.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/engine/evaluation/fake_backend.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/support/borrowed_device.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

class DescribeRun : public testing::Test {
  protected:
    TempFolder folder_;
    SmallDataSet data_{folder_ / "data", 3};
    EvaluationList list_ = readEvaluationList(data_.list());
    FakeBackend backend_;
    NetworkOn network_{backend_};
};

TEST_F(DescribeRun, isTheSame_forChoicesTakenFromAnotherRun) {
    RunChoices choices;
    choices.measures.views = {0, 2};
    choices.measures.protocols = {Protocol::surface, Protocol::published};
    choices.measures.tau = 2e-4;
    choices.measures.earthMovers = true;
    choices.measures.truthSpace = TruthSpaceChoice::world;
    choices.shard = {1, 3};
    choices.warmUpRuns = 0;
    const RunDescription description = describeRun(list_, choices, network_.info(), {});
    EXPECT_EQ(description.identity.listSize, 3U);
    EXPECT_FALSE(description.identity.version.empty());
    EXPECT_EQ(description.warmUpRuns, 0);
    const RunDescription again = describeRun(list_, choicesOf(description), network_.info(), {});
    EXPECT_EQ(again.identity, description.identity);
    EXPECT_EQ(again.shard, description.shard);
    EXPECT_EQ(again.warmUpRuns, description.warmUpRuns);
}

TEST_F(DescribeRun, namesTheDevice_andWarmsItUpAsItNeeds) {
    NetworkInfo network = network_.info();
    const RunDescription processor = describeRun(list_, {}, network, {});
    EXPECT_EQ(processor.identity.backend, "cpu");
    constexpr BackendKind kOther{"other", true, kAllPrecisions};
    network.kind = &kOther;
    const RunDescription gpu = describeRun(list_, {}, network, {});
    EXPECT_EQ(gpu.identity.backend, "other");
    EXPECT_GT(gpu.warmUpRuns, processor.warmUpRuns);
}

TEST_F(DescribeRun, namesAFolderAlike_howeverItIsGiven) {
    namespace fs = std::filesystem;
    const fs::path root = fs::canonical(data_.root());
    const RunFolders folders = runFolders(list_, {}, {});
    EXPECT_EQ(folders.images, (root / "ShapeNetRendering").string());
    EXPECT_EQ(folders.truths, (root / "gt").string());
    const fs::path link = folder_ / "link";
    fs::create_directory_symlink(root, link);
    EXPECT_EQ(runFolders(list_, link, link / "gt/"), folders);
    EXPECT_EQ(runFolders(list_, root / "ShapeNetRendering/.", root), folders);
    fs::create_directories(folder_ / "other");
    EXPECT_NE(runFolders(list_, {}, folder_ / "other").truths, folders.truths);
}

}  // namespace
}  // namespace threefold::test
