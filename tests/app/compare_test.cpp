#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/compare/requirements.h"
#include "app/compare/sides.h"
#include "engine/error.h"
#include "tests/app/process.h"
#include "tests/engine/evaluation/fake_run.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kList = (fs::path(THREEFOLD_RESOURCES) / "samples/list.txt").string();

json comparedJson(const ProcessResult& result) {
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    return json::parse(result.output).at("comparisons").at(0);
}

/// Evaluates the bundled samples into folders. A run takes seconds, so each test makes only the
/// runs that it compares.
class ComparedFolders : public testing::Test {
  protected:
    std::string runOf(const char* name, const char* views = "0,6,7") const {
        const std::string out = (folder_ / name).string();
        EXPECT_EQ(runThreefold({"eval", kList, "-o", out, "--views", views}).exitCode, 0);
        return out;
    }

    /// Folder with only the meshes of a run, under names without `_predict`.
    std::string meshesOf(const std::string& run) const {
        const fs::path alone = folder_ / "alone";
        fs::create_directory(alone);
        for (const auto& entry : fs::directory_iterator(run)) {
            const std::string name = entry.path().filename().string();
            const std::size_t ending = name.find("_predict.obj");
            if (ending != std::string::npos)
                fs::copy_file(entry.path(), alone / (name.substr(0, ending) + ".obj"));
        }
        return alone.string();
    }

    const TempFolder folder_;
};

TEST_F(ComparedFolders, agreeWithAnIndependentScript) {
    const std::string a = runOf("a");
    const std::string b = runOf("b", "3,9,15");
    const json made = comparedJson(runThreefold({"compare", a, b, "--json"}));
    const fs::path recomputed = folder_ / "recomputed.json";
    ASSERT_EQ(std::system(fmt::format("python3 '{}/app/compare_runs.py' '{}' '{}' > '{}'",
                                      THREEFOLD_TEST_DATA, a, b, recomputed.string())
                              .c_str()),
              0);
    std::ifstream file(recomputed);
    const json script = json::parse(file);
    for (const char* key : {"chamfer", "f_tau", "f_2tau", "normal_consistency"}) {
        const json& ours = made.at("all").at("measures").at(key);
        const json& theirs = script.at(key);
        EXPECT_NEAR(ours.at("a").at("mean"), theirs.at("a"), 1e-12) << key;
        EXPECT_NEAR(ours.at("b").at("mean"), theirs.at("b"), 1e-12) << key;
        EXPECT_NEAR(ours.at("difference").at("mean"), theirs.at("difference"), 1e-12) << key;
        EXPECT_NEAR(ours.at("correlation"), theirs.at("correlation"), 1e-9) << key;
        EXPECT_EQ(ours.at("within_1_percent"), theirs.at("within")) << key;
    }
    EXPECT_NEAR(made.at("times").at(0).at("speedup"), script.at("speedup"), 1e-9);
    for (const char* key : {"mean", "p99_5", "largest"})
        EXPECT_NEAR(made.at("meshes").at(key), script.at("meshes").at(key), 1e-7) << key;
}

TEST_F(ComparedFolders, areEqual_whenTheyAreOne) {
    const std::string a = runOf("a");
    const json same = comparedJson(runThreefold({"compare", a, a, "--json"}));
    EXPECT_EQ(same.at("agreement"), 100);
    EXPECT_EQ(same.at("meshes").at("largest"), 0);

    const fs::path page = folder_ / "new/deeper";
    const ProcessResult written = runThreefold({"compare", a, a, "-o", page.string()});
    EXPECT_EQ(written.exitCode, 0) << written.errors;
    EXPECT_TRUE(fs::is_regular_file(page / "compare.html"));
}

TEST_F(ComparedFolders, equalARunMadeNow_whenTheChoicesAreTheSame) {
    const std::string a = runOf("a");
    const json live = comparedJson(
        runThreefold({"compare", "cpu:float32", a, "--list", kList, "--runs", "1", "--json"}));
    EXPECT_EQ(live.at("agreement"), 100) << "both runs must use the same views";
    EXPECT_LT(live.at("meshes").at("largest"), 1e-6)
        << "meshes may differ by the rounding to a file's six decimals";
    EXPECT_EQ(live.at("times").at(0).at("key"), "network");
    for (const char* side : {"a", "b"})
        EXPECT_GT(live.at(side).at("total_ms").at("mean"),
                  live.at(side).at("network_ms").at("mean"))
            << side << ": preprocessing takes time";
}

TEST_F(ComparedFolders, passOrFailAGate_whenOneHasMeshesAlone) {
    const std::string a = runOf("a");
    const std::string alone = meshesOf(a);
    const ProcessResult gate = runThreefold({"compare", a, alone, "--list", kList, "--require",
                                             "agreement>=99.99, f_tau>=-0.01, distance<=1e-5"});
    EXPECT_EQ(gate.exitCode, 0) << gate.errors;
    const ProcessResult absolute =
        runThreefold({"compare", alone, a, "--list", kList, "--require",
                      "network<=1e6, total<=1e6, p95<=1e6, slowest<=1e6"});
    EXPECT_EQ(absolute.exitCode, 0) << absolute.errors;
    const ProcessResult tooSlow = runThreefold({"compare", a, a, "--require", "A.slowest<=0.001"});
    EXPECT_EQ(tooSlow.exitCode, 1);
    EXPECT_THAT(tooSlow.errors, HasSubstr("A.slowest<=0.001 is required"));
    const ProcessResult broken =
        runThreefold({"compare", a, alone, "--list", kList, "--require", "speedup>=1.2"});
    EXPECT_EQ(broken.exitCode, 1);
    EXPECT_THAT(broken.errors, HasSubstr("speedup was not measured, speedup>=1.2 is required"));
}

TEST(Compare, explainsARefusal_whenOptionsAreWrong) {
    const auto errorOf = [](std::vector<std::string> words) {
        words.insert(words.begin(), "compare");
        const ProcessResult result = runThreefold(words);
        EXPECT_EQ(result.exitCode, 2);
        return result.errors;
    };
    EXPECT_THAT(errorOf({"nothing", "cpu"}), HasSubstr("is neither a folder, a model file"));
    EXPECT_THAT(errorOf({"cpu"}), HasSubstr("nothing to be compared with"));
    EXPECT_THAT(errorOf({"cpu", "cpu:bfloat16"}), HasSubstr("needs a list of samples"));
    EXPECT_THAT(errorOf({"cpu", "cpu:float12"}), HasSubstr("float12"));
    EXPECT_THAT(errorOf({"cpu", "cpu:library"}), HasSubstr("library"));
    EXPECT_THAT(errorOf({"cpu", "cpu:int8", "--list", kList, "--require", "speed>1"}),
                HasSubstr("'speed' is no key"));
    EXPECT_THAT(errorOf({"cpu", "cpu:int8", "--list", kList, "--figures", "2"}),
                HasSubstr("Add -o DIR"));
    const TempFolder folder;
    std::ofstream(folder / "compare.html") << "mine";
    EXPECT_THAT(errorOf({"cpu", "cpu:int8", "--list", kList, "-o", folder.path().string()}),
                HasSubstr("compare.html: exists, and is not a comparison"));
    std::filesystem::remove(folder / "compare.html");
    std::filesystem::create_directory(folder / "figures");
    std::ofstream(folder / "figures/sheet.svg") << "mine";
    EXPECT_THAT(errorOf({"cpu", "cpu:int8", "--list", kList, "--figures", "2", "-o",
                         folder.path().string()}),
                HasSubstr("sheet.svg: exists, and is not an SVG"));
}

TEST(SideFromWord, isABackEnd_whenAFolderHasTheSameName) {
    const TempFolder folder;
    const fs::path before = fs::current_path();
    fs::create_directory(folder / "cpu");
    fs::current_path(folder.path());
    const ComparedSide choice = parseSide("cpu", {});
    const ComparedSide meshes = parseSide("./cpu", {});
    fs::current_path(before);
    EXPECT_TRUE(std::holds_alternative<ModelOptions>(choice.source));
    ASSERT_TRUE(std::holds_alternative<MeshFolder>(meshes.source));
    EXPECT_EQ(std::get<MeshFolder>(meshes.source).path, "./cpu");
}

TEST(Requirements, areBroken_whenTheComparisonIsOutside) {
    const ComparedRun before{"before", fakeRun(20, 3, 0), {}};
    ComparedRun after = before;
    for (SampleRecord& record : after.evaluation.records) {
        record.times.network /= 1.5;
        record.scores.front().result().measures.atTau().fScore -= 1;
    }
    const Comparison made = compareRuns(before, after);
    EXPECT_THAT(
        violatedRequirements(
            made, requirementsFrom("speedup >= 1.49, f_tau>=-1.01,agreement>=99, chamfer<=0")),
        IsEmpty());
    EXPECT_THAT(violatedRequirements(made, requirementsFrom("speedup>=1.6,f_tau>-1")),
                ElementsAre("speedup is 1.5, speedup>=1.6 is required",
                            AllOf(HasSubstr("f_tau is -1"), HasSubstr("f_tau>-1 is required"))));
    Comparison lacking = made;
    lacking.onlyInFirstCount = 2;
    EXPECT_THAT(violatedRequirements(lacking, requirementsFrom("speedup>=1")),
                ElementsAre("B lacks 2 samples of A"));
    EXPECT_THAT(violatedRequirements(made, requirementsFrom("distance<1")),
                ElementsAre("distance was not measured, distance<1 is required"));
    for (const char* wrong : {"A.speedup>=1", "C.network<=1", "a.network<=1", "A.<=1", "speedup",
                              "speedup>=", "speedup=>1", "speedup>=x", "speedup>=nan", "no>=1"})
        EXPECT_THROW(requirementsFrom(wrong), UsageError) << wrong;
}

TEST(Requirements, countASampleAsWithin_onlyWhenBothMeasuresAre) {
    const ComparedRun before{"before", fakeRun(20, 3, 0), {}};
    ComparedRun after = before;
    for (std::size_t i = 0; i < after.evaluation.records.size(); ++i) {
        ChamferAndFScores& measures = after.evaluation.records[i].scores.front().result().measures;
        if (i % 2 == 0)
            measures.chamfer *= 2;
        else
            measures.atTau().fScore *= 0.5;
    }
    const Comparison made = compareRuns(before, after);
    EXPECT_EQ(made.all.statisticsOf("chamfer")->similarCount, 10U);
    EXPECT_EQ(made.all.statisticsOf("f_tau")->similarCount, 10U);
    EXPECT_EQ(made.similarCount(), 0U);
    EXPECT_THAT(violatedRequirements(made, requirementsFrom("within>=1")),
                ElementsAre("within is 0, within>=1 is required"));
    EXPECT_EQ(compareRuns(before, before).similarCount(), 20U);
}

TEST(Requirements, areRefused_whenTheirTextIsHuge) {
    EXPECT_THROW(requirementsFrom(std::string(1'000'000, 'x') + ">=1"), UsageError);
    EXPECT_THROW(requirementsFrom("f_tau>=" + std::string(1'000'000, ' ')), UsageError);
}

TEST(Requirements, boundOneRun_independentlyOfTheOther) {
    ComparedRun before{"before", fakeRun(20, 3, 0), {}};
    for (SampleRecord& record : before.evaluation.records) {
        record.times.network = 200;
        record.times.preprocess = 2;
    }
    ComparedRun after = before;
    for (SampleRecord& record : after.evaluation.records) record.times.network = 40;
    after.evaluation.records[3].times.network = 120;
    after.evaluation.records[7].times.network = 60;
    const Comparison made = compareRuns(before, after);
    const auto broken = [&](const char* text) {
        return violatedRequirements(made, requirementsFrom(text));
    };
    EXPECT_THAT(broken("network<=45, total<=47,p95<=60, slowest<=120, A.network<=200, A.p95<=200, "
                       "A.total>201, B.network<=45"),
                IsEmpty());
    EXPECT_THAT(
        broken("network<45, total<47, p95<60, slowest<=100, A.network<=100"),
        ElementsAre("network is 45, network<45 is required", "total is 47, total<47 is required",
                    "p95 is 60, p95<60 is required", "slowest is 120, slowest<=100 is required",
                    "A.network is 200, A.network<=100 is required"));
    const double f = made.all.statisticsOf("f_tau")->second.mean;
    EXPECT_THAT(
        broken(
            fmt::format("B.f_tau>={:.9f}, A.f_tau>={:.9f}, f_tau>=0", f - 1e-6, f - 1e-6).c_str()),
        IsEmpty());
    EXPECT_THAT(broken(fmt::format("B.f_tau>{:.9f}", f + 1e-6).c_str()),
                ElementsAre(HasSubstr("B.f_tau is ")));
}

TEST(Requirements, needNoTimes_ofTheOtherRun) {
    ComparedRun before{"meshes", fakeRun(20, 3, 0), {}};
    const ComparedRun after = before;
    for (SampleRecord& record : before.evaluation.records) record.times = {};
    const Comparison made = compareRuns(before, after);
    EXPECT_THAT(violatedRequirements(made, requirementsFrom("network<=100000")), IsEmpty());
    EXPECT_THAT(violatedRequirements(made, requirementsFrom("A.network<=100000")),
                ElementsAre("A.network was not measured, A.network<=100000 is required"));
    ComparedRun partly = after;
    partly.evaluation.records[2].times.network = 0;
    EXPECT_THAT(
        violatedRequirements(compareRuns(after, partly), requirementsFrom("slowest<=100000")),
        ElementsAre("slowest was not measured, slowest<=100000 is required"));
}

}  // namespace
}  // namespace threefold::test
