#include "engine/evaluation/journal/journal.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/journal/journal_text.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/formats/files/write_file.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// Generates finite doubles of random bits. A journal must restore each of these doubles exactly.
class AnyDouble {
  public:
    double operator()() {
        for (;;) {
            const std::uint64_t bits = random_();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            if (std::isfinite(value)) return value;
        }
    }

  private:
    std::mt19937_64 random_{7};
};

Scores anyScores(AnyDouble& any) {
    Scores scores;
    scores.protocol = Protocol::surface;
    scores.predictionPoints = 2466;
    scores.truthPoints = 6500;
    scores.measures.chamfer = any();
    for (FScore& score : scores.measures.fScores) score = {any(), any(), any(), any()};
    scores.hausdorff = any();
    scores.hausdorffToTruth = any();
    scores.hausdorffFromTruth = any();
    scores.normalConsistency = any();
    scores.earthMovers = EarthMoversDistance{any(), any(), true};
    return scores;
}

SampleRecord anyRecord(std::size_t position, AnyDouble& any) {
    SampleRecord record;
    record.position = position;
    record.listedName = "a \"line\"\n with all sorts: τ";
    record.name = "02691156_p" + std::to_string(position);
    record.category = "02691156";
    record.truth = "/gt/x.dat";
    SampleScores& scores = record.scores.emplace_back();
    for (const std::string_view mesh : kPublishedStageNames) scores.add(mesh, anyScores(any));
    ViewSilhouetteScores& seen = record.silhouettes.emplace_back();
    seen.view = 7;
    seen.meshes.add("coarse", {any(), OutlineDistance{any(), any()}});
    seen.meshes.add("refined", {any(), {}});
    record.silhouettes.push_back({2});
    // Odd records have no surface distances, as if their truth were a point cloud.
    if (position % 2 == 0)
        for (const std::string_view mesh : {kPublishedStageNames.back(), kFittedMesh})
            record.distances.add(mesh, {any(), any(), any(), any()});
    record.times = {any(), any(), any(), any(), any(), {{RunStep::cnn1, any()}}};
    // Odd records have no hashes of files, as if an earlier release had written the records.
    if (position % 2 == 0) record.truthHash = "ef56";
    if (position % 2 == 0)
        record.meshes = std::vector<WrittenFile>{{std::uintmax_t{1} << 40, "ab12"}, {7, "cd34"}};
    return record;
}

/// Returns the record as JSON text, to compare records: the text differs wherever a double differs.
std::string textOf(const SampleRecord& record) {
    return journalJson(record).dump();
}

RunDescription someRun() {
    RunDescription description;
    description.identity.version = "1";
    description.identity.listHash = "abc";
    description.identity.listSize = 9;
    description.identity.modelHash = "model one";
    description.identity.measures.views = {0, 6, 7};
    description.identity.measures.protocols = {Protocol::published};
    description.startedAt = "2026-01-02T00:00:00Z";
    description.machines = {{"a processor", "AVX2", 2, "", "", "", "", ""}};
    return description;
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

TEST(JournalText, returnsItsRecords_andTheBytesOfCompleteLines) {
    AnyDouble any;
    RunDescription description = someRun();
    description.startedAt = "2024-05-01T10:00:00Z";
    description.machines = {{"one", "AVX2", 2, "4 GiB", "Linux", "", "", ""}};
    const std::string begun = journalHeaderLine(description) + journalSessionLine(description);
    const std::string line = journalRecordLine(anyRecord(3, any), 5);
    const ParsedJournal read = parseJournal(
        begun + line + journalSessionLine(description) + line.substr(0, 100), "journal.jsonl");
    EXPECT_TRUE(read.hasHeader);
    EXPECT_EQ(read.completeBytes,
              2 * begun.size() - journalHeaderLine(description).size() + line.size());
    EXPECT_EQ(read.contents.damagedLines, 1U);
    EXPECT_EQ(read.contents.records.count(3), 1U);
    EXPECT_EQ(read.contents.description.seconds, 5);
    ASSERT_EQ(read.contents.description.machines.size(), 1U);
    EXPECT_EQ(read.contents.description.machines[0].processor, "one");

    EXPECT_FALSE(parseJournal("", "journal.jsonl").hasHeader);
    EXPECT_FALSE(parseJournal(begun.substr(0, 30), "journal.jsonl").hasHeader);
    EXPECT_THAT(messageOf<FormatError>([] { parseJournal("other\n", "journal.jsonl"); }),
                HasSubstr("journal.jsonl: line 1"));
}

/// Wraps `line` together with its checksum, as the journal does. Lets tests write lines that this
/// release would not write.
std::string framed(const std::string& line) {
    return R"({"check":")" + journalChecksum(line) + R"(","line":)" + line + "}\n";
}

TEST(JournalText, isRefused_whenOfAnotherRelease) {
    const std::string header = journalHeaderLine(someRun());
    const std::string own = R"("journal":3)";
    const std::size_t begin = header.find(R"("line":)") + 7;
    std::string line = header.substr(begin, header.rfind('}') - begin);
    EXPECT_TRUE(parseJournal(framed(line), "journal.jsonl").hasHeader);
    line.replace(line.find(own), own.size(), R"("journal":2)");
    EXPECT_THAT(messageOf<FormatError>([&] { parseJournal(framed(line), "journal.jsonl"); }),
                AllOf(HasSubstr("another release of Threefold"), HasSubstr("`overwrite`")));
}

TEST(JournalText, leavesARecordOut_whenASilhouetteIsInvalid) {
    AnyDouble any;
    const std::string whole = journalRecordLine(anyRecord(0, any), 1);
    const std::string key = R"("overlap":)";
    const std::size_t begin = whole.find(R"("line":)") + 7;
    std::string line = whole.substr(begin, whole.rfind('}') - begin);
    const std::size_t at = line.find(key) + key.size();
    line.insert(at, "true,\"x\":");
    const ParsedJournal read =
        parseJournal(journalHeaderLine(someRun()) + framed(line), "journal.jsonl");
    EXPECT_TRUE(read.contents.records.empty());
    EXPECT_EQ(read.contents.damagedLines, 1U);
}

TEST(JournalText, leavesARecordOut_whenANumberIsOutOfRange) {
    AnyDouble any;
    const std::string whole = journalRecordLine(anyRecord(3, any), 1);
    const std::size_t begin = whole.find(R"("line":)") + 7;
    const std::string line = whole.substr(begin, whole.rfind('}') - begin);
    const std::string key = R"("position":3)";
    ASSERT_NE(line.find(key), line.npos);
    for (const char* number : {"3", "3.5", "-1", "1e300", "184467440737095516160"}) {
        SCOPED_TRACE(number);
        std::string changed = line;
        changed.replace(changed.find(key) + key.size() - 1, 1, number);
        const JournalContents read =
            parseJournal(journalHeaderLine(someRun()) + framed(changed), "journal.jsonl").contents;
        const bool fits = number == std::string_view("3");
        EXPECT_EQ(read.records.contains(3), fits);
        EXPECT_EQ(read.records.size(), fits ? 1U : 0U);
        EXPECT_EQ(read.damagedLines, fits ? 0U : 1U);
    }
}

TEST(JournalText, leavesARecordOut_unlessItHasFourThresholds) {
    SampleRecord record;
    record.scores.emplace_back().add(kPublishedStageNames[0], {});
    for (const std::size_t count : {0U, 1U, 3U, 4U, 5U}) {
        SCOPED_TRACE(count);
        nlohmann::json line = {{"record", journalJson(record)}, {"seconds", 1}};
        line["record"]["scores"][0][0]["scores"] = std::vector(count, std::vector(4, 0.5));
        const JournalContents read =
            parseJournal(journalHeaderLine(someRun()) + framed(line.dump()), "journal.jsonl")
                .contents;
        EXPECT_EQ(read.damagedLines, count == 4 ? 0U : 1U);
    }
}

TEST(JournalText, leavesARecordOut_whenItHasOnlyAFittedMesh) {
    SampleRecord scored;
    scored.scores.emplace_back().add(kFittedMesh, {});
    SampleRecord compared;
    compared.silhouettes.emplace_back().meshes.add(kFittedMesh, {});
    for (const SampleRecord& record : {scored, compared}) {
        const JournalContents read =
            parseJournal(journalHeaderLine(someRun()) + journalRecordLine(record, 1),
                         "journal.jsonl")
                .contents;
        EXPECT_TRUE(read.records.empty());
        EXPECT_EQ(read.damagedLines, 1U);
    }
}

TEST(JournalText, leavesLinesOut_whenTooLong) {
    SampleRecord record;
    record.error = std::string(std::size_t{600} << 10, 'x');
    const ParsedJournal read =
        parseJournal(journalHeaderLine(someRun()) + journalRecordLine(record, 1), "journal.jsonl");
    EXPECT_TRUE(read.contents.records.empty());
    EXPECT_EQ(read.contents.damagedLines, 1U);
}

TEST(SampleRecord, keepsNoMeasure_whenItFails) {
    SampleRecord record;
    record.name = "02691156_p0001_00";
    record.scores.resize(1);
    record.silhouettes.resize(3);
    record.distances.add(kFittedMesh, {});
    record.fitNote = "view 3: left out";
    record.fit.emplace();
    record.fail("a view is missing");
    SampleRecord expected;
    expected.name = "02691156_p0001_00";
    expected.error = "a view is missing";
    EXPECT_EQ(journalJson(record), journalJson(expected));
}

TEST(RecordJson, namesNoFit_unlessTheRecordHasOne) {
    SampleRecord record;
    record.scores.resize(1);
    for (const std::string_view mesh : kPublishedStageNames) record.scores[0].add(mesh, {});
    nlohmann::json plain = journalJson(record);
    // Journals of runs without fits keep the text that they had before fits were added.
    EXPECT_EQ(plain.dump().find("fit"), std::string::npos);
    EXPECT_EQ(fromJournalJson<SampleRecord>(plain).scores.at(0).fitted(), nullptr);
    Scores fitScores;
    fitScores.hausdorff = 0.25;
    record.scores[0].add(kFittedMesh, fitScores);
    record.times.fit = 12.5;
    record.fitNote = "view 3: left out";
    record.fit = FitRecord{.usedViews = std::vector{0, 6}, .isDiscarded = true};
    const auto back = fromJournalJson<SampleRecord>(journalJson(record));
    EXPECT_EQ(back.scores.at(0).fitted()->hausdorff, 0.25);
    EXPECT_EQ(back.times.fit, 12.5);
    EXPECT_EQ(back.fitNote, "view 3: left out");
    ASSERT_TRUE(back.fit);
    EXPECT_EQ(back.fit->usedViews, (std::vector<int>{0, 6}));
    EXPECT_TRUE(back.fit->isDiscarded);
}

TEST(RecordJson, hasTheViewsOfAFit_inAnObjectOfTheirOwn) {
    SampleRecord record;
    record.fit = FitRecord{.source = FitSource::depth,
                           .sureFraction = 0.5,
                           .depthMilliseconds = 8.0,
                           .usedViews = std::vector{0, 6}};
    nlohmann::json json = journalJson(record);
    const nlohmann::json outcome{{"used_views", {0, 6}}, {"is_discarded", false}};
    EXPECT_EQ(
        json["surface"],
        (nlohmann::json{{"from", "depth"}, {"sure", 0.5}, {"depth", 8.0}, {"outcome", outcome}}));
    json["surface"]["outcome"].erase("used_views");
    EXPECT_ANY_THROW(fromJournalJson<SampleRecord>(json));
}

TEST(RecordJson, readsAFitOfAnEarlierRelease_withoutItsOutcome) {
    nlohmann::json earlier = journalJson(SampleRecord());
    earlier["surface"] = {{"from", "hull"}};
    const auto back = fromJournalJson<SampleRecord>(earlier);
    ASSERT_TRUE(back.fit);
    EXPECT_EQ(back.fit->source, FitSource::hull);
    EXPECT_FALSE(back.fit->usedViews);
    EXPECT_FALSE(back.fit->isDiscarded);
}

}  // namespace
}  // namespace threefold::test
