#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/poll_until.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A pipe whose reading end becomes a program's standard input.
class Pipe {
  public:
    Pipe() {
        if (pipe(ends_.data()) != 0) throw std::system_error(errno, std::generic_category());
    }
    ~Pipe() {
        end();
        close(ends_[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void send(const std::string& text) const {
        ASSERT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    void end() {
        if (ends_[1] >= 0) close(ends_[1]);
        ends_[1] = -1;
    }

    /// Options to start a program that reads the pipe as standard input. `folder` is its working
    /// folder, to which paths in the list may be relative.
    StartOptions reader(const fs::path& folder) const {
        StartOptions options;
        options.folder = folder;
        options.prepare = [ends = ends_] {
            dup2(ends[0], STDIN_FILENO);
            close(ends[0]);
            if (ends[1] >= 0) close(ends[1]);
        };
        return options;
    }

    /// Waits until the program has read all bytes of the pipe.
    void waitUntilRead() const {
        EXPECT_TRUE(pollUntil([&] {
            int left = 0;
            return ioctl(ends_[0], FIONREAD, &left) == 0 && left == 0;
        }));
    }

  private:
    std::array<int, 2> ends_{};
};

ProcessResult runPiped(const std::vector<std::string>& arguments, const std::string& list,
                       const fs::path& folder) {
    Pipe pipe;
    pipe.send(list);
    const StartOptions reader = pipe.reader(folder);
    Process process(arguments, reader);
    pipe.end();
    return process.wait();
}

std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(PipedList, givesTheSameAsAListFileInTheCurrentFolder) {
    const TempFolder folder;
    const fs::path data = folder / "data";
    std::ifstream names(linkProceduralSamples(data));
    std::string line;
    std::getline(names, line);
    line += '\n';
    overwrite(data / "one.txt", line);
    StartOptions here;
    here.folder = data;
    const auto eval = [&](const std::string& list, const std::string& out) {
        return std::vector<std::string>{"eval",     list, "-o", (folder / out).string(),
                                        "--warmup", "0"};
    };
    const auto reconstruct = [&](const std::string& list, const std::string& out) {
        return std::vector<std::string>{"reconstruct",           list,       "-o",
                                        (folder / out).string(), "--images", "ShapeNetRendering"};
    };
    const ProcessResult listed = runThreefold(eval("one.txt", "listed"), here);
    ASSERT_EQ(listed.exitCode, 0) << listed.errors;
    const ProcessResult piped = runPiped(eval("-", "piped"), line, data);
    ASSERT_EQ(piped.exitCode, 0) << piped.errors;
    EXPECT_EQ(filesIn(folder / "listed"), filesIn(folder / "piped"));
    for (const char* file : {"02691156_p0001_00_predict.obj", "02691156_p0001_00_predict.xyz"}) {
        ASSERT_NE(contents(folder / "listed" / file), "") << file;
        EXPECT_EQ(contents(folder / "listed" / file), contents(folder / "piped" / file)) << file;
    }

    const ProcessResult made = runPiped(reconstruct("-", "made"), line, data);
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    const ProcessResult madeOfList = runThreefold(reconstruct("one.txt", "made_of_list"), here);
    ASSERT_EQ(madeOfList.exitCode, 0) << madeOfList.errors;
    ASSERT_FALSE(filesIn(folder / "made").empty());
    EXPECT_EQ(filesIn(folder / "made"), filesIn(folder / "made_of_list"));
}

TEST(PipedList, isRefused_whenItNamesNoSample) {
    const TempFolder folder;
    for (const char* command : {"eval", "reconstruct"}) {
        const ProcessResult result =
            runPiped({command, "-", "-o", (folder / "out").string()}, "\n\n", folder / "");
        EXPECT_EQ(result.exitCode, 1) << command << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("standard input: names no sample")) << command;
        EXPECT_FALSE(fs::exists(folder / "out")) << command;
    }
}

TEST(PipedList, namesItsLine_whenASampleIsNotFound) {
    const TempFolder folder;
    const ProcessResult result = runPiped({"reconstruct", "-", "-o", (folder / "out").string()},
                                          "nothing_p0001_00.dat\n", folder / "");
    EXPECT_THAT(result.errors, HasSubstr("standard input, line 1"));
    EXPECT_NE(result.exitCode, 0);
}

TEST(PipedList, reportsTheMissingFolder_whenTheCurrentFolderWasRemoved) {
    const TempFolder folder;
    const std::string gone = (folder / "gone").string();
    fs::create_directory(gone);
    Pipe pipe;
    pipe.send("02691156_p0001_00.dat\n");
    pipe.end();
    StartOptions options = pipe.reader(gone);
    options.prepare = [&gone, before = options.prepare] {
        before();
        rmdir(gone.c_str());
    };
    const ProcessResult result =
        runThreefold({"eval", "-", "-o", (folder / "out").string()}, options);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("the current folder: cannot be found: No such file"));
}

TEST(PipedList, leavesNoFiles_whenCtrlCIsPressedBeforeItsEnd) {
    const TempFolder folder;
    Pipe pipe;
    pipe.send("02691156_p0001_00.dat\n");
    Process process({"eval", "-", "-o", (folder / "out").string()}, pipe.reader(folder / ""));
    pipe.waitUntilRead();
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("cancelled"));
    EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace
}  // namespace threefold::test
