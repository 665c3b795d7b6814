#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::vector<std::string>> kCommands = {{},
                                                         {"reconstruct"},
                                                         {"eval"},
                                                         {"merge"},
                                                         {"score"},
                                                         {"render"},
                                                         {"figure"},
                                                         {"page"},
                                                         {"convert"},
                                                         {"inspect"},
                                                         {"config"},
                                                         {"doctor"},
                                                         {"bench"},
                                                         {"bench", "latency"},
                                                         {"bench", "throughput"},
                                                         {"bench", "kernels"},
                                                         {"bench", "ops"},
                                                         {"bench", "raster"}};

std::string helpOf(std::vector<std::string> command) {
    command.emplace_back("--help");
    const ProcessResult result = runThreefold(command);
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.errors, IsEmpty());
    return result.output;
}

TEST(CommandLine, printsHelp_whenAsked) {
    for (const std::vector<std::string>& command : kCommands)
        EXPECT_THAT(helpOf(command), HasSubstr("Usage: threefold"));
}

TEST(CommandLine, printsHelp_whenHelpIsGivenAsTheCommand) {
    EXPECT_EQ(runThreefold({"help"}).output, helpOf({}));
    EXPECT_EQ(runThreefold({"help", "score"}).output, helpOf({"score"}));
    EXPECT_EQ(runThreefold({"help", "bench", "fit"}).output, helpOf({"bench", "fit"}));
}

TEST(CommandLine, namesFlagsInHelpAsTheyAreTyped) {
    EXPECT_THAT(helpOf({"eval"}),
                testing::AllOf(HasSubstr("--emd,--no-emd "), testing::Not(HasSubstr("{false}"))));
}

TEST(CommandLine, keepsHelpWithinAHundredColumns) {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    for (const std::vector<std::string>& command : kCommands) {
        std::istringstream help(helpOf(command));
        for (std::string line; std::getline(help, line);)
            EXPECT_LE(std::count_if(line.begin(), line.end(), begins), 100) << line;
    }
}

TEST(CommandLine, namesRequiredOptionsInHelp) {
    EXPECT_THAT(helpOf({"reconstruct"}), HasSubstr("created if missing (required)"));
    EXPECT_THAT(helpOf({"bench"}), Not(HasSubstr("a whole list")));
}

TEST(CommandLine, printsItsVersion_whenAsked) {
    const ProcessResult result = runThreefold({"--version"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, ContainsRegex(R"(^threefold [0-9]+\.[0-9]+\.[0-9]+)"));
}

TEST(CommandLine, namesThePrecisions_whenThePrecisionIsUnknown) {
    const ProcessResult result = runThreefold({"bench", "latency", "--precision", "float7"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors,
                HasSubstr("--precision: float7: there is no such precision. Use float32, tfloat32, "
                          "float16, bfloat16 or int8. Run `"));
}

TEST(CommandLine, exitsWithTwo_whenOptionsAreWrong) {
    const std::vector<std::vector<std::string>> wrong = {
        {"--no-such-option"},
        {"reconstruct"},
        {"reconstruct", "sample"},
        {"reconstruct", "sample", "-o", "x", "--format", "doc"},
        {"reconstruct", "sample", "-o", "x", "--format", "obj,xyz,obj"},
        {"reconstruct", "sample", "-o", "x", "--views", "0,6,00"},
        {"reconstruct", "sample", "-o", "x", "--views", "0"},
        {"reconstruct", "sample", "-o", "x", "--views", "0,-1"},
        {"reconstruct", "sample", "-o", "x", "--views", "0,six"},
        {"reconstruct", "sample", "-o", "x", "--precision", "float7"},
        {"reconstruct", "sample", "-o", "x", "--backend", "abacus"},
        {"bench"},
        {"bench", "latency", "--runs", "0"},
        {"bench", "latency", "--json", "--json-lines"},
        {"bench", "kernels", "--batch", "0"},
        {"bench", "throughput", "--batches", "0"},
        {"bench", "ops", "--first", "0"},
        {"bench", "ops", "--kernels", "other"},
        {"bench", "ops", "--device", "0,0"},
        {"bench", "ops", "--device", "0,"},
        {"bench", "ops", "--device", "some"},
        {"bench", "ops", "--device", "-1"},
        {"doctor", "--device", "0"},
        {"inspect"},
        {"inspect", ""},
        {"reconstruct", "sample", "-o", ""},
        {"score", "mesh", ""},
        {"eval", "list.txt", "--gt", "", "-o", "x"},
    };
    for (const auto& arguments : wrong) {
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 2) << testing::PrintToString(arguments) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("--help"));
        EXPECT_THAT(result.output, IsEmpty());
    }
}

TEST(CommandLine, namesTheMistypedOption_andTheNearestOne) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> mistyped = {
        {{"reconstrcut", "p0001", "-o", "out"},
         "reconstrcut: there is no such command or file. Did you mean reconstruct?"},
        {{"reconstrcut"},
         "reconstrcut: there is no such command or file. Did you mean reconstruct?"},
        {{"insp", "file"}, "insp: there is no such command or file. Did you mean inspect?"},
        {{"abracadabra", "x", "-o", "y"}, "abracadabra: there is no such command or file. Run"},
        {{"bench", "latncy"}, "latncy: there is no such command. Did you mean latency?"},
        {{"reconstruct", "p0001", "--out", "x"},
         "--out: there is no such option. Did you mean --output?"},
        {{"eval", "list.txt", "--out=x"}, "--out: there is no such option. Did you mean --output?"},
        {{"reconstruct", "p0001", "-o", "x", "--veiws", "0,1,2"},
         "--veiws: there is no such option. Did you mean --views?"},
        {{"doctor", "--xyzzy"}, "--xyzzy: there is no such option. Run `threefold doctor --help`"},
    };
    for (const auto& [arguments, said] : mistyped) {
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 2) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("threefold: " + said));
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    }
}

TEST(CommandLine, namesTheNumberOfValues_whenAnOptionHasTooFewOrTooMany) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{"reconstruct", "x", "-o"}, "--output: takes one value, and has none. Run"},
        {{"reconstruct", "x", "-o", "a", "-o", "b"}, "--output: takes one value, not 2. Run"},
        {{"reconstruct", "x", "-o", "a", "--object-centre", "1", "2"},
         "--object-centre: takes 3 values, not 2. Run"},
        {{"reconstruct", "x", "--object-centre", "1", "2", "3", "4", "-o", "a"},
         "--object-centre: takes 3 values, not 4. Run"},
    };
    for (const auto& [arguments, said] : wrong) {
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 2) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("threefold: " + said));
    }
}

TEST(CommandLine, namesTheWrongValue_whenTwoDashesFollow) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{"eval", "--threads", "abc", "--", "list", "-o", "out"}, "--threads: abc: "},
        {{"score", "--tau=abc", "--", "mesh", "truth"}, "--tau: abc: "},
        {{"score", "--protocol", "abc", "--", "mesh", "--truth"}, "--protocol: abc: "},
        {{"bench", "latency", "--runs", "abc", "--"}, "--runs: abc: "},
        // Words after "--" are positional arguments; words before it are still options.
        {{"score", "--", "mesh", "--truth", "--tau"}, "not expected: --tau"},
        {{"score", "--protcol", "both", "--", "mesh", "truth"},
         "--protcol: there is no such option. Did you mean --protocol?"},
        {{"bench", "--", "latncy"}, "A subcommand is required"},
    };
    for (const auto& [arguments, message] : wrong) {
        const ProcessResult result = runThreefold(arguments);
        EXPECT_EQ(result.exitCode, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(result.errors, HasSubstr(message)) << testing::PrintToString(arguments);
    }
}

TEST(CommandLine, failsWithOneLine_whenThereIsNoDisplay) {
    StartOptions options;
    options.unsetVariables = {"DISPLAY", "WAYLAND_DISPLAY"};
    const ProcessResult result = runThreefold({}, options);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("threefold reconstruct"));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
}

TEST(CommandLine, failsWithOneLine_whenTheDisplayDoesNotAnswer) {
    StartOptions options;
    options.unsetVariables = {"WAYLAND_DISPLAY"};
    options.environment = {{"DISPLAY", ":987"}};
    const ProcessResult result = runThreefold({}, options);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
}

TEST(CommandLine, namesTheRemedy_whenResourcesAreMissing) {
    StartOptions options;
    options.environment = {{"THREEFOLD_RESOURCES", "/no/such/place"}};
    const TempFolder folder;
    const ProcessResult result = runThreefold(reconstructing(folder / "out"), options);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("THREEFOLD_RESOURCES"));
}

std::vector<std::string> linesIn(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

TEST(Log, holdsMessagesUpToItsLevel) {
    const std::string model = testModelFile().string();
    const auto errorsOf = [&](const std::vector<std::string>& options, const std::string& file) {
        std::vector<std::string> words = {"inspect", file};
        words.insert(words.end(), options.begin(), options.end());
        return runThreefold(words).errors;
    };
    EXPECT_THAT(errorsOf({}, "none.obj"), HasSubstr("none.obj"));
    EXPECT_THAT(errorsOf({"--log-level", "error"}, "none.obj"), HasSubstr("none.obj"));
    EXPECT_THAT(errorsOf({"--log-level", "off"}, "none.obj"), IsEmpty());
    EXPECT_EQ(runThreefold({"inspect", "none.obj", "--log-level", "off"}).exitCode, 1);
    const auto benchErrors = [](const std::vector<std::string>& options) {
        std::vector<std::string> words = {"bench",    "ops", "--backend", "cpu", "--first",  "64",
                                          "--second", "64",  "--runs",    "1",   "--warmup", "0"};
        words.insert(words.end(), options.begin(), options.end());
        return runThreefold(words).errors;
    };
    EXPECT_THAT(benchErrors({}), IsEmpty());
    for (const char* level : {"debug", "trace"})
        EXPECT_THAT(benchErrors({"--log-level", level}), HasSubstr("threefold: model "));
    EXPECT_THAT(benchErrors({"--log-level", "info"}), Not(HasSubstr("threefold: model ")));
    EXPECT_THAT(benchErrors({"-v"}), HasSubstr("threefold: model "));
}

TEST(Log, isRefused_whenItsLevelIsUnknownOrGivenTwice) {
    const ProcessResult unknown = runThreefold({"doctor", "--log-level", "loud"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("expected trace, debug, info, warn, error or off"));
    EXPECT_EQ(runThreefold({"doctor", "-v", "--log-level", "info"}).exitCode, 2);
}

TEST(Log, isAppendedToItsFile_andStillPrinted) {
    const TempFolder folder;
    const std::string file = (folder / "run.log").string();
    for (int run = 1; run <= 2; ++run) {
        const ProcessResult result = runThreefold({"inspect", "none\n.obj", "--log-file", file});
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.errors, HasSubstr("threefold: none\\n.obj"));
        const std::vector<std::string> lines = linesIn(file);
        ASSERT_EQ(lines.size(), static_cast<std::size_t>(run));
        EXPECT_THAT(lines.back(), testing::MatchesRegex("[0-9-]* [0-9:.]* error: none.n.obj.*"));
    }
}

TEST(Log, isNotAppended_whenTheFileIsNoLog) {
    const TempFolder folder;
    const std::string file = (folder / "mesh.obj").string();
    std::ofstream(file) << "v 0 0 0\n";
    const ProcessResult result = runThreefold({"inspect", file, "--log-file", file});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr(file + ": exists, and is not a log"));
    EXPECT_EQ(linesIn(file), std::vector<std::string>{"v 0 0 0"});
}

TEST(Log, goesToADevice_asToAFile) {
    const ProcessResult result = runThreefold({"inspect", "none.obj", "--log-file", "/dev/null"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("threefold: none.obj"));
}

TEST(Log, exitsWithTwo_whenItsFileCannotBeWritten) {
    const TempFolder folder;
    const std::string file = (folder / "none" / "run.log").string();
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{}, {"inspect", testModelFile().string()}, {"bench", "raster"}}) {
        std::vector<std::string> words = command;
        words.insert(words.end(), {"--log-file", file});
        const ProcessResult result = runThreefold(words);
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors,
                    HasSubstr(file + ": cannot be written as the log: No such file"));
        EXPECT_THAT(result.errors, HasSubstr("Name a file that you may write to"));
        EXPECT_THAT(result.output, IsEmpty());
    }
}

TEST(Log, warnsOnceOfLostLines_whenTheDiskIsFull) {
    const ProcessResult result =
        runThreefold({"bench", "ops", "--backend", "cpu", "--first", "64", "--second", "64",
                      "--runs", "1", "--warmup", "0", "-v", "--log-file", "/dev/full"});
    EXPECT_EQ(result.exitCode, 0);
    const std::string lost = "the log's file lacks lines";
    EXPECT_THAT(result.errors, HasSubstr("threefold: " + lost));
    EXPECT_EQ(result.errors.find(lost), result.errors.rfind(lost));
    EXPECT_THAT(result.errors, HasSubstr("threefold: model "));
}

TEST(WaitingThreads, sleepSoon_byDefault) {
    const ProcessResult result =
        runThreefold({"--version"}, {.environment = {{"OMP_DISPLAY_ENV", "verbose"}},
                                     .unsetVariables = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"},
                                     .outputClosed = false,
                                     .outputFile = {}});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.errors, HasSubstr("GOMP_SPINCOUNT = '3000'"));
}

TEST(WaitingThreads, waitAsSet_whenTheEnvironmentHasASetting) {
    const ProcessResult result = runThreefold(
        {"--version"}, {.environment = {{"OMP_DISPLAY_ENV", "verbose"}, {"GOMP_SPINCOUNT", "77"}},
                        .unsetVariables = {},
                        .outputClosed = false,
                        .outputFile = {}});
    EXPECT_THAT(result.errors, HasSubstr("GOMP_SPINCOUNT = '77'"));
    EXPECT_THAT(result.errors, testing::Not(HasSubstr("'3000'")));
}

TEST(StandardOutput, holdsOnlyTheDocument_whenLibrariesAreVerbose) {
    const ProcessResult result = runThreefold(reconstructing(TempFolder() / "out", {"--json"}),
                                              {.environment = {{"ONEDNN_VERBOSE", "1"},
                                                               {"DNNL_VERBOSE", "1"},
                                                               {"OPENCV_LOG_LEVEL", "VERBOSE"}},
                                               .unsetVariables = {},
                                               .outputClosed = false,
                                               .outputFile = {}});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_TRUE(nlohmann::json::accept(result.output)) << result.output.substr(0, 200);
    EXPECT_THAT(result.errors, testing::Not(HasSubstr("onednn_verbose")));
}

TEST(StandardOutput, failsTheRun_whenItIsClosed) {
    StartOptions options;
    options.outputClosed = true;
    const ProcessResult result =
        runThreefold({"inspect", testModelFile().string(), "--no-ranges"}, options);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("standard output"));
}

TEST(StandardOutput, failsTheRun_whenTheDiskIsFull) {
    StartOptions options;
    options.outputFile = "/dev/full";
    const ProcessResult result =
        runThreefold({"inspect", testModelFile().string(), "--no-ranges"}, options);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("standard output"));
}

TEST(StandardOutput, endsTheRunQuietly_whenItsReaderHasExited) {
    const TempFolder folder;
    const std::string said = (folder / "said").string();
    const std::string pipeline = std::string("( sleep 0.3; '") + THREEFOLD_PROGRAM + "' inspect '" +
                                 testModelFile().string() + "' --no-ranges 2> '" + said +
                                 "'; echo $? > '" + (folder / "code").string() + "' ) | true";
    EXPECT_EQ(std::system(pipeline.c_str()), 0);
    EXPECT_EQ(std::filesystem::file_size(said), 0U);
    int code = -1;
    std::ifstream(folder / "code") >> code;
    EXPECT_EQ(code, 1);
}

TEST(Paths, mayBeAnyBytes_whenTheSystemTakesThem) {
    const TempFolder folder;
    const auto file = folder / "not utf-8 \xff\xfe.npz";
    std::filesystem::copy_file(std::filesystem::path(THREEFOLD_TEST_DATA) / "golden/plane_each.npz",
                               file);
    const ProcessResult result = runThreefold({"inspect", file.string(), "--no-ranges", "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(nlohmann::json::parse(result.output).at(0).at("arrays").size(), 28U);
}

TEST(Paths, areShownInOneLine_whenTheyHoldControlCharacters) {
    const ProcessResult result = runThreefold({"inspect", "no\n\x1b[31mfile"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("threefold: no\\n\\x1b[31mfile: "));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
}

}  // namespace
}  // namespace threefold::test
