#include "engine/evaluation/list/evaluation_list.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

TEST(EvaluationList, readsATestList_inItsOrder) {
    const TempFolder folder;
    SmallDataSet data(folder.path(), 3);
    const EvaluationList list = readEvaluationList(data.list());
    ASSERT_EQ(list.entries.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(list.entries[i].position, i);
        EXPECT_EQ(list.entries[i].listedName, data.names()[i] + ".dat");
        EXPECT_EQ(list.entries[i].problem, "");
    }
    EXPECT_EQ(list.imageRoot, folder.path());
}

TEST(EvaluationList, refusesALine_whenRepeated) {
    const TempFolder folder;
    SmallDataSet data(folder.path(), 2);
    data.addLines({data.names()[1] + ".dat"});
    const EvaluationList list = readEvaluationList(data.list());
    ASSERT_EQ(list.entries.size(), 3U);
    EXPECT_EQ(list.entries[1].problem, "");
    EXPECT_THAT(list.entries[2].problem, HasSubstr("repeats sample 2"));
}

TEST(EvaluationList, hasAHash_ofItsNamesInOrder) {
    const TempFolder here, there;
    const SmallDataSet one(here.path(), 3);
    const SmallDataSet two(there.path(), 3);
    EXPECT_EQ(readEvaluationList(one.list()).hash, readEvaluationList(two.list()).hash);
    EXPECT_EQ(readEvaluationList(one.root()).hash, readEvaluationList(two.root()).hash);
    writeFileAtomically(two.list(), one.names()[1] + ".dat\n" + one.names()[0] + ".dat\n" +
                                        one.names()[2] + ".dat\n");
    EXPECT_NE(readEvaluationList(one.list()).hash, readEvaluationList(two.list()).hash);
}

TEST(EvaluationList, hasOneHashForASample_howeverItsPathIsSpelled) {
    const TempFolder folder;
    const SmallDataSet data(folder.path(), 2);
    const std::filesystem::path sample = data.rendering(0);
    const EvaluationList plain = readEvaluationList(sample);
    for (const std::filesystem::path& spelled :
         {sample / "", sample / ".", sample.parent_path() / "." / sample.filename(),
          std::filesystem::relative(sample)}) {
        const EvaluationList list = readEvaluationList(spelled);
        EXPECT_EQ(list.hash, plain.hash) << spelled;
        EXPECT_EQ(list.entries.front().listedName, spelled.string());
    }
    EXPECT_NE(readEvaluationList(data.rendering(1)).hash, plain.hash);
}

TEST(EvaluationList, readsADataSetOrASample) {
    const TempFolder folder;
    const SmallDataSet data(folder.path(), 4);
    const EvaluationList all = readEvaluationList(folder / "ShapeNetRendering");
    ASSERT_EQ(all.entries.size(), 4U);
    EXPECT_EQ(all.entries[0].listedName, "02691156/p0000");
    const EvaluationList one = readEvaluationList(data.rendering(2));
    ASSERT_EQ(one.entries.size(), 1U);
    EXPECT_EQ(one.entries[0].location, data.rendering(2));
}

TEST(EvaluationList, resolvesPaths_relativeToItself) {
    const TempFolder folder;
    const SmallDataSet data(folder.path(), 1);
    writeFileAtomically(folder / "paths.txt",
                        std::string_view("ShapeNetRendering/02691156/p0000\n"));
    EXPECT_EQ(readEvaluationList(folder / "paths.txt").entries[0].location,
              folder / "ShapeNetRendering/02691156/p0000");
}

TEST(EvaluationList, isRefused_whenEmpty) {
    const TempFolder folder;
    writeFileAtomically(folder / "list.txt", std::string_view("# nothing\n\n"));
    EXPECT_THROW(readEvaluationList(folder / "list.txt"), InputError);
}

TEST(Shard, covers_everyPositionOnce) {
    const TempFolder folder;
    const SmallDataSet data(folder.path(), 7);
    const EvaluationList list = readEvaluationList(data.list());
    for (std::size_t count = 1; count <= 9; ++count) {
        std::vector<bool> seen(7, false);
        for (std::size_t index = 0; index < count; ++index) {
            for (const ListEntry& entry : entriesOf(list, {index, count})) {
                EXPECT_EQ(entry.position % count, index);
                EXPECT_FALSE(seen[entry.position]);
                seen[entry.position] = true;
            }
        }
        EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 7);
    }
}

TEST(Shard, isReadFromText) {
    EXPECT_EQ(shardFromText("2/4"), (Shard{1, 4}));
    EXPECT_EQ(shardText({1, 4}), "2/4");
    for (const char* text : {"", "2", "0/4", "5/4", "a/4", "2/", "2/4x", "/4", "-1/4", "1/0"}) {
        EXPECT_THROW(shardFromText(text), UsageError) << text;
    }
}

}  // namespace
}  // namespace threefold::test
