#include "engine/evaluation/journal/journal.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/journal/any_record.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// Returns the record as JSON text, to compare records: the text differs wherever a double differs.
std::string textOf(const SampleRecord& record) {
    return journalJson(record).dump();
}

std::string bytesOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Journal, restoresRecords_toTheBit) {
    const TempFolder folder;
    AnyDouble any;
    std::vector<SampleRecord> records;
    for (std::size_t i = 0; i < 200; ++i) records.push_back(anyRecord(i, any));
    Journal(folder.path(), someRun(), ExistingRun::refuse).append(records, 2.5);
    const JournalContents read = readJournal(folder.path());
    ASSERT_EQ(read.records.size(), records.size());
    EXPECT_EQ(read.description.identity, someRun().identity);
    EXPECT_EQ(read.description.seconds, 2.5);
    EXPECT_EQ(read.damagedLines, 0U);
    for (const SampleRecord& record : records) {
        const SampleRecord& back = read.records.at(record.position);
        EXPECT_EQ(textOf(back), textOf(record));
        EXPECT_EQ(back.scores[0].result().measures.chamfer,
                  record.scores[0].result().measures.chamfer);
        EXPECT_EQ(back.scores[0].first().earthMovers->lowerBound,
                  record.scores[0].first().earthMovers->lowerBound);
        ASSERT_EQ(back.silhouettes.size(), 2U);
        EXPECT_EQ(back.silhouettes[0].view, 7);
        EXPECT_EQ(back.silhouettes[0].meshes.find("coarse")->outlineDistance->hausdorff,
                  record.silhouettes[0].meshes.find("coarse")->outlineDistance->hausdorff);
        EXPECT_EQ(back.silhouettes[0].meshes.find("refined")->overlap,
                  record.silhouettes[0].meshes.find("refined")->overlap);
        EXPECT_FALSE(back.silhouettes[0].meshes.find("refined")->outlineDistance ||
                     back.silhouettes[1].meshes.find("coarse"));
        EXPECT_EQ(back.times.steps[0].milliseconds, record.times.steps[0].milliseconds);
        EXPECT_EQ(back.meshes, record.meshes);
        EXPECT_EQ(back.truthHash, record.truthHash);
        ASSERT_EQ(back.distances.empty(), record.position % 2 == 1);
        if (back.distances.empty()) continue;
        EXPECT_EQ(back.distances.entries().size(), 2U);
        EXPECT_EQ(back.distances.find("refined")->mean, record.distances.find("refined")->mean);
        EXPECT_EQ(back.distances.fitted()->max, record.distances.fitted()->max);
    }
}

TEST(Journal, keepsWholeRecords_whenCutAnywhere) {
    const TempFolder folder;
    AnyDouble any;
    const std::vector<SampleRecord> records = {anyRecord(0, any), anyRecord(1, any)};
    Journal(folder.path(), someRun(), ExistingRun::refuse).append(records, 1);
    const std::string whole = bytesOf(folder / kJournalName);
    for (std::size_t size = 0; size < whole.size(); size += 199) {
        SCOPED_TRACE(size);
        writeFileAtomically(folder / kJournalName, whole.substr(0, size));
        Journal journal(folder.path(), someRun(), ExistingRun::resume);
        const std::size_t kept = journal.contents().records.size();
        const auto lines = std::count(whole.begin(), whole.begin() + static_cast<long>(size), '\n');
        EXPECT_EQ(kept, lines < 3 ? 0U : static_cast<std::size_t>(lines) - 2U);
        journal.append({&records[1], 1}, 1);
        EXPECT_EQ(textOf(journal.contents().records.at(1)), textOf(records[1]));
    }
}

TEST(Journal, isReadable_afterBeingCutAndAppendedTo) {
    const TempFolder folder;
    AnyDouble any;
    const std::vector<SampleRecord> records = {anyRecord(0, any), anyRecord(1, any)};
    Journal(folder.path(), someRun(), ExistingRun::refuse).append(records, 1);
    const std::string whole = bytesOf(folder / kJournalName);
    writeFileAtomically(folder / kJournalName, whole.substr(0, whole.size() - 3));
    {
        Journal journal(folder.path(), someRun(), ExistingRun::resume);
        EXPECT_EQ(journal.contents().damagedLines, 1U);
        journal.append({&records[1], 1}, 4);
    }
    const JournalContents read = readJournal(folder.path());
    EXPECT_EQ(read.damagedLines, 0U);
    EXPECT_EQ(read.records.size(), 2U);
    EXPECT_EQ(read.description.seconds, 5);
}

TEST(Journal, leavesOutALine_whenItsChecksumIsWrong) {
    const TempFolder folder;
    AnyDouble any;
    const std::vector<SampleRecord> records = {anyRecord(0, any), anyRecord(1, any)};
    Journal(folder.path(), someRun(), ExistingRun::refuse).append(records, 1);
    std::string text = bytesOf(folder / kJournalName);
    text[text.find("02691156_p0") + 3] = '7';
    writeFileAtomically(folder / kJournalName, text);
    const JournalContents read = readJournal(folder.path());
    EXPECT_EQ(read.damagedLines, 1U);
    ASSERT_EQ(read.records.size(), 1U);
    EXPECT_EQ(read.records.begin()->first, 1U);
}

TEST(Journal, usesTheLatestRecord_ofASample) {
    const TempFolder folder;
    AnyDouble any;
    SampleRecord failed;
    failed.position = 3;
    failed.error = "no such file";
    const SampleRecord done = anyRecord(3, any);
    {
        Journal journal(folder.path(), someRun(), ExistingRun::refuse);
        journal.append({&failed, 1}, 1);
        journal.append({&done, 1}, 2);
    }
    const JournalContents read = readJournal(folder.path());
    ASSERT_EQ(read.records.size(), 1U);
    EXPECT_TRUE(read.records.at(3).succeeded());
}

TEST(Journal, addsUpSessions) {
    const TempFolder folder;
    AnyDouble any;
    RunDescription description = someRun();
    const SampleRecord first = anyRecord(0, any);
    const SampleRecord second = anyRecord(1, any);
    Journal(folder.path(), description, ExistingRun::refuse).append({&first, 1}, 3);
    description.startedAt = "2026-01-03T00:00:00Z";
    description.machines[0].processor = "another";
    Journal(folder.path(), description, ExistingRun::resume).append({&second, 1}, 4);
    const RunDescription read = readJournal(folder.path()).description;
    EXPECT_EQ(read.seconds, 7);
    EXPECT_EQ(read.startedAt, someRun().startedAt);
    EXPECT_EQ(read.machines.size(), 2U);
}

TEST(Journal, refusesASecondWriter) {
    const TempFolder folder;
    const Journal journal(folder.path(), someRun(), ExistingRun::refuse);
    for (const ExistingRun start :
         {ExistingRun::refuse, ExistingRun::resume, ExistingRun::overwrite}) {
        EXPECT_THAT(messageOf<InputError>([&] { Journal(folder.path(), someRun(), start); }),
                    HasSubstr("another run is writing"));
    }
    EXPECT_THROW(readJournal(folder.path()), InputError);
}

TEST(Journal, refusesAFolderWithARun_unlessToldToResumeOrReplace) {
    const TempFolder folder;
    AnyDouble any;
    const SampleRecord record = anyRecord(0, any);
    Journal(folder.path(), someRun(), ExistingRun::refuse).append({&record, 1}, 1);
    const std::string before = bytesOf(folder / kJournalName);
    EXPECT_THAT(
        messageOf<InputError>([&] { Journal(folder.path(), someRun(), ExistingRun::refuse); }),
        AllOf(HasSubstr("`resume`"), HasSubstr("`overwrite`")));
    EXPECT_EQ(bytesOf(folder / kJournalName), before);
    writeFileAtomically(folder / (record.name + "_predict.obj"), std::string_view("mesh"));
    writeFileAtomically(folder / "mine.obj", std::string_view("mesh"));
    EXPECT_TRUE(
        Journal(folder.path(), someRun(), ExistingRun::overwrite).contents().records.empty());
    EXPECT_FALSE(fs::exists(folder / (record.name + "_predict.obj")));
    EXPECT_TRUE(fs::exists(folder / "mine.obj"));
}

TEST(Journal, beginsAnew_whenNoSampleOfTheRunIsDone) {
    AnyDouble any;
    SampleRecord failed;
    failed.position = 0;
    failed.listedName = "02691156_mistyped";
    failed.error = "no such file";
    RunDescription corrected = someRun();
    corrected.identity.listHash = "def";
    const SampleRecord done = anyRecord(0, any);
    for (const ExistingRun start : {ExistingRun::refuse, ExistingRun::resume}) {
        const TempFolder folder;
        Journal(folder.path(), someRun(), ExistingRun::refuse).append({&failed, 1}, 1);
        writeFileAtomically(folder / kReportHtmlName, std::string_view("of the failures"));
        writeFileAtomically(folder / "mine.obj", std::string_view("mesh"));
        Journal(folder.path(), corrected, start).append({&done, 1}, 2);
        const JournalContents read = readJournal(folder.path());
        EXPECT_EQ(read.description.identity, corrected.identity);
        EXPECT_EQ(read.description.seconds, 2);
        EXPECT_EQ(read.records.size(), 1U);
        EXPECT_FALSE(fs::exists(folder / kReportHtmlName));
        EXPECT_TRUE(fs::exists(folder / "mine.obj"));
        EXPECT_THROW(Journal(folder.path(), someRun(), start), InputError);
    }
}

TEST(Journal, namesTheDifference_whenAnotherRunIsResumed) {
    const TempFolder folder;
    AnyDouble any;
    const SampleRecord record = anyRecord(0, any);
    Journal(folder.path(), someRun(), ExistingRun::refuse).append({&record, 1}, 1);
    const std::string before = bytesOf(folder / kJournalName);
    RunDescription other = someRun();
    RunIdentity& identity = other.identity;
    identity = {.version = "2",
                .listHash = "def",
                .listSize = 10,
                .modelHash = "model two",
                .sampler = "nearest-first",
                .backend = "cuda",
                .precision = "fp16",
                .measures = {{0, 1, 2}, {Protocol::surface}, 2e-4, true, TruthSpaceChoice::world}};
    other.shard = {1, 3};
    const std::string message =
        messageOf<InputError>([&] { Journal(folder.path(), other, ExistingRun::resume); });
    for (const char* field :
         {"version: 1 there, 2 here", "list: 9 there, 10 here", "abc there, def here",
          "model one there, model two here", "sampler", "backend", "precision",
          "views: 0,6,7 there, 0,1,2 here", "protocol: published there, surface here",
          "τ: 0.0001 there, 0.0002 here", "earth mover's distance: no there, yes here",
          "space of the truth: not given there, world here", "shard: 1/1 there, 2/3 here"}) {
        EXPECT_THAT(message, HasSubstr(field));
    }
    EXPECT_EQ(bytesOf(folder / kJournalName), before);
}

TEST(Journal, namesBothFolders_whenAResumedRunReadsOthers) {
    const TempFolder folder;
    AnyDouble any;
    const SampleRecord measured = anyRecord(0, any);
    SampleRecord bare = anyRecord(1, any);
    bare.truth.clear();
    bare.scores.clear();
    bare.distances = {};
    RunDescription run = someRun();
    run.folders = RunFolders{"/data/images", "/data/gt"};
    Journal(folder.path(), run, ExistingRun::refuse).append({&bare, 1}, 1);
    run.folders->truths = "/data/other";
    // The first record has no truth, so the folder of truths may still change.
    Journal(folder.path(), run, ExistingRun::resume).append({&measured, 1}, 1);
    EXPECT_EQ(readJournal(folder.path()).description.folders, run.folders);

    RunDescription other = run;
    other.folders->truths = "/data/gt";
    EXPECT_THAT(messageOf<InputError>([&] { Journal(folder.path(), other, ExistingRun::resume); }),
                HasSubstr("folder of the truths: /data/other there, /data/gt here"));
    other = run;
    other.folders->images = "/elsewhere";
    EXPECT_THAT(messageOf<InputError>([&] { Journal(folder.path(), other, ExistingRun::resume); }),
                HasSubstr("folder of the images: /data/images there, /elsewhere here"));
    EXPECT_NO_THROW(Journal(folder.path(), run, ExistingRun::resume));
    other.folders.reset();
    EXPECT_NO_THROW(Journal(folder.path(), other, ExistingRun::resume));
}

TEST(WriteJournal, succeedsOnce_whenTwoWriteToANewFolder) {
    AnyDouble any;
    const EvaluationRun run{someRun(), {anyRecord(0, any)}};
    for (int round = 0; round < 20; ++round) {
        const TempFolder folder;
        std::atomic<int> written = 0;
        std::barrier start(2);
        const auto write = [&] {
            start.arrive_and_wait();
            try {
                writeJournal(folder.path(), run);
                ++written;
            } catch (const InputError&) {  // the other thread is writing or has written
            }
        };
        {
            const std::jthread one(write);
            const std::jthread other(write);
        }
        ASSERT_EQ(written, 1) << round;
        EXPECT_EQ(readJournal(folder.path()).records.size(), 1U);
    }
}

TEST(Journal, refusesLinks_whoseTargetsItWouldChange) {
    const TempFolder folder;
    const fs::path out = folder / "out";
    const fs::path foreign = folder / "notes.txt";
    fs::create_directories(out);
    const auto expectRefused = [&](const char* problem) {
        for (const ExistingRun start :
             {ExistingRun::refuse, ExistingRun::resume, ExistingRun::overwrite})
            EXPECT_THAT(messageOf<InputError>([&] { Journal(out, someRun(), start); }),
                        AllOf(HasSubstr(problem), HasSubstr("`output`")));
    };
    fs::create_symlink(foreign, out / kJournalName);
    expectRefused("is a symbolic link");
    EXPECT_THROW(writeJournal(out, {someRun(), {}}, ExistingRun::overwrite), InputError);
    EXPECT_FALSE(fs::exists(foreign)) << "a link to nothing makes no file";
    writeFileAtomically(foreign, std::string_view("notes"));
    expectRefused("is a symbolic link");
    fs::remove(out / kJournalName);
    fs::create_hard_link(foreign, out / kJournalName);
    expectRefused("has 2 names");
    fs::remove(out / kJournalName);
    EXPECT_EQ(bytesOf(foreign), "notes");

    fs::create_directories(folder / "pictures");
    fs::create_directory_symlink(folder / "pictures", out / kThumbnailFolder);
    expectRefused("is a symbolic link");
    fs::remove(out / kThumbnailFolder);
    EXPECT_NO_THROW(Journal(out, someRun(), ExistingRun::refuse));
}

TEST(Journal, keepsAForeignReport_whenTheJournalIsEmpty) {
    const TempFolder folder;
    writeFileAtomically(folder / kJournalName, std::string_view());
    writeFileAtomically(folder / kReportHtmlName, std::string_view("mine"));
    for (const ExistingRun start : {ExistingRun::refuse, ExistingRun::resume})
        EXPECT_THROW(Journal(folder.path(), someRun(), start), InputError);
    EXPECT_EQ(bytesOf(folder / kReportHtmlName), "mine");
}

TEST(Journal, keepsAFile_whenItIsNoJournal) {
    const TempFolder folder;
    for (const std::string text : {"my notes", "my notes\nof two lines\n", "{\"a\": 1}\n"}) {
        writeFileAtomically(folder / kJournalName, text);
        for (const ExistingRun start : {ExistingRun::refuse, ExistingRun::resume}) {
            EXPECT_THROW(Journal(folder.path(), someRun(), start), FormatError);
        }
        EXPECT_THROW(readJournal(folder.path()), FormatError);
        EXPECT_EQ(bytesOf(folder / kJournalName), text);
    }
}

}  // namespace
}  // namespace threefold::test
