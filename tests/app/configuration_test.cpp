#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/configuration/bind_settings.h"
#include "app/configuration/configuration.h"
#include "app/configuration/setting.h"
#include "app/console/nearest_name.h"
#include "app/options/open_network.h"
#include "engine/measures/scores.h"
#include "engine/pipeline/pipeline.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/render_options.h"
#include "tests/app/bundled.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// Configuration template in which every key that has a default is set to it.
std::string everyDefaultSet() {
    std::string text = configurationTemplate();
    for (const Setting* setting : allSettings()) {
        if (setting->defaultValue == nullptr) continue;
        const std::string key = std::string("\n#") + std::string(nameOf(*setting)) + " = ";
        const std::size_t table = text.find('[' + std::string(tableOf(*setting)) + "]\n");
        const std::size_t at = text.find(key, table);
        if (at == std::string::npos) {
            ADD_FAILURE() << setting->key;
        } else {
            text.erase(at + 1, 1);
        }
    }
    return text;
}

class ConfigurationFile : public testing::Test {
  protected:
    std::filesystem::path file() const { return folder_ / "threefold.toml"; }

    Configuration read(const std::string& text) const {
        overwrite(file(), text);
        return readConfiguration({file()});
    }

    /// Message about the only problem of a file with this text, without the file's name.
    std::string problem(const std::string& text) const {
        const Configuration found = read(text);
        EXPECT_THAT(found.problems, SizeIs(1)) << text;
        if (found.problems.empty()) return {};
        const std::string line = Error(found.problems.front()).what();
        EXPECT_THAT(line, StartsWith(file().string() + ": "));
        return line.substr(std::min(line.size(), file().string().size() + 2));
    }

    std::string text(const std::string& toml, const Setting& setting) const {
        overwrite(file(), toml);
        const Configuration found = readConfiguration({file()});
        EXPECT_THAT(found.problems, IsEmpty()) << toml;
        return found.text(setting).value_or("none");
    }

    const TempFolder folder_;
};

TEST(ConfigSettings, haveUniqueKeys_andValidDefaultsOrExamples) {
    std::vector<std::string> keys;
    for (const Setting* setting : allSettings()) {
        SCOPED_TRACE(setting->key);
        keys.emplace_back(setting->key);
        EXPECT_EQ(findSetting(setting->key), setting);
        EXPECT_EQ(std::ranges::count(keys.back(), '.'), 1);
        EXPECT_NE(std::string(setting->meaning), "");
        const bool chooses = setting->choices != nullptr || setting->check != nullptr;
        EXPECT_EQ(chooses, setting->type == Setting::Type::word);
        const char* const value =
            setting->defaultValue != nullptr ? setting->defaultValue : setting->example;
        for (const std::string& each : valuesOf(*setting, value))
            EXPECT_EQ(problemOf(*setting, each), "");
        EXPECT_EQ(*setting->noValueText != '\0', setting->defaultValue == nullptr);
    }
    std::ranges::sort(keys);
    EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(ConfigSettings, agreeWithTheEngine) {
    EXPECT_EQ(std::stod(setting::tau.defaultValue), kTau);
    const PipelineOptions pipeline;
    EXPECT_EQ(std::stoul(setting::loaders.defaultValue), pipeline.loaders);
    EXPECT_EQ(std::stoul(setting::finishers.defaultValue), pipeline.finishers);
    EXPECT_EQ(std::stoul(setting::pipelineMemory.defaultValue) << 20U, pipeline.memoryBytes);
    EXPECT_EQ(std::stod(setting::batchWait.defaultValue), pipeline.maxWaitMilliseconds);
    const CudaTuning gpu;
    EXPECT_EQ(std::stoi(setting::streams.defaultValue), gpu.streams);
    EXPECT_TRUE(gpu.cudaGraphs && gpu.pinned);
    EXPECT_EQ(std::stoul(setting::gpuMemory.defaultValue), gpu.memoryBytes);
    EXPECT_EQ(std::stoul(setting::graphCache.defaultValue) << 20U, gpu.maxCudaGraphBytes);
    EXPECT_EQ(std::chrono::duration<double>(std::stod(setting::maxListWait.defaultValue)),
              Scheduler::kDefaultMaxListWait);
    const RenderOptions rendered;
    EXPECT_EQ(std::stoi(setting::renderedSize.defaultValue), rendered.side);
    EXPECT_EQ(std::stoul(setting::truthPoints.defaultValue), rendered.points);
    EXPECT_EQ(setting::rasterTier.defaultValue, rasterTierName(rendered.raster.tier));
    std::vector<std::string> names = {"auto"};
    for (const BackendOpener& opener : backendOpeners()) names.emplace_back(opener.kind.name);
    EXPECT_EQ(setting::backend.choices(), names);
}

TEST_F(ConfigurationFile, givesTheDefaults_whenTheTemplateSetsThem) {
    overwrite(file(), everyDefaultSet());
    const Configuration found = readConfiguration({file()});
    EXPECT_THAT(found.problems, IsEmpty());
    for (const Setting* setting : allSettings()) {
        SCOPED_TRACE(setting->key);
        EXPECT_EQ(found.find(*setting) != nullptr, setting->defaultValue != nullptr);
        if (setting->defaultValue == nullptr) continue;
        const bool number = setting->type == Setting::Type::number;
        const std::string text = found.text(*setting).value_or("");
        if (number) {
            EXPECT_EQ(std::stod(text), std::stod(setting->defaultValue));
        } else {
            EXPECT_EQ(text, setting->defaultValue);
        }
    }
}

TEST_F(ConfigurationFile, setsNothing_whenItIsTheTemplateOrEmpty) {
    for (const std::string& toml :
         {configurationTemplate(), std::string(), std::string("\xef\xbb\xbf# nothing\r\n"),
          std::string("[network]\n[evaluation]\n")}) {
        const Configuration found = read(toml);
        EXPECT_THAT(found.values, IsEmpty()) << toml;
        EXPECT_THAT(found.problems, IsEmpty()) << toml;
    }
}

TEST_F(ConfigurationFile, keepsExamplesOfTheTemplate_whenTheyAreSet) {
    for (const Setting* setting : allSettings()) {
        if (setting->defaultValue != nullptr || setting->type == Setting::Type::path) continue;
        const std::string toml = "[" + std::string(tableOf(*setting)) + "]\n" +
                                 std::string(nameOf(*setting)) + " = " +
                                 tomlText(*setting, setting->example) + "\n";
        EXPECT_EQ(text(toml, *setting), setting->example);
    }
}

TEST_F(ConfigurationFile, givesItsValues_whenTheyAreValid) {
    EXPECT_EQ(text("[network]\nthreads = 3\n", setting::threads), "3");
    EXPECT_EQ(text("network.threads = 0x10", setting::threads), "16");
    EXPECT_EQ(text("network = { threads = 1024 }", setting::threads), "1024");
    EXPECT_EQ(text("[evaluation]\ntau = 2e-3", setting::tau), "0.002");
    EXPECT_EQ(text("[evaluation]\ntau = 1", setting::tau), "1");  // an integer is a number
    EXPECT_EQ(text("[evaluation]\nmeshes = false", setting::meshes), "false");
    EXPECT_EQ(text("[reconstruction]\nviews = [0, 3,\n 9]", setting::views), "0,3,9");
    EXPECT_EQ(text("[reconstruction]\nfit = \"6+colour\"", setting::fit), "6+colour");
    EXPECT_EQ(text("[reconstruction]\nfit = 6", setting::fit), "6");
    EXPECT_EQ(text("[network]\ndevice = 1", setting::device), "1");
    EXPECT_EQ(text("[network]\nprecision = 'bf16'", setting::precision), "bf16");
}

TEST_F(ConfigurationFile, givesItsValues_whenItHasKeysOfEarlierReleases) {
    EXPECT_EQ(text("[reconstruction]\nlevel = 'all'", setting::writtenStage), "all");
    EXPECT_EQ(text("[reconstruction]\nstage = 'coarse'\nlevel = 'all'", setting::writtenStage),
              "coarse");
    EXPECT_EQ(text("[evaluation]\nstages = 'off'", setting::stepTimes), "off");
}

TEST_F(ConfigurationFile, findsModelsBesideItself_whenTheirPathIsRelative) {
    EXPECT_EQ(text("[network]\nmodel = 'a/../b.safetensors'", setting::model),
              (folder_ / "b.safetensors").string());
    EXPECT_EQ(text("[network]\nmodel = '/b.safetensors'", setting::model), "/b.safetensors");
}

TEST_F(ConfigurationFile, suggestsTheNearestKey_whenAKeyIsUnknown) {
    EXPECT_EQ(problem("\n[network]\nthraeds = 3\n"),
              "line 3: there is no key network.thraeds. Did you mean network.threads?");
    EXPECT_EQ(problem("[network]\ntau = 3\n"),
              "line 2: there is no key network.tau. Did you mean evaluation.tau?");
    EXPECT_EQ(problem("threads = 3\n"),
              "line 1: there is no key threads. Did you mean network.threads?");
    EXPECT_EQ(problem("[netwrok]\nthreads = 3\n"),
              "line 1: there is no table [netwrok]. Did you mean [network]?");
    EXPECT_EQ(problem("[evaluation]\nwindow = 3\n"),
              "line 2: there is no key evaluation.window. `threefold config --template` explains "
              "every key.");
}

TEST_F(ConfigurationFile, namesTheExpectedType_whenATypeIsWrong) {
    EXPECT_THAT(problem("[network]\nthreads = \"four\""),
                StartsWith("line 2, network.threads: is a text; expected an integer."));
    EXPECT_THAT(problem("[network]\nthreads = 1.5"),
                StartsWith("line 2, network.threads: is a number; expected an integer."));
    EXPECT_THAT(problem("[network]\nthreads = 1979-05-27"), HasSubstr("is a date or time;"));
    EXPECT_THAT(problem("[network.threads]\nn = 3"), HasSubstr("is a table; expected an integer"));
    EXPECT_THAT(problem("[[network]]\nthreads = 3"),
                StartsWith("line 1: network is a list, expected a table. Write [network], once."));
    EXPECT_THAT(problem("network = 3"), HasSubstr("network is an integer, expected a table"));
    EXPECT_THAT(problem("[evaluation]\nmeshes = 1"), HasSubstr("expected true or false"));
    EXPECT_THAT(problem("[evaluation]\ntau = '1e-4'"), HasSubstr("is a text; expected a number"));
    EXPECT_THAT(problem("[reconstruction]\nviews = 3"),
                HasSubstr("is an integer; expected a list of integers"));
    EXPECT_THAT(problem("[reconstruction]\nviews = [0, 'six', 7]"),
                HasSubstr("holds a text; expected a list of integers"));
    EXPECT_THAT(problem("[reconstruction]\nlevel = ['all']"), HasSubstr("is a list"));
}

TEST_F(ConfigurationFile, namesTheRange_whenAValueIsOutOfRange) {
    EXPECT_THAT(problem("[network]\nthreads = 1025"),
                StartsWith("line 2, network.threads: 1025: expected 0 to 1024."));
    EXPECT_THAT(problem("[network]\nthreads = -1"), HasSubstr("-1: expected 0 to 1024"));
    EXPECT_THAT(problem("[pipeline]\nbatch = 0"), HasSubstr("0: expected 1 to 4096"));
    EXPECT_EQ(problemOf(setting::batchWait, "0"), "");
    EXPECT_THAT(problem("[pipeline]\nbatch_wait = -1"), HasSubstr("-1: expected 0 to 10000"));
    for (const char* tau : {"0", "0.0", "-1", "nan", "inf", "-inf"})
        EXPECT_THAT(problem(std::string("[evaluation]\ntau = ") + tau),
                    HasSubstr("expected above 0"));
    EXPECT_EQ(problem("[network]\nbackend = 'cudda'"),
              "line 2, network.backend: cudda: expected auto, cpu or cuda. Did you mean cuda?");
    EXPECT_THAT(problem("[network]\nprecision = 'float7'"),
                HasSubstr("there is no such precision"));
    EXPECT_THAT(problem("[reconstruction]\nfit = 'some'"), HasSubstr("'some' names no views"));
    EXPECT_THAT(problem("[network]\nmodel = ''"), HasSubstr("expected a file"));
    EXPECT_THAT(problem("[network]\nmodel = \"a\\u0000b\""), HasSubstr("control character"));
    EXPECT_THAT(problem("[network]\nbackend = \"\\u001b[31m\""), HasSubstr("control character"));
    EXPECT_THAT(problem("[network]\nmodel = \"\\u009b31m\""), HasSubstr("control character"));
    for (const char* views : {"[]", "[0]", "[0, 1, 1]", "[0,1,2,3,4,5,6,7,8]"})
        EXPECT_THAT(problem(std::string("[reconstruction]\nviews = ") + views),
                    HasSubstr("expected 2 to 8, no two alike"));
    EXPECT_THAT(problem("[reconstruction]\nviews = [0, -6, 7]"), HasSubstr("-6: expected"));
}

TEST_F(ConfigurationFile, isRefusedWithItsLine_whenItIsNotToml) {
    EXPECT_THAT(problem("[network]\nthreads = 3\nthreads = 4\n"),
                AllOf(StartsWith("line 3: "), HasSubstr("redefine")));
    EXPECT_THAT(problem("[network]\nthreads = 3\n[network]\n"), StartsWith("line 3: "));
    EXPECT_THAT(problem("[network]\nthreads = 3 4\n"), StartsWith("line 2: "));
    EXPECT_THAT(problem("# one\nmodel = \"\xff\xfe\"\n"),
                AllOf(StartsWith("line 2: "), HasSubstr("utf-8")));
    EXPECT_THAT(problem("[network]\nthreads = 99999999999999999999"), StartsWith("line 2: "));
    EXPECT_THAT(problem(std::string("[network]\n\0threads = 3", 21)),
                StartsWith("line 2: holds a zero byte."));
    EXPECT_THAT(problem("PK\x03\x04"), StartsWith("line 1: "));
    EXPECT_THAT(problem(std::string("\xff\xfe[\0n\0]\0", 8)), StartsWith("line 1: "));
}

TEST_F(ConfigurationFile, neverEndsTheProgram_whenTruncatedAnywhere) {
    const std::string whole = everyDefaultSet();
    for (std::size_t length = 0; length < whole.size(); length += 7) {
        const Configuration found = read(whole.substr(0, length));
        EXPECT_LE(found.values.size(), allSettings().size());
    }
}

TEST_F(ConfigurationFile, isRefused_whenItIsAFolder) {
    const Configuration folder = readConfiguration({folder_.path()});
    EXPECT_THAT(folder.values, IsEmpty());
    ASSERT_THAT(folder.problems, SizeIs(1));
    EXPECT_EQ(folder.problems.front().subject, folder_.path().string());
    EXPECT_THAT(readConfiguration({folder_ / "none"}).problems, SizeIs(1));
}

TEST_F(ConfigurationFile, isRefused_whenItIsHuge) {
    overwrite(file(), "");
    std::filesystem::resize_file(file(), std::uintmax_t{1} << 40U);
    EXPECT_THAT(readConfiguration({file()}).problems, SizeIs(1));
}

TEST_F(ConfigurationFile, isRefused_whenItIsUnreadable) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    overwrite(file(), "[network]\nthreads = 3\n");
    std::filesystem::permissions(file(), std::filesystem::perms::none);
    EXPECT_THAT(readConfiguration({file()}).problems, SizeIs(1));
}

TEST_F(ConfigurationFile, isRead_whenALinkLeadsToIt) {
    overwrite(folder_ / "real.toml", "[network]\nthreads = 3\n");
    std::filesystem::create_symlink("real.toml", file());
    EXPECT_THAT(readConfiguration({file()}).values, SizeIs(1));
}

TEST_F(ConfigurationFile, isReadOrRefused_whenNestedAsDeepAsItsSizeAllows) {
    std::string dotted = "a";
    while (dotted.size() < 16'000) dotted += ".a";
    EXPECT_THAT(problem(dotted + " = 1"), HasSubstr("there is no table [a]"));
    EXPECT_THAT(problem(dotted + " = 1\n!"), StartsWith("line 2: "));
    EXPECT_THAT(problem("x = " + std::string(16'000, '[')), StartsWith("line 1: "));
}

TEST_F(ConfigurationFile, isReportedInOneShortLine_whenItsNamesAreLong) {
    EXPECT_LE(problem("[network]\n" + std::string(16'000, 'k') + " = 1").size(), 300U);
    EXPECT_LE(problem("[network]\nbackend = '" + std::string(16'000, 'k') + "'").size(), 300U);
}

TEST_F(ConfigurationFile, reportsAllMistakes_inTheOrderOfTheLines) {
    const Configuration found =
        read("[window_]\n[network]\nzz = 1\nthreads = 5000\nbackend = 'cpu'\naa = 2\n");
    std::vector<std::string> places;
    for (const ErrorReport& report : found.problems) places.push_back(report.place);
    EXPECT_THAT(places, ElementsAre("line 1", "line 3", "line 4, network.threads", "line 6"));
    ASSERT_THAT(found.values, SizeIs(1));  // the valid value is still used
    EXPECT_EQ(found.values.front().setting, &setting::backend);
    EXPECT_EQ(found.values.front().line, 5U);
}

TEST(Configuration, takesEachKeyFromTheFirstFileThatSetsIt) {
    const TempFolder folder;
    overwrite(folder / "here.toml", "[network]\nthreads = 3\n");
    overwrite(folder / "user.toml", "[network]\nthreads = 5\nbackend = 'cpu'\n");
    const Configuration found = readConfiguration({folder / "here.toml", folder / "user.toml"});
    EXPECT_EQ(found.text(setting::threads), "3");
    EXPECT_EQ(found.text(setting::backend), "cpu");
    EXPECT_EQ(found.text(setting::tau), setting::tau.defaultValue);
    EXPECT_EQ(found.text(setting::precision), std::nullopt);
    EXPECT_EQ(found.find(setting::backend)->origin(), (folder / "user.toml").string() + ", line 3");
    EXPECT_EQ(found.find(setting::tau), nullptr);
}

TEST(ConfigurationText, setsTheSameValues_whenReadBack) {
    const TempFolder folder;
    overwrite(folder / "a.toml",
              "[network]\nmodel = 'odd \"name\\'\n[reconstruction]\nviews = [1, 2, 3]\n"
              "[evaluation]\nemd = true\ntau = 5e-5\n");
    const Configuration found = readConfiguration({folder / "a.toml"});
    overwrite(folder / "b.toml", configurationText(found));
    const Configuration again = readConfiguration({folder / "b.toml"});
    EXPECT_THAT(again.problems, IsEmpty());
    for (const Setting* setting : allSettings()) {
        SCOPED_TRACE(setting->key);
        const auto before = found.text(*setting);
        const auto after = again.text(*setting);
        ASSERT_EQ(before.has_value(), after.has_value());
        if (!before) continue;
        if (setting->type == Setting::Type::number) {
            EXPECT_EQ(std::stod(*before), std::stod(*after));
        } else {
            EXPECT_EQ(*before, *after);
        }
    }
}

TEST(NearestName, hasTheFewestEdits) {
    const std::vector<std::string> names = {"threads", "tau", "backend", "batch"};
    EXPECT_EQ(nearestName("thread", names), "threads");
    EXPECT_EQ(nearestName("htreads", names), "threads");  // two neighbours swapped: one edit
    EXPECT_EQ(nearestName("tua", names), "tau");
    EXPECT_EQ(nearestName("bach", names), "batch");
    EXPECT_EQ(nearestName("backend", names), "backend");
}

TEST(NearestName, isEmpty_whenNoNameIsNear) {
    const std::vector<std::string> names = {"threads", "tau"};
    for (const char* typed : {"", "window", "x", "threadsthreads"})
        EXPECT_EQ(nearestName(typed, names), "") << typed;
    EXPECT_EQ(nearestName("tau", {}), "");
}

/// A command line with options of some settings, and a subcommand that has one of them, too.
class SettingOptions : public testing::Test {
  protected:
    SettingOptions() {
        addSetting(program_, setting::threads, threads_);
        addSetting(program_, setting::formats, formats_);
        addSetting(program_, setting::tau, tau_);
        addSetting(program_, setting::meshes, meshes_);
        addSetting(program_, setting::earthMovers, earthMovers_);
        addSettingWord(program_, setting::fit, [this](const std::string& word) {
            fit_ = word.empty() ? "alone" : word;
        })->expected(0, 1);
        program_.add_option("--batch", otherBatch_);
        command_ = program_.add_subcommand("below");
        addSetting(*command_, setting::threads, threads_);
    }

    void parse(std::vector<std::string> words) {
        std::ranges::reverse(words);
        program_.parse(words);
    }

    Configuration apply(const std::string& toml) {
        const TempFolder folder;
        overwrite(folder / "file.toml", toml);
        Configuration configuration = readConfiguration({folder / "file.toml"});
        EXPECT_THAT(configuration.problems, IsEmpty());
        std::vector<CLI::App*> commands = {&program_};
        if (command_->parsed()) commands.push_back(command_);
        applyConfiguration(configuration, commands);
        return configuration;
    }

    CLI::App program_;
    CLI::App* command_ = nullptr;
    int threads_ = -1;
    std::vector<std::string> formats_;
    double tau_ = -1;
    bool meshes_ = false;
    bool earthMovers_ = true;
    std::string fit_;
    int otherBatch_ = 7;
};

TEST_F(SettingOptions, haveTheDefaults_whenNothingIsGiven) {
    parse({});
    EXPECT_EQ(threads_, 0);
    EXPECT_THAT(formats_, ElementsAre("obj", "xyz"));
    EXPECT_EQ(tau_, 1e-4);
    EXPECT_TRUE(meshes_);
    EXPECT_FALSE(earthMovers_);
    EXPECT_EQ(fit_, "auto");
}

TEST_F(SettingOptions, haveTheFilesValues_whenTheCommandLineLeavesThemOut) {
    parse({});
    apply(
        "[network]\nthreads = 3\n[reconstruction]\nformats = ['ply']\nfit = 'all'\n"
        "[evaluation]\ntau = 2e-3\nmeshes = false\nemd = true\n[pipeline]\nbatch = 9\n");
    EXPECT_EQ(threads_, 3);
    EXPECT_THAT(formats_, ElementsAre("ply"));
    EXPECT_EQ(tau_, 2e-3);
    EXPECT_FALSE(meshes_);
    EXPECT_TRUE(earthMovers_);
    EXPECT_EQ(fit_, "all");
    EXPECT_EQ(otherBatch_, 7);  // --batch of this program is not pipeline.batch's option
}

TEST_F(SettingOptions, haveTheCommandLinesValues_whateverTheFileSays) {
    parse({"--threads", "5", "--format", "stl,obj", "--tau", "3", "--no-meshes", "--emd", "--fit"});
    apply(
        "[network]\nthreads = 3\n[reconstruction]\nformats = ['ply']\nfit = 'all'\n"
        "[evaluation]\ntau = 2e-3\nmeshes = true\nemd = false\n");
    EXPECT_EQ(threads_, 5);
    EXPECT_THAT(formats_, ElementsAre("stl", "obj"));
    EXPECT_EQ(tau_, 3);
    EXPECT_FALSE(meshes_);
    EXPECT_TRUE(earthMovers_);
    EXPECT_EQ(fit_, "alone");
}

TEST_F(SettingOptions, areRead_whenTheyPrecedeTheCommand) {
    parse({"--threads", "5", "below"});
    apply("[network]\nthreads = 3\n");
    EXPECT_EQ(threads_, 5);
}

TEST_F(SettingOptions, showTheirDefaultInHelp) {
    parse({});
    EXPECT_THAT(program_.help(), HasSubstr("default: 0"));
    apply("[network]\nthreads = 3\n");
    EXPECT_THAT(program_.help(), AllOf(HasSubstr("default: 3 ("), HasSubstr("file.toml, line 2)")));
}

TEST_F(SettingOptions, refuseValues_whichTheFileRefuses) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--threads", "1025"},
                                                  {"--threads=-1"},
                                                  {"--tau", "0"},
                                                  {"--tau", "nan"},
                                                  {"--format", "obj,doc"},
                                                  {"--threads", "3x"}})
        EXPECT_THROW(parse(words), CLI::ParseError) << testing::PrintToString(words);
}

TEST_F(SettingOptions, areUsed_onlyByCommandsThatHaveThem) {
    EXPECT_TRUE(usesSettings(*command_));
    EXPECT_FALSE(usesSettings(*program_.add_subcommand("other")));
}

}  // namespace
}  // namespace threefold::test
