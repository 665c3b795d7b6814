#include "engine/evaluation/run/shown_lists.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/evaluation/fake_run.h"

namespace threefold {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<ViewSilhouetteScores> overlaps(double coarse, double refined) {
    return {{0, {{"coarse", {coarse, {}}}, {"refined", {refined, {}}}}}};
}

TEST(WorstRecords, haveTheLargestChamferDistance_earlierFirstAmongEquals) {
    EvaluationRun run = test::fakeRun(6, 1, 0);
    const double chamfer[] = {1, 5, 3, 5, 2, 4};
    for (std::size_t i = 0; i < 6; ++i) {
        run.records[i].scores[0].result().measures.chamfer = chamfer[i];
    }
    run.records[5].error = "failed";
    EXPECT_THAT(worstRecords(run.records, 3), ElementsAre(1, 3, 2));
    EXPECT_EQ(worstRecords(run.records, 10).size(), 5u);
    EXPECT_TRUE(worstRecords({}, 10).empty());
}

TEST(WorstRecords, endWithRecordsWithoutTruth_leastOverlapFirst) {
    EvaluationRun run = test::fakeRun(5, 1, 0);
    const double overlap[] = {0.5, 0.25, 1, 0.75, 0};
    for (std::size_t i = 0; i < 5; ++i) {
        run.records[i].silhouettes = overlaps(1, overlap[i]);
        if (i != 2) test::takeTruthAway(run.records[i]);
    }
    run.records[4].silhouettes.clear();
    EXPECT_THAT(worstRecords(run.records), ElementsAre(2, 1, 0, 3));
}

void setF(SampleRecord& record, double coarse, double refined) {
    record.scores[0].first().measures.atTau().fScore = coarse;
    record.scores[0].result().measures.atTau().fScore = refined;
}

TEST(MostChangedRecords, haveTheLargestChange_inEitherDirection) {
    EvaluationRun run = test::fakeRun(5, 1, 0);
    setF(run.records[0], 50, 51);
    setF(run.records[1], 50, 30);
    setF(run.records[2], 50, 50);
    setF(run.records[3], 40, 55);
    run.records[4].error = "failed";
    EXPECT_THAT(mostChangedRecords(run.records, MeshChange::refinement), ElementsAre(1, 3, 0));
    EXPECT_THAT(mostChangedRecords(run.records, MeshChange::refinement, 1), ElementsAre(1));
    EXPECT_THAT(mostChangedRecords(run.records, MeshChange::fit), IsEmpty());
    Scores fitted = run.records[2].scores[0].result();
    fitted.measures.atTau().fScore = 70;
    run.records[2].scores[0].add(kFittedMesh, fitted);
    EXPECT_THAT(mostChangedRecords(run.records, MeshChange::fit), ElementsAre(2));
}

TEST(MostChangedRecords, endWithRecordsWithoutTruth_byChangeOfOverlap) {
    EvaluationRun run = test::fakeRun(3, 1, 0);
    setF(run.records[1], 50, 50.5);
    for (const std::size_t i : {0U, 2U}) {
        run.records[i].silhouettes = overlaps(1, i == 0 ? 0.5 : 0.875);
        run.records[i].silhouettes[0].meshes.first().overlap = 0.75;
        test::takeTruthAway(run.records[i]);
    }
    EXPECT_THAT(mostChangedRecords(run.records, MeshChange::refinement), ElementsAre(1, 0, 2));
}

TEST(ShownLists, leaveOutEmptyLists) {
    EXPECT_THAT(shownLists({}), IsEmpty());
    std::vector<std::string_view> keys;
    for (const ShownList& list : shownLists(test::fakeRun(9, 1, 0).records))
        keys.push_back(list.key);
    EXPECT_THAT(keys, ElementsAre("worst", "refinement"));
}

TEST(ShownRecords, includeTheRecordsShownForTheWholeRun_inEachPart) {
    const std::vector<SampleRecord> all = test::fakeRun(200, 4, 0).records;
    for (std::size_t count = 1; count <= all.size(); count += 7) {
        const std::vector<SampleRecord> part(all.begin(),
                                             all.begin() + static_cast<std::ptrdiff_t>(count));
        const std::vector<std::size_t> partly = shownRecords(part);
        for (const std::size_t record : shownRecords(all))
            if (record < count) {
                EXPECT_THAT(partly, Contains(record)) << count;
            }
    }
}

}  // namespace
}  // namespace threefold
