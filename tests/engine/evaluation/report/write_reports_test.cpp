#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/masked_reports.h"
#include "tests/engine/evaluation/page_data.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using ::testing::HasSubstr;

std::string contentsOf(const std::filesystem::path& file) {
    return std::string(asText(readFile(file)));
}

class WriteReports : public ::testing::Test {
  protected:
    std::filesystem::path folder(const std::string& name) const {
        std::filesystem::create_directories(temporary_.path() / name / kThumbnailFolder);
        return temporary_.path() / name;
    }

  private:
    test::TempFolder temporary_;
};

constexpr std::string_view kTriangle = "v 0 0 -1\nv 1 0 -1\nv 0 1 -1\nf 1 2 3\n";

constexpr const char* kNames[] = {kMetricsCsvName, kMetricsSummaryName, kTimingsName,
                                  kReportJsonName, kReportHtmlName};

TEST_F(WriteReports, writesFiveFiles_withTheSameBytesForTheSameRun) {
    const EvaluationRun run = test::fakeRun(30, 4, 9);
    writeReports(run, folder("a"));
    writeReports(run, folder("b"));
    for (const char* name : kNames) {
        EXPECT_EQ(contentsOf(folder("a") / name), contentsOf(folder("b") / name)) << name;
    }
}

TEST_F(WriteReports, differOnlyInTimesMachinesAndDates_whenScoresAreEqual) {
    EvaluationRun run = test::fakeRun(30, 4, 9);
    writeReports(run, folder("a"));
    for (SampleRecord& record : run.records) {
        record.times.network *= 1.5;
        record.times.load += 2;
        record.times.steps.clear();
    }
    run.description.machines.push_back(
        {"another", "AVX2", 8, "1 GiB", "Linux", "GPU", "1", "CUDA"});
    run.description.startedAt = "2027-01-01T00:00:00Z";
    run.description.seconds = 1;
    run.description.backendDescription = "CUDA · another";
    writeReports(run, folder("b"));
    EXPECT_EQ(test::maskedFiles(folder("a")), test::maskedFiles(folder("b")));
    for (const char* name : {kMetricsCsvName, kTimingsName, kReportJsonName, kReportHtmlName}) {
        EXPECT_NE(contentsOf(folder("a") / name), contentsOf(folder("b") / name)) << name;
    }
}

TEST_F(WriteReports, differ_whenAScoreDoes) {
    EvaluationRun run = test::fakeRun(30, 4, 9);
    writeReports(run, folder("a"));
    run.records[7].scores[0].result().measures.atTau().fScore += 1;
    writeReports(run, folder("b"));
    const auto before = test::maskedFiles(folder("a"));
    const auto after = test::maskedFiles(folder("b"));
    ASSERT_EQ(before.size(), 4u);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_NE(before[i].second, after[i].second) << before[i].first;
    }
}

TEST_F(WriteReports, differ_whenASilhouetteDoes) {
    EvaluationRun run = test::fakeRun(30, 4, 0);
    writeReports(run, folder("a"));
    run.records[7].silhouettes[0].meshes.find("refined")->overlap /= 2;
    writeReports(run, folder("b"));
    const auto before = test::maskedFiles(folder("a"));
    const auto after = test::maskedFiles(folder("b"));
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_NE(before[i].second, after[i].second) << before[i].first;
    }
}

TEST_F(WriteReports, areWritten_whenNoSampleHasATruth) {
    EvaluationRun run = test::fakeRun(6, 2, 0);
    for (SampleRecord& record : run.records) test::takeTruthAway(record);
    writeReports(run, folder("a"));
    const std::string summary = contentsOf(folder("a") / kMetricsSummaryName);
    EXPECT_THAT(summary, HasSubstr("no sample has scores"));
    EXPECT_THAT(summary, HasSubstr("Silhouette overlap"));
    EXPECT_EQ(test::dataOf(contentsOf(folder("a") / kReportHtmlName))["lists"][0]["samples"].size(),
              5u);
}

TEST_F(WriteReports, embedPictures_andLeaveMissingOnesEmpty) {
    const EvaluationRun run = test::fakeRun(30, 4, 0);
    const std::vector<std::size_t> worst = worstRecords(run.records);
    const auto write = [&](std::size_t rank, std::string_view bytes) {
        writeFileAtomically(thumbnailFile(folder("a"), run.records[worst[rank]].name), bytes);
    };
    write(0, "M");
    write(1, "Ma");
    write(2, "Man\xff");
    writeReports(run, folder("a"));
    const auto data = test::dataOf(contentsOf(folder("a") / kReportHtmlName));
    EXPECT_EQ(data["lists"][0]["key"], "worst");
    EXPECT_EQ(data["lists"][0]["samples"], worst);
    const auto picture = [&](std::size_t rank) {
        return data["pictures"].value(std::to_string(worst[rank]), "none");
    };
    EXPECT_EQ(picture(0), "data:image/png;base64,TQ==");
    EXPECT_EQ(picture(1), "data:image/png;base64,TWE=");
    EXPECT_EQ(picture(2), "data:image/png;base64,TWFu/w==");
    EXPECT_EQ(picture(3), "none");
}

TEST_F(WriteReports, throw_whenTheFolderIsMissing) {
    EXPECT_THROW(writeReports(test::fakeRun(1), folder("a") / "missing"), IoError);
}

TEST_F(WriteReports, leaveAMeshOut_whenTheRunHasWrittenAnother) {
    EvaluationRun run = test::fakeRun(6, 2, 0);
    const std::vector<std::size_t> worst = worstRecords(run.records);
    for (const std::size_t rank : {0U, 1U}) {
        SampleRecord& record = run.records[worst[rank]];
        const std::string_view written = rank == 0 ? kTriangle : "v 0 0 0\n";
        record.meshes = std::vector<WrittenFile>{{written.size(), sha256(asBytes(written))}, {}};
        writeFileAtomically(folder("a") / (record.name + "_predict.obj"), kTriangle);
    }
    writeReports(run, folder("a"));
    const std::string page = contentsOf(folder("a") / kReportHtmlName);
    EXPECT_THAT(page, HasSubstr(fmt::format("id=\"sample-{}\"", worst[0])));
    EXPECT_THAT(page, ::testing::Not(HasSubstr(fmt::format("id=\"sample-{}\"", worst[1]))));
}

TEST_F(WriteReports, embedTheMeshesOfShownSamples) {
    const EvaluationRun run = test::fakeRun(40, 4, 0);
    const auto worst = worstRecords(run.records), best = bestRecords(run.records);
    ASSERT_EQ(best.size(), kShownPerList);
    EXPECT_LT(run.records[best[0]].scores[0].result().measures.chamfer,
              run.records[best[1]].scores[0].result().measures.chamfer);
    const auto write = [&](std::size_t record, const std::string& ending) {
        writeFileAtomically(folder("a") / (run.records[record].name + ending), kTriangle);
    };
    write(worst[2], "_predict.obj");
    write(worst[2], "_fitted.obj");
    write(best[1], "_predict.obj");
    writeFileAtomically(folder("a") / (run.records[worst[3]].name + "_predict.obj"), "no mesh");
    writeReports(run, folder("a"));
    const std::string page = contentsOf(folder("a") / kReportHtmlName);
    const auto id = [](std::size_t record) {
        return "id=\"sample-" + std::to_string(record) + "\"";
    };
    EXPECT_THAT(page, HasSubstr(id(worst[2])));
    EXPECT_THAT(page, HasSubstr(id(best[1])));
    EXPECT_THAT(page, ::testing::Not(HasSubstr(id(worst[3]))));
    EXPECT_THAT(page, HasSubstr("\"name\":\"fitted\""));
    // Only report.html differs if no meshes are embedded.
    writeReports(run, folder("b"));
    for (const char* name : kNames)
        if (name != std::string_view(kReportHtmlName)) {
            EXPECT_EQ(contentsOf(folder("a") / name), contentsOf(folder("b") / name)) << name;
        }
    EXPECT_THAT(contentsOf(folder("b") / kReportHtmlName),
                ::testing::Not(HasSubstr("result-dialog\">")));
}

TEST_F(WriteReports, embedTheMeshesOfAllSamples_onlyWhenAsked) {
    const EvaluationRun run = test::fakeRun(80, 4, 0);
    const std::vector<std::size_t> shown = shownRecords(run.records);
    std::size_t other = 0;
    while (std::ranges::find(shown, other) != shown.end()) ++other;
    writeFileAtomically(folder("a") / (run.records[other].name + "_predict.obj"), kTriangle);
    const std::string id = "id=\"sample-" + std::to_string(other) + "\"";
    writeReports(run, folder("a"));
    EXPECT_THAT(contentsOf(folder("a") / kReportHtmlName), ::testing::Not(HasSubstr(id)));
    writeReports(run, folder("a"), {.embedded = EmbeddedMeshes::all});
    EXPECT_THAT(contentsOf(folder("a") / kReportHtmlName), HasSubstr(id));
}

TEST_F(WriteReports, readMeshesOfOtherFolders_afterAMerge) {
    const EvaluationRun run = test::fakeRun(4, 1, 0);
    writeFileAtomically(folder("part") / (run.records[2].name + "_predict.obj"), kTriangle);
    std::vector<std::filesystem::path> from(4, folder("a"));
    from[2] = folder("part");
    writeReports(run, folder("a"), {.meshFolders = from});
    EXPECT_THAT(contentsOf(folder("a") / kReportHtmlName), HasSubstr("id=\"sample-2\""));
}

}  // namespace
}  // namespace threefold
