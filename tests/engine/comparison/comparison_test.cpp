#include "engine/comparison/compare_runs.h"
#include "engine/comparison/compared_run.h"
#include "engine/comparison/comparison_page.h"
#include "engine/comparison/comparison_tables.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/comparison/comparison_texts.h"
#include "engine/error.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kSamples = 40;

ComparedRun runOf(std::string name) {
    return {std::move(name), fakeRun(kSamples, 3, 0), {}};
}

double& f(SampleRecord& record) {
    return record.scores.front().result().measures.atTau().fScore;
}

testing::Matcher<const ComparisonRemark&> remark(ComparisonRemark::Kind kind,
                                                 const testing::Matcher<const std::string&>& text) {
    return testing::AllOf(testing::Field(&ComparisonRemark::kind, kind),
                          testing::Field(&ComparisonRemark::text, text));
}

Mesh triangle(float moved) {
    return {{{moved, 0, -1}, {0.2F, 0, -1}, {0, 0.2F, -1}}, {{0, 1, 2}}};
}

TEST(CompareRuns, agreesCompletely_withTheSameRun) {
    ComparedRun run = runOf("same");
    run.readMesh = [](const SampleRecord&) { return triangle(0); };
    const Comparison made = compareRuns(run, run);
    EXPECT_EQ(made.pairs.size(), kSamples);
    EXPECT_EQ(made.minCorrelationPercent(), 100);
    EXPECT_EQ(made.all.statisticsOf("f_tau")->difference.mean, 0);
    EXPECT_EQ(made.all.statisticsOf("f_tau")->similarCount, kSamples);
    EXPECT_EQ(made.speedUps.front().ratio, 1);
    ASSERT_TRUE(made.meshes.has_value());
    EXPECT_EQ(made.meshes->max, 0);
    EXPECT_EQ(made.meshes->vertexByVertexCount, kSamples);
    EXPECT_THAT(made.remarks, IsEmpty());
}

TEST(CompareRuns, givesTheSpeedUp_whenTimesAreHalved) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    for (SampleRecord& record : after.evaluation.records) record.times.network /= 2;
    const Comparison made = compareRuns(before, after);
    EXPECT_EQ(made.speedUps.front().key, "network");
    EXPECT_NEAR(made.speedUps.front().ratio, 2, 1e-12);
    EXPECT_NEAR(made.speedUps.front().intervalLow, 2, 1e-12);
    EXPECT_NEAR(made.speedUps.front().intervalHigh, 2, 1e-12);
}

TEST(CompareRuns, pairsSamplesByName_whenTheListsDiffer) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    std::ranges::reverse(after.evaluation.records);
    after.evaluation.records.resize(30);
    const Comparison made = compareRuns(before, after);
    EXPECT_EQ(made.pairs.size(), 30U);
    EXPECT_EQ(made.all.statisticsOf("f_tau")->difference.mean, 0);
    EXPECT_THAT(made.remarks, ElementsAre(remark(ComparisonRemark::Kind::missing,
                                                 "10 samples done in before only: not compared")));
}

TEST(CompareRuns, namesTheSampleThatDiffersMost_first) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    f(after.evaluation.records[7]) += 5;
    f(after.evaluation.records[9]) -= 20;
    const Comparison made = compareRuns(before, after);
    EXPECT_EQ(made.pairs[0].firstRecordIndex, 9U);
    EXPECT_EQ(made.pairs[1].firstRecordIndex, 7U);
    EXPECT_NEAR(made.all.statisticsOf("f_tau")->difference.mean, -15.0 / kSamples, 1e-9);
    EXPECT_EQ(made.all.statisticsOf("f_tau")->similarCount, kSamples - 2);
    EXPECT_LT(*made.minCorrelationPercent(), 99);
    EXPECT_THAT(comparisonTables(before, made).back().rows[1].front(),
                before.evaluation.records[9].name);
}

TEST(CompareRuns, givesNoDistance_whenVerticesAreNotFinite) {
    ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    const std::string broken = before.evaluation.records[4].name;
    before.readMesh = [](const SampleRecord&) { return triangle(0); };
    after.readMesh = [broken](const SampleRecord& record) {
        Mesh mesh = triangle(0);
        if (record.name == broken)
            for (glm::vec3& vertex : mesh.vertices) vertex.x = std::nanf("");
        return mesh;
    };
    const Comparison made = compareRuns(before, after);
    for (const SamplePair& each : made.pairs)
        EXPECT_EQ(each.maxMeshDistance,
                  each.firstRecordIndex == 4 ? std::nullopt : std::optional(0.0))
            << each.firstRecordIndex;
}

TEST(ComparisonTables, nameRuns_beyondTheAlphabet) {
    EXPECT_EQ(runLetter(0), "A");
    EXPECT_EQ(runLetter(25), "Z");
    EXPECT_EQ(runLetter(26), "AA");
    EXPECT_EQ(runLetter(26 + 26 * 26), "AAA");
}

TEST(CompareRuns, measuresMeshes_vertexByVertexOrByNearestPoints) {
    ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    before.readMesh = [](const SampleRecord&) { return triangle(0); };
    after.readMesh = [](const SampleRecord&) { return triangle(-0.25F); };
    Comparison made = compareRuns(before, after);
    EXPECT_NEAR(made.meshes->max, 0.25, 1e-6);
    EXPECT_NEAR(made.meshes->mean, 0.25 / 3, 1e-6);
    after.readMesh = [](const SampleRecord&) {
        Mesh more = triangle(0);
        more.vertices.emplace_back(0, 0.5F, -1);
        return more;
    };
    made = compareRuns(before, after);
    EXPECT_EQ(made.meshes->vertexByVertexCount, 0U);
    EXPECT_NEAR(made.meshes->max, 0.3, 1e-6);
}

TEST(CompareRuns, notesThatTruthsDiffer) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    after.evaluation.records[3].scores.front().result().truthPoints += 1;
    EXPECT_THAT(compareRuns(before, after).remarks,
                ElementsAre(remark(ComparisonRemark::Kind::truth,
                                   HasSubstr("measures are not comparable"))));
}

TEST(CompareRuns, notesThatTruthsDiffer_whenTheyHaveEquallyManyPoints) {
    ComparedRun before = runOf("before");
    ComparedRun after = before;
    after.evaluation.records[3].truthHash = "ab";
    EXPECT_THAT(compareRuns(before, after).remarks, testing::IsEmpty());
    before.evaluation.records[3].truthHash = "cd";
    before.evaluation.records[3].truth = "/gt/one.dat";
    after.evaluation.records[3].truth = "/gt/two.dat";
    EXPECT_THAT(
        compareRuns(before, after).remarks,
        ElementsAre(remark(ComparisonRemark::Kind::truth,
                           testing::AllOf(HasSubstr("/gt/one.dat"), HasSubstr("/gt/two.dat"),
                                          HasSubstr("measures are not comparable")))));
}

TEST(CompareRuns, remarksOnGpus_whenTheRunsNameDifferentOnes) {
    ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    before.evaluation.description.machines.front().gpu = "H200";
    after.evaluation.description.machines.front().gpu = "RTX 4090";
    EXPECT_THAT(compareRuns(before, after).remarks,
                ElementsAre(remark(ComparisonRemark::Kind::machines, HasSubstr("different GPUs"))));
    after.evaluation.description.machines.front().gpu.clear();
    EXPECT_THAT(compareRuns(before, after).remarks, IsEmpty());
}

TEST(CompareRuns, comparesFittedMeshes_whenBothRunsHaveThem) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    after.evaluation.description.identity.fit = "all";
    for (SampleRecord& record : after.evaluation.records) {
        SampleScores& scores = record.scores.front();
        scores.add(kFittedMesh, scores.result());
        scores.find(kFittedMesh)->measures.atTau().fScore += 10;
    }
    const Comparison made = compareRuns(before, after);
    EXPECT_NEAR(made.all.statisticsOf("f_tau")->difference.mean, 10, 1e-9);
    EXPECT_THAT(made.remarks,
                ElementsAre(remark(ComparisonRemark::Kind::fit, "fit: none in A, all in B")));
}

TEST(CompareRuns, remarksOnSettings_whenNotOnlyTheFitDiffers) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    after.evaluation.description.identity.fit = "all";
    after.evaluation.description.identity.sampler = "here and there";
    EXPECT_THAT(compareRuns(before, after).remarks,
                ElementsAre(remark(ComparisonRemark::Kind::settings,
                                   testing::AllOf(HasSubstr("here and there in B; "),
                                                  HasSubstr("fit: none in A, all in B")))));
}

TEST(CompareRuns, countsFailedSamples_asMissing) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    after.evaluation.records[2].error = "damaged";
    after.evaluation.records.push_back(
        after.evaluation.records[5]);  // a second record of the same name
    const Comparison made = compareRuns(before, after);
    EXPECT_EQ(made.onlyInFirstCount, 1U);
    EXPECT_EQ(made.pairs.size(), kSamples - 1);
    EXPECT_THAT(made.remarks, ElementsAre(remark(ComparisonRemark::Kind::missing,
                                                 "1 sample done in before only: not compared")));
}

TEST(CompareRuns, refusesRuns_withoutACommonSample) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    for (SampleRecord& record : after.evaluation.records) record.name += "_other";
    EXPECT_THROW(compareRuns(before, after), InputError);
    after = runOf("after");
    after.evaluation.description.identity.measures.protocols = {Protocol::surface};
    EXPECT_THROW(compareRuns(before, after, Protocol::published), InputError);
}

TEST(CompareRuns, namesTheBetterRun_whenTheIntervalExcludesZero) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    for (std::size_t i = 0; i < kSamples; ++i) {
        Scores& scores = after.evaluation.records[i].scores.front().result();
        scores.measures.atTau().fScore += i < 30 ? 5 : 0.001;
        scores.measures.chamfer *= i < 3 ? 1.5 : i < 6 ? 0.5 : 1;
    }
    const Comparison made = compareRuns(before, after);
    const ComparedMeasure& f = *made.all.find("f_tau");
    EXPECT_EQ(f.betterCount(), 30U);
    EXPECT_EQ(f.worseCount(), 0U);
    EXPECT_EQ(f.statistics.similarCount, 10U);
    const ComparedMeasure& chamfer = *made.all.find("chamfer");
    EXPECT_EQ(chamfer.betterCount(), 3U) << "less is better";
    EXPECT_EQ(chamfer.worseCount(), 3U);
    EXPECT_EQ(
        verdictText(made),
        "B is better by F(τ); not shown to differ by Chamfer distance and silhouette overlap.");
    EXPECT_EQ(
        verdictText(compareRuns(after, before)),
        "B is worse by F(τ); not shown to differ by Chamfer distance and silhouette overlap.");
    const ComparisonTable quality = comparisonTables(before, made).front();
    EXPECT_THAT(quality.rows[1], testing::Contains("30"));
    ASSERT_FALSE(quality.highlightedCells.empty());
    EXPECT_EQ(quality.highlightedCells.front().row, 1U);
    EXPECT_EQ(quality.highlightedCells.front().column, 3U);
    EXPECT_TRUE(quality.highlightedCells.front().isBetter);
    EXPECT_FALSE(made.all.statisticsOf("chamfer")->differs());
}

TEST(CompareRuns, callsNoRunBetter_whenSamplesAreFew) {
    for (const std::size_t count : {1U, 2U, 4U, 7U, 8U}) {
        SCOPED_TRACE(count);
        ComparedRun before = runOf("before");
        before.evaluation.records.resize(count);
        ComparedRun after = before;
        for (SampleRecord& record : after.evaluation.records) f(record) += 5;
        const Comparison made = compareRuns(before, after);
        if (count == 8) {
            EXPECT_THAT(verdictText(made), HasSubstr("B is better by F(τ)"));
            continue;
        }
        EXPECT_THAT(verdictText(made),
                    HasSubstr(count == 1 ? ": 1 sample is too few" : "are too few"));
        EXPECT_EQ(verdictText(made).find("intervals"), std::string::npos);
        EXPECT_EQ(made.all.statisticsOf("f_tau")->correlation.has_value(), count > 2);
        EXPECT_THAT(comparisonTables(before, made).front().highlightedCells, IsEmpty());
        const std::vector<std::string> notes = comparisonTables(before, made).front().notes;
        EXPECT_EQ(notes.size(), count > 2 ? 2U : 1U) << "no correlation of two samples";
    }
}

TEST(SampleMesh, isRefusedWithTheRemedyResume_whenItsFileIsBroken) {
    const TempFolder folder;
    writeJournal(folder.path(), fakeRun(1, 1, 0));
    const ComparedRun run = readRun(folder.path());
    const SampleRecord& record = run.evaluation.records.at(0);
    EXPECT_TRUE(run.readMesh(record).vertices.empty());
    writeFileAtomically(folder / (record.name + "_predict.obj"), std::string_view());
    EXPECT_THAT(messageOf<FormatError>([&] { run.readMesh(record); }),
                testing::AllOf(HasSubstr("_predict.obj"), HasSubstr("`resume`")));
}

TEST(SampleMesh, notesLeftOutVertices_andFilesThatAreNotRead) {
    const TempFolder folder;
    const auto write = [&](const char* name, const std::string& first) {
        writeFileAtomically(folder / name, first + "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 2 3 4\n");
    };
    std::vector<std::string> notes;
    write("cup_predict.obj", "v 0 0 0\n");
    EXPECT_EQ(readSampleMesh(folder.path(), "cup", &notes).vertices.size(), 4U);
    EXPECT_THAT(notes, IsEmpty());
    write("cup_predict.obj", "v nan 0 0\n");
    write("cup.obj", "v 0 0 0\n");
    EXPECT_EQ(readSampleMesh(folder.path(), "cup", &notes).vertices.size(), 3U);
    EXPECT_THAT(notes, ElementsAre(HasSubstr("not finite"),
                                   testing::AllOf(HasSubstr("cup.obj: is not compared"),
                                                  HasSubstr("cup_predict.obj"))));
}

TEST(CompareRuns, callsNoNetworkSlower_whenOnlyOneRunIsFitted) {
    const ComparedRun before = runOf("before");
    ComparedRun after = runOf("after");
    for (SampleRecord& record : after.evaluation.records) record.times.network *= 2;
    EXPECT_THAT(timeVerdictText(compareRuns(before, after)), HasSubstr("0.500"));
    for (SampleRecord& record : after.evaluation.records) record.times.fit = 300;
    const Comparison made = compareRuns(before, after);
    EXPECT_TRUE(made.isOnlyOneFitted);
    EXPECT_THAT(timeVerdictText(made), HasSubstr("In B fits ran at the same time"));
    const ComparisonTable times = comparisonTables(before, made)[1];
    EXPECT_EQ(times.rows[1][3], "–");
    EXPECT_THAT(times.rows,
                testing::Contains(testing::ElementsAre("fit, ms a sample", "–", "300.00", "", "")));
    EXPECT_EQ(comparisonJson(before, after, made)["b"]["fit_ms"]["mean"], 300);
}

TEST(CompareRuns, dividesTimeAmongComponents_andNamesTheBottleneck) {
    ComparedRun before = runOf("before");
    for (SampleRecord& record : before.evaluation.records) {
        record.times.network = 100;
        record.times.preprocess = 5;
        record.times.steps = {{RunStep::preprocess, 5},
                              {RunStep::cnn1, 20},
                              {RunStep::graph1, 70},
                              {RunStep::block1, 10}};
    }
    ComparedRun after = before;
    for (SampleRecord& record : after.evaluation.records) {
        record.times.network = 50;
        record.times.steps = {{RunStep::cnn1, 10}, {RunStep::graph1, 15}, {RunStep::block1, 25}};
    }
    const std::vector<ComparisonTable> tables =
        comparisonTables(before, compareRuns(before, after));
    using Row = std::vector<std::string>;
    EXPECT_EQ(tables[0].title(), "quality");
    EXPECT_EQ(tables[1].kind, ComparisonTable::Kind::times);
    EXPECT_THAT(
        tables[1].rows,
        testing::ElementsAre(
            Row{"", "A", "B", "A ÷ B", "95 % interval"},
            Row{"network, ms a sample", "100.00", "50.00", "2.000×", "2.000 … 2.000"},
            Row{"with preprocessing, ms", "105.00", "55.00", "", ""},
            Row{"95th percentile, ms", "100.00", "50.00", "", ""},
            Row{"slowest sample, ms", "100.00", "50.00", "", ""},
            Row{"samples a second", "10.00", "20.00", "", ""},
            Row{"slowest step of the network", "graph1, 70.0 %", "block1, 50.0 %", "", ""}));
    EXPECT_EQ(tables[2].title(), "stages of the network");
    EXPECT_THAT(
        tables[2].rows,
        testing::IsSupersetOf(
            {Row{"network", "100.00", "", "50.00", "", "2.000×", "2.000 … 2.000"},
             Row{"  cnn1", "20.00", "20.0", "10.00", "20.0", "2.000×", "2.000 … 2.000"},
             Row{"  block1", "10.00", "10.0", "25.00", "50.0", "0.400×", "0.400 … 0.400"}}));
    const TempFolder folder;
    const auto page =
        writeComparisonPage(folder.path(), {before, after}, {compareRuns(before, after)}, 0, {});
    const std::vector<std::byte> bytes = readFile(page, 1 << 24);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_THAT(text, HasSubstr("<td>slowest step of the network</td><td>graph1, 70.0 %</td>"));
}

TEST(ComparisonPage, hasOneMainElement_forAllRuns) {
    const ComparedRun run = runOf("run");
    const TempFolder folder;
    const Comparison made = compareRuns(run, run);
    const auto page = writeComparisonPage(folder.path(), {run, run, run}, {made, made}, 0, {});
    const std::vector<std::byte> bytes = readFile(page, 1 << 24);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_EQ(text.find("<main"), text.rfind("<main"));
    EXPECT_NE(text.find("<h1>"), text.rfind("<h1>"));
    EXPECT_EQ(text.find("</main>"), text.rfind("</main>"));
}

TEST(ComparisonPage, escapesNames_andShowsMeshesWithoutPhotographs) {
    ComparedRun before = runOf("<b>&before");
    before.readMesh = [](const SampleRecord&) { return triangle(0); };
    before.evaluation.description.identity.version = "<b>1.0";
    const TempFolder folder;
    const std::vector<ComparedRun> runs{before, before};
    const auto page =
        writeComparisonPage(folder.path() / "page", runs, {compareRuns(before, before)}, 2, {});
    const std::vector<std::byte> bytes = readFile(page, 1 << 24);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_THAT(text, HasSubstr("&lt;b&gt;&amp;before"));
    EXPECT_EQ(text.find("<b>"), std::string::npos);
    EXPECT_THAT(text, HasSubstr("<h1>A &lt;b&gt;&amp;before and B &lt;b&gt;&amp;before compared"));
    EXPECT_THAT(text,
                HasSubstr("class=\"link\" title=\"Turn the meshes\" data-result=\"pair-1-0\""));
    EXPECT_THAT(text, HasSubstr("Silhouette overlap</th>"));
    EXPECT_THAT(text, HasSubstr("data:image/png;base64,"));
    const auto figures = folder.path() / "page/figures";
    EXPECT_TRUE(std::filesystem::exists(figures / "sheet.svg"));
    EXPECT_TRUE(std::filesystem::exists(figures / (before.evaluation.records[0].name + ".png")));
}

}  // namespace
}  // namespace threefold::test
