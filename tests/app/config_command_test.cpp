#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// Runs `threefold` in a temporary working folder, with a temporary folder for the user's
/// configuration.
class ConfigCommand : public testing::Test {
  protected:
    ConfigCommand() {
        std::filesystem::create_directories(here());
        std::filesystem::create_directories(user().parent_path());
    }

    std::filesystem::path here() const { return folder_ / "here"; }
    std::filesystem::path local() const { return here() / "threefold.toml"; }
    std::filesystem::path user() const { return folder_ / "config/threefold/threefold.toml"; }

    ProcessResult run(const std::vector<std::string>& arguments) const {
        StartOptions options;
        options.environment = {{"XDG_CONFIG_HOME", (folder_ / "config").string()}};
        options.folder = here();
        return runThreefold(arguments, options);
    }

    /// Entry of `config --json` for a key: its value and origin.
    nlohmann::json entry(const std::string& key, std::vector<std::string> arguments = {}) const {
        arguments.insert(arguments.begin(), {"config", "--json"});
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        const nlohmann::json document = nlohmann::json::parse(result.output);
        for (const auto& value : document.at("values")) {
            if (value.at("key") == key) return value;
        }
        ADD_FAILURE() << key;
        return {};
    }

    const TempFolder folder_;
};

TEST_F(ConfigCommand, showsDefaults_whenThereIsNoFile) {
    const ProcessResult result = run({"config"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.errors, IsEmpty());
    EXPECT_THAT(result.output, AllOf(StartsWith("# No threefold.toml was found.\n"),
                                     testing::ContainsRegex("threads = 0 +# default\n")));
    EXPECT_EQ(entry("network.threads").at("from"), "default");
}

TEST_F(ConfigCommand, showsEachValueWithItsOrigin) {
    overwrite(local(), "[network]\nthreads = 3\n");
    overwrite(user(), "\n[network]\nthreads = 5\nbackend = \"cpu\"\n");
    const ProcessResult result = run({"config"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output,
                AllOf(testing::ContainsRegex("threads = 3 +# threefold.toml, line 2\n"),
                      HasSubstr("# " + user().string() + ", line 4\n")));
    EXPECT_EQ(entry("network.threads").at("value"), 3);
    EXPECT_EQ(entry("network.backend").at("file"), user().string());
    EXPECT_EQ(entry("network.backend").at("line"), 4);
}

TEST_F(ConfigCommand, readsOnlyTheNamedFile) {
    overwrite(local(), "[network]\nthreads = 3\nbackend = 'cpu'\n");
    overwrite(user(), "[network]\ndevice = \"2\"\n");
    overwrite(here() / "other.toml", "[network]\nthreads = 4\n");
    const std::vector<std::string> named = {"--config", "other.toml"};
    EXPECT_EQ(entry("network.threads", named).at("value"), 4);
    EXPECT_EQ(entry("network.backend", named).at("from"), "default");
    EXPECT_EQ(entry("network.device", named).at("from"), "default");
}

TEST_F(ConfigCommand, readsAFileOnce_whenTheWorkingFolderIsTheUsersFolder) {
    std::filesystem::create_symlink(local(), user());
    overwrite(local(), "[network]\nthreads = 3\n");
    const ProcessResult result = run({"config", "--json"});
    EXPECT_EQ(nlohmann::json::parse(result.output).at("files").size(), 1U);
}

TEST_F(ConfigCommand, printsATemplate_thatIsValid) {
    const ProcessResult printed = run({"config", "--template"});
    EXPECT_EQ(printed.exitCode, 0);
    overwrite(local(), printed.output);
    const ProcessResult result = run({"config"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, Not(HasSubstr("# threefold.toml, line")));
}

TEST_F(ConfigCommand, reportsMistakesAndShowsTheRest_whenTheFileIsBroken) {
    overwrite(local(), "[network]\nthraeds = 3\nthreads = \"\\u001b[31m\"\ndevice = 1\n");
    const ProcessResult result = run({"config"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors,
                AllOf(StartsWith("threefold: threefold.toml: line 2: there is no key "
                                 "network.thraeds. Did you mean network.threads?\n"),
                      HasSubstr("threefold: threefold.toml: line 3, network.threads: ")));
    EXPECT_THAT(result.errors, Not(HasSubstr("\x1b")));
    EXPECT_THAT(result.output,
                testing::ContainsRegex("device = \"1\" +# threefold.toml, line 4\n"));
}

TEST_F(ConfigCommand, leavesOtherCommandsUsable_whenTheFileIsBroken) {
    overwrite(local(), "nonsense\n");
    const ProcessResult help = run({"eval", "--help"});
    EXPECT_EQ(help.exitCode, 0);
    EXPECT_THAT(help.output, HasSubstr("Usage: threefold"));
    EXPECT_THAT(help.errors, StartsWith("threefold: threefold.toml: line 1: "));
    EXPECT_EQ(run({"--version"}).exitCode, 0);
    EXPECT_THAT(run({"--version"}).errors, IsEmpty());
    const ProcessResult inspect = run({"inspect", testModelFile().string(), "--no-ranges"});
    EXPECT_EQ(inspect.exitCode, 0);  // `inspect` uses no settings of this file
    EXPECT_THAT(inspect.errors, IsEmpty());
    const ProcessResult doctor = run({"doctor"});
    EXPECT_EQ(doctor.exitCode, 1);
    EXPECT_THAT(doctor.output, AllOf(HasSubstr("missing"), HasSubstr("threefold.toml: line 1")));
}

TEST_F(ConfigCommand, exitsWithTwoBeforeAnyWork_whenTheFileIsBroken) {
    overwrite(local(), "[network]\nthreads = 5000\n");
    const std::string sample = bundledSample("02691156").string();
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"reconstruct", sample, "-o", "out"},
          {"eval", sample, "-o", "out"},
          {"bench", "latency"},
          {}}) {
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.exitCode, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(result.errors,
                    StartsWith("threefold: threefold.toml: line 2, network.threads: "));
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
        EXPECT_FALSE(std::filesystem::exists(here() / "out"));
    }
}

TEST_F(ConfigCommand, exitsWithTwo_whenTheNamedFileIsMissing) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"config", "--config", "none.toml"},
          {"--config", "none.toml", "inspect", testModelFile().string()},
          {"bench", "latency", "--config", "none.toml"},
          {"bench", "latency", "--config", "."},
          {"bench", "latency", "--config", ""}})
        EXPECT_EQ(run(arguments).exitCode, 2) << testing::PrintToString(arguments);
}

TEST_F(ConfigCommand, changesTheDefaultsInHelp) {
    overwrite(local(), "[evaluation]\ntau = 2e-3\n");
    const ProcessResult result = run({"score", "--help"});
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("default: 0.002"), HasSubstr("(threefold.toml, line 2)")));
    overwrite(here() / "other.toml", "[evaluation]\ntau = 3e-3\n");
    EXPECT_THAT(run({"score", "--config", "other.toml", "--help"}).output,
                AllOf(HasSubstr("default: 0.003"), HasSubstr("(other.toml, line 2)")));
}

TEST_F(ConfigCommand, decidesAResult_unlessTheCommandLineDoes) {
    overwrite(here() / "mesh.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
    overwrite(local(), "[evaluation]\ntau = 2e-3\nprotocol = 'surface'\n");
    const auto score = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"score", "mesh.obj", "mesh.obj", "--no-emd", "--json"});
        const ProcessResult result = run(more);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return nlohmann::json::parse(result.output);
    };
    EXPECT_EQ(score({}).at("tau"), 2e-3);
    EXPECT_EQ(score({}).at("protocol"), "surface");
    EXPECT_EQ(score({"--protocol", "published"}).at("tau"), 2e-3);
    EXPECT_EQ(score({"--tau", "5e-3"}).at("tau"), 5e-3);
    overwrite(here() / "empty.toml", "");
    EXPECT_EQ(score({"--config", "empty.toml"}).at("tau"), 1e-4);
}

TEST_F(ConfigCommand, decidesWhatReconstructWrites) {
    overwrite(local(), "[reconstruction]\nformats = ['ply']\n");
    overwrite(user(), "[reconstruction]\nformats = ['stl']\nlevel = 'coarse'\n");
    const std::string sample = bundledSample("02691156").string();
    const ProcessResult result = run({"reconstruct", sample, "-o", "out"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(filesIn(here() / "out"), testing::ElementsAre("02691156_p0001_00_coarse.ply"));
}

TEST_F(ConfigCommand, setsTheLogFile_ofCommandsWithoutOtherSettings) {
    overwrite(local(), "[log]\nlevel = 'off'\nfile = 'kept.log'\n[pipeline]\nbatch = 0\n");
    EXPECT_THAT(run({"inspect", "none.obj"}).errors, testing::IsEmpty());
    overwrite(local(), "[log]\nlevel = 'error'\nfile = 'kept.log'\n");
    EXPECT_THAT(run({"inspect", "none.obj"}).errors, HasSubstr("none.obj"));
    EXPECT_TRUE(std::filesystem::exists(here() / "kept.log"));
    EXPECT_THAT(run({"score", "a.obj", "b.obj", "-v"}).errors,
                HasSubstr("configuration: threefold"));
    // `config` reports problems of the configuration, and still prints the values.
    overwrite(local(), "[log]\nfile = 'none/kept.log'\n");
    EXPECT_EQ(run({"inspect", "none.obj"}).exitCode, 2);
    const ProcessResult shown = run({"config"});
    EXPECT_EQ(shown.exitCode, 2);
    EXPECT_THAT(shown.errors, HasSubstr("kept.log: cannot be written as the log"));
    EXPECT_THAT(shown.output, HasSubstr("[log]"));
}

TEST_F(ConfigCommand, acceptsTheKeysOfTracesLogsAndTargets) {
    overwrite(local(),
              "[profile]\ntrace = 'trace.json'\n[log]\nlevel = 'info'\n[target]\n"
              "milliseconds = 300\nsamples_per_second = 2.5\n");
    const ProcessResult result = run({"config"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    for (const char* line :
         {"trace = ", "level = \"info\"", "milliseconds = 300", "samples_per_second = 2.5"})
        EXPECT_THAT(result.output, HasSubstr(line));
    const ProcessResult made =
        run({"reconstruct", bundledSample("02691156").string(), "-o", "out", "--json"});
    EXPECT_EQ(made.exitCode, 0) << made.errors;
    EXPECT_TRUE(std::filesystem::exists(here() / "trace.json"));
}

TEST_F(ConfigCommand, namesTheFileInUse_whenAsked) {
    overwrite(local(), "[evaluation]\ntau = 2e-3\n");
    overwrite(here() / "mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_THAT(run({"score", "mesh.obj", "mesh.obj", "-v"}).errors,
                HasSubstr("threefold: configuration: threefold.toml\n"));
    EXPECT_THAT(run({"score", "mesh.obj", "mesh.obj"}).errors, Not(HasSubstr("configuration")));
}

}  // namespace
}  // namespace threefold::test
