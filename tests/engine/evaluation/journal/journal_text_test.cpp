#include "engine/evaluation/journal/journal_text.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/run/run_description.h"
#include "tests/engine/evaluation/journal/any_record.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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
