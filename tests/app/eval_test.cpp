#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/journal/journal.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_steps/evaluate.h"
#include "engine/sample_steps/fit_request.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/evaluation/masked_reports.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/file_text.h"
#include "tests/support/models.h"
#include "tests/support/other_models.h"
#include "tests/support/poll_until.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const fs::path kSamples = fs::path(THREEFOLD_RESOURCES) / "samples";

/// Waits until the run's journal has the record of a sample.
void waitForASample(const fs::path& folder) {
    constexpr int kLines = 3;  // the first two lines describe the run
    EXPECT_TRUE(pollUntil([&] {
        std::ifstream journal(folder / kJournalName);
        return std::count(std::istreambuf_iterator<char>(journal), {}, '\n') >= kLines;
    }));
}

/// Evaluates the list of procedural samples, whole or in two shards; the first shard can be
/// interrupted.
class EvalShards : public testing::Test {
  protected:
    std::string path(const char* name) const { return (folder_ / name).string(); }

    std::vector<std::string> arguments(const std::string& out,
                                       const std::vector<std::string>& more) const {
        std::vector<std::string> words = {"eval", list_, "-o", out};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    ProcessResult evaluate(const std::string& out, const std::vector<std::string>& more) const {
        return runThreefold(arguments(out, more));
    }

    /// Starts the first shard and sends SIGINT after its first sample is finished.
    ProcessResult interruptFirst() const {
        Process process(arguments(first_, {"--warmup", "0", "--shard", "1/2"}));
        waitForASample(first_);
        process.send(SIGINT);
        return process.wait();
    }
    ProcessResult evaluateSecond() const {
        return evaluate(second_, {"--warmup", "0", "--shard", "2/2"});
    }

    const TempFolder folder_;
    const fs::path samples_ = folder_ / "samples";
    const std::string list_ = linkProceduralSamples(samples_).string();
    const std::string whole_ = path("whole");
    const std::string first_ = path("first");
    const std::string second_ = path("second");
    const std::string merged_ = path("merged");
};

/// Contents of a run's files, without the meshes, which merged folders do not have, and without the
/// report page.
auto filesWithoutMeshes(const std::string& folder) {
    auto files = maskedFiles(folder);
    std::erase_if(files, [](const auto& file) {
        return file.first.find("_predict.") != std::string::npos || file.first == "report.html";
    });
    return files;
}

TEST_F(EvalShards, printTheTable_whenTheListIsOneRun) {
    const ProcessResult one = evaluate(whole_, {"--warmup", "0"});
    ASSERT_EQ(one.exitCode, 0) << one.errors;
    for (const char* text : {"published protocol", "in 10⁻⁴ object units²", "CD, 10⁻⁴",
                             "airplane 02691156", "all", "silhouettes: ", "4 of 4 samples done",
                             "refinement made 1 worse", "Bottleneck: network", whole_.c_str()}) {
        EXPECT_THAT(one.output, HasSubstr(text));
    }
    EXPECT_THAT(one.errors, AllOf(HasSubstr("4/4"), HasSubstr(" × 10⁻⁴")));
    const JournalContents contents = readJournal(whole_);
    EXPECT_EQ(contents.records.at(0).silhouettes.size(), 3U);
    const Sample sample = findSample(bundledSample("02691156"));
    const ChamferAndFScores expected =
        evaluateByPublishedProtocol(
            makeCpuBackend(testModel())->reconstruct(loadViews(sample, kPublishedViews), {}),
            loadGroundTruth(sample, kPublishedViews.front()))
            .first()
            .measures;
    const ChamferAndFScores& measured = contents.records.at(0).scores.at(0).first().measures;
    EXPECT_EQ(measured.chamfer, expected.chamfer);
    EXPECT_EQ(measured.atTau().fScore, expected.atTau().fScore);
    EXPECT_EQ(readObj(folder_ / "whole/02691156_p0001_00_predict.obj").faces.size(), 4928U);
    EXPECT_EQ(readXyz(folder_ / "whole/02691156_p0001_00_predict.xyz").size(), 2466U);
}

TEST_F(EvalShards, areContinuedWithTheSameChoicesOnly_whenInterrupted) {
    const ProcessResult result = interruptFirst();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr("1 of 2 samples are done"), HasSubstr("--resume")));
    const ProcessResult refused = evaluate(first_, {"--shard", "1/2"});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("holds a run already"), HasSubstr("--overwrite")));
    const ProcessResult other = evaluate(first_, {"--shard", "1/2", "--resume", "--tau", "2e-4"});
    EXPECT_EQ(other.exitCode, 1);
    EXPECT_THAT(other.errors, HasSubstr("τ: 0.0001 there, 0.0002 here"));
    const ProcessResult resumed = evaluate(first_, {"--shard", "1/2", "--resume"});
    EXPECT_EQ(resumed.exitCode, 0) << resumed.errors;
}

TEST_F(EvalShards, areNotMerged_whenSamplesAreMissing) {
    interruptFirst();
    const ProcessResult early = runThreefold({"merge", first_, "-o", path("early")});
    EXPECT_EQ(early.exitCode, 1);
    EXPECT_THAT(early.errors, HasSubstr("3 of 4 samples are missing in all folders: 2, 3, 4"));
    EXPECT_FALSE(fs::exists(folder_ / "early"));
}

TEST_F(EvalShards, takeTheFlagsOfTheOlderScripts) {
    const ProcessResult result = runThreefold(
        {"eval", "--test_file", list_, "--image_root", (samples_ / "ShapeNetRendering").string(),
         "--gt_root", (samples_ / "gt").string(), "--output_dir", second_, "--no-amp",
         "--warmup-iters", "0", "--shard", "2/2", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(json::parse(result.output).at("samples").size(), 2U);
}

TEST_F(EvalShards, giveTheTableOfOneRun_whenOneWasInterruptedAndBothAreMerged) {
    ASSERT_EQ(evaluate(whole_, {"--warmup", "0"}).exitCode, 0);
    interruptFirst();
    ASSERT_EQ(evaluate(first_, {"--shard", "1/2", "--resume"}).exitCode, 0);
    ASSERT_EQ(evaluateSecond().exitCode, 0);
    ASSERT_EQ(runThreefold({"merge", second_, first_, "-o", merged_}).exitCode, 0);
    EXPECT_TRUE(fs::exists(fs::path(merged_) / "report.html"));
    EXPECT_EQ(filesWithoutMeshes(merged_), filesWithoutMeshes(whole_));
}

TEST_F(EvalShards, replaceAMergedRun_onlyWhenToldTo) {
    ASSERT_EQ(evaluate(first_, {"--warmup", "0", "--shard", "1/2"}).exitCode, 0);
    ASSERT_EQ(evaluateSecond().exitCode, 0);
    const std::vector<std::string> merge = {"merge", second_, first_, "-o", merged_};
    ASSERT_EQ(runThreefold(merge).exitCode, 0);
    const ProcessResult again = runThreefold(merge);
    EXPECT_EQ(again.exitCode, 1);
    EXPECT_THAT(again.errors,
                AllOf(HasSubstr("4 of its samples are done"), HasSubstr("--overwrite")));
    // --overwrite replaces a run even if its journal cannot be read.
    overwrite(fs::path(merged_) / "journal.jsonl", "of another program\n");
    EXPECT_EQ(runThreefold(merge).exitCode, 1);
    EXPECT_EQ(runThreefold({"merge", second_, first_, "-o", merged_, "--overwrite"}).exitCode, 0);
}

TEST(Eval, hasTheColumnsOfTheModel_withAnyNumberOfBlocks) {
    const TempFolder folder;
    overwrite(folder / "list.txt", "02691156_p0001_00.dat\n");
    for (const std::size_t blocks : {0, 3}) {
        const fs::path model = folder / "model.safetensors";
        writeModelWithBlocks(model, blocks);
        const fs::path out = folder / std::to_string(blocks);
        const ProcessResult result = runThreefold(
            {"eval", (folder / "list.txt").string(), "--images",
             (kSamples / "ShapeNetRendering").string(), "--gt", (kSamples / "gt").string(), "-o",
             out.string(), "--warmup", "0", "--model", model.string(), "--fit-views", "all"});
        ASSERT_EQ(result.exitCode, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr("fitted"));
        const bool stage2 = blocks > 0;
        EXPECT_EQ(result.output.find("refined  ") != std::string::npos, stage2) << result.output;
        const json report = json::parse(fileText(out / "report.json"));
        const json& scores = report.at("samples").at(0).at("scores").at("published");
        EXPECT_EQ(scores.contains("refined"), stage2);
        EXPECT_TRUE(scores.contains("coarse") && scores.contains("fitted"));
        EXPECT_EQ(report.at("samples").at(0).at("times").at("stages").contains("block3"), stage2);
        const std::string csv = fileText(out / "metrics_results.csv");
        EXPECT_EQ(csv.find("published_refined_chamfer") != std::string::npos, stage2);
        EXPECT_EQ(csv.find("block3_ms") != std::string::npos, stage2);
        // `merge` reads the run back without loss.
        ASSERT_EQ(runThreefold({"merge", out.string(), "-o", (out / "again").string()}).exitCode,
                  0);
        EXPECT_EQ(fileText(out / "again/metrics_results.csv"), csv);
        const ProcessResult one = runThreefold(
            {"reconstruct", bundledSample("02691156").string(), "--model", model.string(),
             "--stage", "all", "--format", "obj", "-o", (out / "meshes").string()});
        ASSERT_EQ(one.exitCode, 0) << one.errors;
        EXPECT_EQ(filesIn(out / "meshes").size(), stage2 ? 2U : 1U);
    }
}

TEST(Eval, continuesAfterABadSample_andReportsIt) {
    const TempFolder folder;
    overwrite(folder / "list.txt",
              "02691156_gone_00.dat\n02691156_p0001_00.dat\n02691156_p0001_00.dat\n");
    const ProcessResult result = runThreefold(
        {"eval", (folder / "list.txt").string(), "--images",
         (kSamples / "ShapeNetRendering").string(), "--gt", (kSamples / "gt").string(), "-o",
         (folder / "out").string(), "--warmup", "0", "--protocol", "both", "--no-meshes"});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr("sample 1: "), HasSubstr("02691156/gone"),
                                     HasSubstr("sample 3: "), HasSubstr("repeats sample")));
    EXPECT_THAT(result.output, AllOf(HasSubstr("published protocol"), HasSubstr("surface protocol"),
                                     HasSubstr("1 of 3 samples done, 2 failed")));
    EXPECT_THAT(
        filesIn(folder / "out"),
        ElementsAre("02691156_p0001_00.png", "combined_timings.txt", "journal.jsonl",
                    "metrics_results.csv", "metrics_summary.txt", "report.html", "report.json"));
}

TEST(Eval, comparesSilhouettes_whenPhotographsHaveNoTruth) {
    const TempFolder folder;
    const fs::path mug = folder / "mug";
    fs::copy(kSamples / "ShapeNetRendering/03001627/p0001/rendering", mug,
             fs::copy_options::recursive);
    const std::string out = (folder / "out").string();
    const ProcessResult result = runThreefold({"eval", mug.string(), "-o", out, "--warmup", "0"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("mug: no ground truth was found"), HasSubstr("--gt")));
    EXPECT_THAT(result.output, AllOf(HasSubstr("silhouettes: "),
                                     HasSubstr("1 of 1 samples done, 1 without a truth\n"),
                                     Not(HasSubstr("protocol"))));
    EXPECT_TRUE(fs::exists(fs::path(out) / "mug_predict.obj"));

    const ProcessResult named =
        runThreefold({"eval", mug.string(), "-o", out, "--gt", (kSamples / "gt").string(),
                      "--resume", "--warmup", "0"});
    EXPECT_EQ(named.exitCode, 1) << named.output;
    EXPECT_THAT(named.errors, HasSubstr("no ground truth was found"));
}

TEST(Eval, reportsMissingImagesOnce_forAllNamesOfAList) {
    const TempFolder folder;
    const std::string list = (folder / "published.txt").string();
    overwrite(list, "02691156_a_00.dat\n02691156_b_00.dat\n");
    const std::string out = (folder / "out").string();
    const ProcessResult result = runThreefold({"eval", list, "-o", out});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_EQ(result.errors,
              "threefold: " + list +
                  ": holds names, such as '02691156_a_00.dat', and --images does not "
                  "say where their images are. Add --images with the ShapeNetRendering "
                  "folder that holds them.\n");
    EXPECT_FALSE(std::filesystem::exists(out));
    const ProcessResult one = runThreefold({"reconstruct", list, "-o", out});
    EXPECT_THAT(one.errors, HasSubstr("give the ShapeNetRendering folder (--images)"));
}

TEST(Eval, keepsMeshesOfOtherPrograms_whenARunFailsAgainOrIsReplaced) {
    const TempFolder folder;
    const fs::path out = folder / "out";
    const fs::path mesh = out / "02691156_p0001_00_predict.obj";
    fs::create_directories(folder / "none");
    const std::vector<std::string> failing = {"eval", bundledSample("02691156").string(),
                                              "-o",   out.string(),
                                              "--gt", (folder / "none").string()};
    for (int run = 0; run < 3; ++run) {
        EXPECT_EQ(runThreefold(failing).exitCode, 1);
        if (run == 0) overwrite(mesh, "mine");
        EXPECT_EQ(fileText(mesh), "mine");
    }
    const std::string part = (folder / "part").string(), merged = (folder / "merged").string();
    ASSERT_EQ(runThreefold({"eval", bundledSample("02691156").string(), "-o", part, "--warmup", "0",
                            "--tau", "1e-310"})
                  .exitCode,
              0);
    EXPECT_TRUE(fs::exists(fs::path(part) / "report.html"));
    ASSERT_EQ(runThreefold({"merge", part, "-o", merged}).exitCode, 0);
    overwrite(fs::path(merged) / mesh.filename(), "mine");
    ASSERT_EQ(runThreefold({"merge", part, "-o", merged, "--overwrite"}).exitCode, 0);
    EXPECT_EQ(fileText(fs::path(merged) / mesh.filename()), "mine");
}

TEST(Eval, saysThatItComputesASampleAgain_whenItsMeshIsOfAnotherProgram) {
    const TempFolder folder;
    const fs::path mesh = folder / "out/02691156_p0001_00_predict.obj";
    const std::vector<std::string> arguments = {"eval",     bundledSample("02691156").string(),
                                                "-o",       mesh.parent_path().string(),
                                                "--warmup", "0",
                                                "--resume"};
    ASSERT_EQ(runThreefold(arguments).exitCode, 0);
    const std::string written = fileText(mesh);
    const std::string message = mesh.string() + " was changed after this run wrote it";
    const ProcessResult unchanged = runThreefold(arguments);
    EXPECT_EQ(unchanged.exitCode, 0);
    EXPECT_THAT(unchanged.errors, Not(HasSubstr(message)));
    overwrite(mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const ProcessResult resumed = runThreefold(arguments);
    EXPECT_EQ(resumed.exitCode, 0);
    EXPECT_THAT(resumed.errors, HasSubstr(message));
    EXPECT_EQ(fileText(mesh), written);
}

TEST(Eval, replacesAMeshOfNoRun_onlyWhenAsked) {
    const TempFolder folder;
    const fs::path mesh = folder / "out/02691156_p0001_00_predict.obj";
    fs::create_directories(mesh.parent_path());
    overwrite(mesh, "mine");
    std::vector<std::string> arguments = {"eval",     bundledSample("02691156").string(),
                                          "-o",       mesh.parent_path().string(),
                                          "--warmup", "0"};
    const ProcessResult refused = runThreefold(arguments);
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(
        refused.errors,
        AllOf(HasSubstr(mesh.string() + ": already exists and belongs to no run in this folder"),
              HasSubstr("--overwrite")));
    EXPECT_EQ(fileText(mesh), "mine");
    EXPECT_THAT(filesIn(mesh.parent_path()), testing::SizeIs(1))
        << "the refused run must not write a journal";
    arguments.emplace_back("--overwrite");
    EXPECT_EQ(runThreefold(arguments).exitCode, 0);
    EXPECT_NE(fileText(mesh), "mine");
}

TEST(Eval, leavesNoFiles_whenItCannotBegin) {
    const TempFolder folder;
    const std::string list = (kSamples / "list.txt").string();
    const std::string out = (folder / "out").string();
    struct Case {
        std::vector<std::string> arguments;
        int exitCode;
        const char* message;
    };
    overwrite(folder / "empty.txt", "# nothing\n");
    overwrite(folder / "file", "");
    const std::vector<Case> cases = {
        {{"eval", list}, 2, "--output"},
        {{"eval", list, "-o", out, "--tau", "0"}, 2, "above 0"},
        {{"eval", list, "-o", out, "--shard", "3/2"}, 2, "such as 2/4"},
        {{"eval", list, "-o", out, "--images", "/nowhere"}, 1, "/nowhere: is not a folder"},
        {{"eval", list, "-o", out, "--gt", "/nowhere"}, 1, "/nowhere: is not a folder"},
        {{"eval", list, "-o", out, "--resume", "--overwrite"}, 2, "excludes"},
        {{"eval", list, "-o", out, "--views", "0"}, 2, "--views"},
        {{"eval", list, "-o", out, "--amp", "--precision", "fp32"}, 2, "excludes"},
        {{"eval", list, "-o", out, "--stage1_checkpoint", "a"}, 2, "belong together"},
        {{"eval", list, "-o", out, "--model", "m", "--stage2_checkpoint", "a"}, 2, "excludes"},
        {{"eval", list, "-o", out, "--model", "m", "--mesh_data", "a"}, 2, "excludes"},
        {{"eval", (folder / "none.txt").string(), "-o", out}, 1, "none.txt"},
        {{"eval", (folder / "empty.txt").string(), "-o", out}, 1, "names no sample"},
        {{"eval", list, "-o", (folder / "file").string()}, 1, "Not a directory"},
        {{"merge", (folder / "none").string(), "-o", out}, 1, "journal.jsonl"},
        {{"merge", "-o", out}, 2, "DIR"},
    };
    for (const Case& each : cases) {
        const ProcessResult result = runThreefold(each.arguments);
        EXPECT_EQ(result.exitCode, each.exitCode) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr(each.message));
        EXPECT_THAT(result.output, IsEmpty());
        EXPECT_FALSE(fs::exists(out));
    }
}

std::vector<std::string> linesOf(const fs::path& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST(Eval, reportsTheLoss_whenItsFolderIsRemovedMeanwhile) {
    const TempFolder folder;
    const fs::path out = folder / "out";
    Process process({"eval", (kSamples / "list.txt").string(), "-o", out.string(), "--warmup", "0",
                     "--no-meshes"});
    waitForASample(out);
    fs::rename(out, folder / "gone");  // atomic, whichever file is being written
    fs::remove_all(folder / "gone");
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr("nothing is kept: " + out.string() + " was removed"),
                                     Not(HasSubstr("--resume"))));
    EXPECT_FALSE(fs::exists(out));
}

TEST(Eval, reportsTheFitSeparately_whenAskedToFit) {
    const TempFolder folder;
    const std::string sample = bundledSample("02691156").string();
    const std::string plain = (folder / "plain").string();
    const std::string fitted = (folder / "fitted").string();
    ASSERT_EQ(runThreefold({"eval", sample, "-o", plain, "--warmup", "0"}).exitCode, 0);
    const ProcessResult result =
        runThreefold({"eval", sample, "-o", fitted, "--warmup", "0", "--fit", "all"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("fitted to photographs (all+auto)"),
                                     HasSubstr("not comparable with published numbers")));
    EXPECT_TRUE(fs::exists(fs::path(fitted) / "02691156_p0001_00_fitted.obj"));

    const auto before = linesOf(fs::path(plain) / "metrics_results.csv");
    const auto after = linesOf(fs::path(fitted) / "metrics_results.csv");
    ASSERT_EQ(before.size(), 2U);
    ASSERT_EQ(after.size(), 2U);
    EXPECT_THAT(after[0], testing::StartsWith(before[0] + ",fit_views,fit_ms,fit_note,published_"));
    EXPECT_THAT(before[0], Not(HasSubstr("fit")));

    const auto reportOf = [](const std::string& place) {
        return json::parse(std::ifstream(fs::path(place) / "report.json"));
    };
    const json withFit = reportOf(fitted).at("all").at("protocols").at("published").at("measures");
    const json withoutFit =
        reportOf(plain).at("all").at("protocols").at("published").at("measures");
    for (const char* mesh : {"coarse", "refined", "difference"})
        EXPECT_EQ(withFit.at("f_tau").at(mesh), withoutFit.at("f_tau").at(mesh));
    EXPECT_GT(withFit.at("f_tau").at("fitted_difference").at("mean"), 10);
    EXPECT_EQ(withoutFit.at("f_tau").count("fitted"), 0U);

    const SampleRecord record = readJournal(fitted).records.at(0);
    ASSERT_TRUE(record.scores.at(0).fitted());
    EXPECT_EQ(record.silhouettes.size(), 3U);
    EXPECT_TRUE(record.silhouettes.at(0).meshes.fitted());
    EXPECT_GT(record.times.fit.value_or(0), 0);
    const ProcessResult other = runThreefold({"eval", sample, "-o", fitted, "--resume"});
    EXPECT_EQ(other.exitCode, 1);
    EXPECT_THAT(other.errors, HasSubstr("fit: all+auto there, none here"));
}

TEST(Eval, fitsOwnPhotographsByDefault_whenEverySampleHasSix) {
    const TempFolder folder;
    writeDiscScene(folder / "six", 6);
    const std::string scene = (folder / "six").string();
    const std::string out = (folder / "out").string();
    const ProcessResult result =
        runThreefold({"eval", scene, "-o", out, "--warmup", "0", "--vertices", "2000"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("'--fit-views off' skips the fit"));
    const JournalContents journal = readJournal(out);
    EXPECT_EQ(journal.description.identity.fit, "all+auto+2000vertices");
    const SampleRecord& record = journal.records.at(0);
    ASSERT_TRUE(record.fit);
    EXPECT_THAT(record.fit->source, testing::AnyOf(FitSource::hull, FitSource::depth));
    EXPECT_GE(record.fit->sureFraction.value_or(-1), 0);
    EXPECT_GT(record.fit->depthMilliseconds.value_or(0), 0);
    EXPECT_THAT(linesOf(fs::path(out) / "metrics_results.csv").at(0),
                testing::EndsWith(",fit_surface,depth_sure,depth_ms"));

    std::ofstream(folder / "mixed.txt") << scene << '\n' << bundledSample("02691156").string();
    const std::string mixed = (folder / "mixed").string();
    const ProcessResult both =
        runThreefold({"eval", (folder / "mixed.txt").string(), "-o", mixed, "--warmup", "0"});
    EXPECT_EQ(both.exitCode, 0) << both.errors;
    EXPECT_FALSE(readJournal(mixed).description.identity.fit);
    const ProcessResult none = runThreefold({"eval", bundledSample("02691156").string(), "-o",
                                             (folder / "none").string(), "--vertices", "2000"});
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_THAT(none.errors, HasSubstr("--vertices: 2000: no mesh is fitted"));
}

TEST(Eval, namesThePhotographsThatTheFitLeftOut) {
    const TempFolder folder;
    const fs::path sampleFolder = copySample("02691156", folder.path());
    std::ofstream(sampleFolder / "rendering" / "03.png") << "no picture";
    const std::string out = (folder / "out").string();
    const ProcessResult result =
        runThreefold({"eval", sampleFolder.string(), "-o", out, "--warmup", "0", "--fit", "8"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("sample 1: 02691156_p0001_00: view 3: "));
    const SampleRecord record = readJournal(out).records.at(0);
    EXPECT_THAT(record.fitNote.value_or(""), HasSubstr("view 3: "));
    ASSERT_TRUE(record.fit && record.fit->usedViews);
    EXPECT_THAT(*record.fit->usedViews, AllOf(Not(IsEmpty()), Not(testing::Contains(3))));
}

}  // namespace
}  // namespace threefold::test
