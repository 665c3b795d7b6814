#include "engine/pipeline/worker_counts.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

bool same(const RunSizes& a, const RunSizes& b) {
    return a.batch == b.batch && a.workers == b.workers;
}

TEST(KeptSizes, areThereForTheNextRun_butForNoOther) {
    const TempFolder folder;
    const KeptSizes kept(folder / "new", "one GPU");
    EXPECT_TRUE(same(kept.load(), {}));
    kept.save({16, {3, 2}});
    EXPECT_TRUE(same(KeptSizes(folder / "new", "one GPU").load(), {16, {3, 2}}));
    EXPECT_TRUE(same(KeptSizes(folder / "new", "another GPU").load(), {}));
    // A run whose loaders were fixed says nothing of them.
    kept.save({32, {0, 4}});
    EXPECT_TRUE(same(kept.load(), {32, {3, 4}}));
    // The hash in the name may be the same, the circumstances are not.
    const KeptSizes other(folder / "new", "another GPU");
    std::filesystem::rename(kept.file(), other.file());
    EXPECT_TRUE(same(other.load(), {}));
}

TEST(KeptSizes, areForgotten_whenTheirFileIsDamaged) {
    const TempFolder folder;
    std::string logged;
    const KeptSizes kept(folder.path(), "x",
                         [&](LogLevel, std::string_view line) { logged = line; });
    for (const char* text : {"", "{", "[]", "7", R"({"for": 1})", R"({"batch": 8})"}) {
        std::ofstream(kept.file()) << text;
        EXPECT_TRUE(same(kept.load(), {})) << text;
        EXPECT_NE(logged, "") << text;
        logged.clear();
    }
    std::ofstream(kept.file()) << R"({"for": "x", "batch": -8, "loaders": 1e9, "finishers": 2})";
    EXPECT_TRUE(same(kept.load(), {0, {0, 2}}));
    kept.save({8, {1, 0}});
    EXPECT_TRUE(same(kept.load(), {8, {1, 2}}));
}

TEST(KeptSizes, areNoError_whenTheFolderIsNone) {
    const KeptSizes nowhere({}, "x");
    nowhere.save({8, {1, 1}});
    EXPECT_TRUE(same(nowhere.load(), {}));
    const KeptSizes notThere("/dev/null/folder", "x");
    notThere.save({8, {1, 1}});
    EXPECT_TRUE(same(notThere.load(), {}));
}

}  // namespace
}  // namespace threefold::test
