#include "engine/evaluation/journal/merge.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/evaluation/run/run_differences.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/fake_backend.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/support/borrowed_device.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class Merge : public testing::Test {
  protected:
    fs::path runShard(Shard shard, double tau = kTau) {
        return runInto(
            folder_ / ("out" + shardText(shard).replace(1, 1, "of") + (tau == kTau ? "" : "other")),
            shard, tau);
    }

    fs::path runInto(const fs::path& out, Shard shard = {}, double tau = kTau) {
        fs::create_directories(out);
        RunDescription description = smallRun(data_.list(), shard);
        description.identity.measures.tau = tau;
        Journal journal(out, description, ExistingRun::refuse);
        FakeBackend backend;
        NetworkOn network(backend);
        evaluateList(network, readEvaluationList(data_.list()), journal, out, {});
        return out;
    }

    /// JSON of the records, whose times are left out.
    static std::string withoutTimes(std::vector<SampleRecord> records) {
        std::string text;
        for (SampleRecord& record : records) {
            record.times = {};
            text += journalJson(record).dump() + '\n';
        }
        return text;
    }

    TempFolder folder_;
    SmallDataSet data_{folder_ / "data", 13};
};

TEST_F(Merge, namesTheFolder_whenItCannotBeMade) {
    const MergedRun merged = mergeRuns(std::vector{runShard({})});
    const fs::path out = folder_ / "out";
    fs::create_directories(out);
    writeFileAtomically(out / "thumbnails", std::string_view("in the way"));
    EXPECT_THAT(messageOf<IoError>([&] { copyShownThumbnails(merged, out); }),
                testing::StartsWith((out / "thumbnails").string() + ": cannot be made: "));
}

TEST_F(Merge, replacesAThumbnailOfNoRun_onlyWhenAsked) {
    const MergedRun merged = mergeRuns(std::vector{runShard({})});
    const fs::path out = folder_ / "out";
    const std::size_t worst = worstRecords(merged.run.records).front();
    const fs::path thumbnail = out / "thumbnails" / (merged.run.records[worst].name + ".png");
    fs::create_directories(thumbnail.parent_path());
    writeFileAtomically(thumbnail, std::string_view("mine"));
    EXPECT_THAT(
        messageOf<InputError>([&] { writeJournal(out, merged.run, ExistingRun::refuse); }),
        HasSubstr(thumbnail.string() + ": already exists and belongs to no run in this folder"));
    EXPECT_FALSE(fs::exists(out / "journal.jsonl"));
    EXPECT_NO_THROW(writeJournal(out, merged.run, ExistingRun::overwrite));
}

TEST_F(Merge, equalsOneRun_forAnyNumberOfShards) {
    fs::remove(data_.truth(4));
    data_.addLines({data_.names()[3] + ".dat", "02691156_gone_00.dat"});
    // The list names this sample twice: the second line is refused although the lines differ.
    data_.addLines({data_.rendering(5).string()});
    const fs::path whole = runShard({});
    const MergedRun one = mergeRuns(std::vector{whole});
    ASSERT_EQ(one.run.records.size(), 16U);
    EXPECT_EQ(std::count_if(one.run.records.begin(), one.run.records.end(),
                            [](const SampleRecord& record) { return record.succeeded(); }),
              13);
    for (std::size_t count = 2; count <= 5; ++count) {
        std::vector<fs::path> folders;
        for (std::size_t index = 0; index < count; ++index) {
            folders.push_back(runShard({index, count}));
        }
        // The order of the folders must not matter.
        std::rotate(folders.begin(), folders.begin() + 1, folders.end());
        const MergedRun merged = mergeRuns(folders);
        EXPECT_EQ(withoutTimes(merged.run.records), withoutTimes(one.run.records)) << count;
        EXPECT_EQ(merged.run.description.shard, Shard{});
        EXPECT_TRUE(merged.missingPositions.empty());

        const fs::path out = folder_ / ("merged" + std::to_string(count));
        fs::create_directories(out);
        copyShownThumbnails(merged, out);
        const auto pictures = contentsOf(out);
        EXPECT_EQ(pictures.size(), shownRecords(merged.run.records).size());
        const auto all = contentsOf(whole);
        for (const auto& picture : pictures) EXPECT_THAT(all, Contains(picture));
    }
}

TEST_F(Merge, mayBeMergedAgain) {
    const std::vector<fs::path> folders = {runShard({0, 3}), runShard({1, 3})};
    const fs::path out = folder_ / "merged";
    fs::create_directories(out);
    const MergedRun part = mergeRuns(folders);
    writeJournal(out, part.run);
    EXPECT_THAT(part.missingPositions, ElementsAre(2, 5, 8, 11));
    const MergedRun all = mergeRuns(std::vector{out, runShard({2, 3})});
    EXPECT_TRUE(all.missingPositions.empty());
    EXPECT_EQ(withoutTimes(all.run.records),
              withoutTimes(mergeRuns(std::vector{runShard({})}).run.records));
}

TEST_F(Merge, changesNothing_whenAFolderIsNamedTwice) {
    const std::vector<fs::path> folders = {runShard({0, 2}), runShard({1, 2})};
    const EvaluationRun once = mergeRuns(folders).run;
    const MergedRun twice = mergeRuns(std::vector{folders[0], folders[1], folders[0], folders[1]});
    EXPECT_EQ(withoutTimes(twice.run.records), withoutTimes(once.records));
    EXPECT_GT(once.description.seconds, 0);
    EXPECT_EQ(twice.run.description.seconds, once.description.seconds);
    EXPECT_EQ(twice.run.description.machines.size(), once.description.machines.size());
}

TEST_F(Merge, countsDamagedLinesOnce_whenAFolderIsNamedTwice) {
    const fs::path folder = runShard({});
    std::string text(asText(readFile(folder / kJournalName)));
    text[text.rfind("02691156")] = '7';
    writeFileAtomically(folder / kJournalName, text);
    EXPECT_EQ(mergeRuns(std::vector{folder}).damagedLines, 1U);
    EXPECT_EQ(mergeRuns(std::vector{folder, folder / "."}).damagedLines, 1U);
}

TEST_F(Merge, prefersARecordWithScores_toOneWithoutATruth) {
    const fs::path scored = runInto(folder_ / "scored");
    fs::remove(data_.truth(4));
    const fs::path bare = runInto(folder_ / "bare");
    for (const auto& folders : {std::vector{scored, bare}, std::vector{bare, scored}}) {
        const EvaluationRun merged = mergeRuns(folders).run;
        EXPECT_EQ(merged.records.at(4).scores.size(), 1U);
        // If the bare run comes first, all its records count except the one that the other run
        // scored.
        const auto secondsPerRecord = [](const fs::path& folder) {
            const JournalContents journal = readJournal(folder);
            return journal.description.seconds / static_cast<double>(journal.records.size());
        };
        const auto count = static_cast<double>(merged.records.size());
        const double first = secondsPerRecord(folders[0]), second = secondsPerRecord(folders[1]);
        EXPECT_NEAR(merged.description.seconds,
                    folders[0] == bare ? (count - 1) * first + second : count * first, 1e-9);
    }
    EXPECT_TRUE(mergeRuns(std::vector{bare}).run.records.at(4).withoutTruth());
}

TEST_F(Merge, dropsMeasuresAndFit_ofTheLaterSampleOfOneName) {
    const fs::path out = folder_ / "repeated";
    fs::create_directories(out);
    {
        Journal journal(out, smallRun(data_.list(), {}), ExistingRun::refuse);
        std::vector<SampleRecord> records = mergeRuns(std::vector{runShard({})}).run.records;
        records.resize(2);
        for (SampleRecord& record : records) {
            record.name = "one";
            record.fitNote = "view 3: empty mask";
            record.fit = FitRecord{FitSource::hull};
        }
        journal.append(records, 1);
    }
    const std::vector<SampleRecord> merged = mergeRuns(std::vector{out}).run.records;
    EXPECT_TRUE(merged.at(0).succeeded());
    EXPECT_TRUE(merged.at(0).fit && merged.at(0).fitNote);
    EXPECT_FALSE(merged.at(1).succeeded());
    EXPECT_FALSE(merged.at(1).fit || merged.at(1).fitNote);
    EXPECT_THAT(merged.at(1).scores, testing::IsEmpty());
}

TEST_F(Merge, refusesShardsOfDifferentRuns_namingTheDifference) {
    const std::vector<fs::path> folders = {runShard({0, 2}), runShard({1, 2}, 3e-4)};
    EXPECT_THAT(messageOf<InputError>([&] { mergeRuns(folders); }),
                HasSubstr("τ: 0.0001 there, 0.0003 here"));
    EXPECT_THROW(mergeRuns(std::vector{folder_ / "nowhere"}), IoError);
    EXPECT_THROW(mergeRuns({}), UsageError);
}

TEST_F(Merge, refusesRuns_whenASamplesTruthsDiffer_namingBoth) {
    const fs::path one = runInto(folder_ / "one");
    const fs::path same = runInto(folder_ / "same");
    EXPECT_NO_THROW(mergeRuns(std::vector{one, same}));
    fs::copy_file(data_.truth(7), data_.truth(4), fs::copy_options::overwrite_existing);
    const fs::path other = runInto(folder_ / "other");
    EXPECT_THAT(messageOf<InputError>([&] {
                    mergeRuns(std::vector{one, other});
                }),
                testing::AllOf(HasSubstr("sample 5"), HasSubstr(other.string()),
                               HasSubstr("measured against another truth than in " + one.string()),
                               HasSubstr(data_.truth(4).string() + " (SHA-256 ")));
}

TEST_F(Merge, mergesRecordsWithoutATruthsHash) {
    const fs::path one = runInto(folder_ / "one");
    EvaluationRun earlier = mergeRuns(std::vector{one}).run;
    for (SampleRecord& record : earlier.records) {
        EXPECT_TRUE(record.truthHash);
        record.truthHash.reset();
    }
    fs::create_directories(folder_ / "earlier");
    writeJournal(folder_ / "earlier", earlier);
    EXPECT_EQ(mergeRuns(std::vector{folder_ / "earlier", one}).run.records.size(), 13U);
}

TEST_F(Merge, namesTheFoldersOfTruths_whenTheyDiffer) {
    std::vector<fs::path> parts;
    for (const char* truths : {"/gt", "/gt", "/other", ""}) {
        parts.push_back(folder_ / std::to_string(parts.size()));
        fs::create_directories(parts.back());
        RunDescription description = smallRun(data_.list(), {parts.size() - 1, 4});
        description.folders = RunFolders{"", truths};
        const Journal journal(parts.back(), description, ExistingRun::refuse);
    }
    EXPECT_THAT(mergeRuns(std::span(parts).first(2)).truthFolders, ElementsAre("/gt"));
    EXPECT_THAT(mergeRuns(parts).truthFolders, ElementsAre("/gt", "/other"));
}

TEST_F(Merge, refusesShards_whenTheSpaceOfTheTruthDiffers) {
    const RunDescription byFormat = smallRun(data_.list(), {});
    RunDescription inWorld = byFormat;
    inWorld.identity.measures.truthSpace = TruthSpaceChoice::world;
    inWorld.identity.measures.protocols = {Protocol::surface};
    EXPECT_EQ(differencesText(differencesToMerge(byFormat, inWorld)),
              "protocol: published there, surface here; space of the truth: not given there, "
              "world here");
}

TEST_F(Merge, refusesShards_whenMeasuredOnDifferentDevices) {
    const RunDescription onProcessor = smallRun(data_.list(), {});
    RunDescription onDevice = onProcessor;
    onDevice.measuringDevice = MeasuringDevice::gpu;
    EXPECT_EQ(differencesText(differencesToMerge(onProcessor, onDevice)),
              "measured on: cpu there, gpu here");
    EXPECT_THAT(differencesToResume(onProcessor, onDevice), testing::IsEmpty());
}

}  // namespace
}  // namespace threefold::test
