#include "engine/evaluation/report/record_web_result.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/evaluation/run/evaluation_run.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

constexpr std::string_view kTriangle = "v 0 0 -1\nv 1 0 -1\nv 0 1 -1\nf 1 2 3\n";

TEST(WrittenMeshes, areNamedAsTheRecordNamesThem_whenTheModelHasOneStage) {
    const test::TempFolder folder;
    const EvaluationRun run = test::fakeRun(1, 1, 0);
    SampleRecord record = run.records.front();
    record.meshes.reset();
    record.silhouettes = {{0, {{"coarse", SilhouetteScore{0.5, {}}}}}};
    for (SampleScores& scores : record.scores) scores = {{{"coarse", scores.first()}}};
    writeFileAtomically(folder / (record.name + "_predict.obj"), kTriangle);
    const auto only = [&] {
        const std::vector<SampleMesh> meshes = writtenMeshes(folder.path(), run, record);
        return meshes.size() == 1 ? meshes.front() : SampleMesh{};
    };
    EXPECT_EQ(only().name, "coarse");
    ASSERT_TRUE(only().silhouettes);
    EXPECT_EQ(only().silhouettes->overlap, 0.5);
    record.scores.clear();
    EXPECT_EQ(only().name, "coarse");
    record.silhouettes.clear();
    EXPECT_EQ(only().name, "refined");
}

/// Caption of the fitted mesh on the page of a sample whose photographs are no longer there.
std::string captionAfter(const FitRecord& fit) {
    const EvaluationRun run = test::fakeRun(1, 1, 0);
    SampleRecord record = run.records.front();
    record.fit = fit;
    const Mesh triangle{{{0, 0, -1}, {1, 0, -1}, {0, 1, -1}}, {{0, 1, 2}}};
    const auto page = webResultOfRecord(run, record, {{"fitted", triangle}}, {});
    return page ? page->meshes.front().caption : "no page";
}

TEST(WebResultOfRecord, countsTheFitsPhotographs_withoutThoseLeftOut) {
    EXPECT_EQ(captionAfter({.usedViews = std::vector{0, 3, 9}}), "fitted to 3 photographs");
}

TEST(WebResultOfRecord, saysNothingOfTheFitsPhotographs_whenTheFitWasDiscarded) {
    EXPECT_EQ(captionAfter({.usedViews = std::vector{0, 3, 9}, .isDiscarded = true}), "");
}

}  // namespace
}  // namespace threefold
