#include "engine/system/child_process.h"

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/write_file.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;

class ChildProcess : public testing::Test {
  protected:
    ProgramResult program(const std::string& script, const std::stop_token& cancel = {}) {
        return runProgram(
            "/bin/sh", std::vector<std::string>{"-c", script}, log_,
            [this](std::string_view line) {
                lines_.emplace_back(line);
                if (onLine_) onLine_();
            },
            cancel);
    }
    ExitStatus run(const std::string& script, const std::stop_token& cancel = {}) {
        return program(script, cancel).status;
    }
    std::string log() const { return std::string(asText(readFile(log_))); }

    /// Waits until a process has ended, whether or not its new parent has reaped it.
    static void awaitEnd(const std::string& process) {
        const std::filesystem::path state = "/proc/" + process + "/stat";
        try {
            while (asText(readFile(state)).find(") Z ") == std::string_view::npos)
                std::this_thread::yield();
        } catch (const IoError&) {
            return;
        }
    }

    TempFolder folder_;
    std::filesystem::path log_ = folder_ / "log";
    std::vector<std::string> lines_;
    std::function<void()> onLine_;
};

TEST_F(ChildProcess, passesOnBothOutputs_lineByLine) {
    EXPECT_TRUE(run("echo one; echo two >&2; printf three").succeeded());
    EXPECT_THAT(lines_, ElementsAre("one", "two", "three"));
    EXPECT_EQ(log(), "one\ntwo\nthree");
}

TEST_F(ChildProcess, passesOnNoEmptyLine_whenTheOutputEndsWithANewline) {
    EXPECT_TRUE(run("echo one; echo").succeeded());
    EXPECT_THAT(lines_, ElementsAre("one", ""));
}

TEST_F(ChildProcess, readsNothing_whenThisProcessHasNoStandardInput) {
    const FileDescriptor saved(dup(STDIN_FILENO));
    close(STDIN_FILENO);
    const ExitStatus end = run("cat && echo two");
    if (saved) dup2(saved.get(), STDIN_FILENO);
    EXPECT_TRUE(end.succeeded());
    EXPECT_THAT(lines_, ElementsAre("two"));
}

TEST_F(ChildProcess, ends_whenThisProcessIgnoresItsChildren) {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const ExitStatus end = run("echo one");
    std::signal(SIGCHLD, before);
    EXPECT_FALSE(end.succeeded());
    EXPECT_EQ(end.exitCode, -1);
    EXPECT_THAT(lines_, ElementsAre("one"));
}

TEST_F(ChildProcess, reportsItsExitStatus) {
    EXPECT_EQ(run("exit 7").exitCode, 7);
    EXPECT_EQ(run("kill -9 $$").terminatingSignal, SIGKILL);
    EXPECT_EQ(run("exit 127").exitCode, 127);
}

TEST_F(ChildProcess, isRefused_whenItCannotBeExecuted) {
    EXPECT_THAT(messageOf<IoError>([&] { runProgram("/nonexistent/program", {}, log_, {}, {}); }),
                testing::StartsWith("/nonexistent/program: cannot be started: No such file"));
    const std::filesystem::path script = folder_ / "script";
    writeFileAtomically(script, std::string_view("#!/nonexistent/interpreter\n"));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    EXPECT_THAT(messageOf<IoError>([&] { runProgram(script, {}, log_, {}, {}); }),
                testing::StartsWith(script.string() + ": cannot be started: "));
}

TEST_F(ChildProcess, readsNothing_andBlocksNoSignal) {
    EXPECT_EQ(run("cat").exitCode, 0);
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    EXPECT_EQ(run("kill -TERM $$; sleep 60").terminatingSignal, SIGTERM);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(ChildProcess, isKilledWithItsChildren_whenCancelled) {
    std::stop_source stop;
    onLine_ = [&] { stop.request_stop(); };
    EXPECT_THROW(run("sleep 600 & echo $!; wait", stop.get_token()), Cancelled);
    ASSERT_EQ(lines_.size(), 1);
    awaitEnd(lines_.front());
}

TEST_F(ChildProcess, leavesNoChildren_whenItEnds) {
    run("sleep 600 & echo $!");
    awaitEnd(lines_.front());
}

TEST_F(ChildProcess, ends_whenAChildKeepsWriting) {
    EXPECT_TRUE(run("while echo more; do :; done & exit 0").succeeded());
}

TEST_F(ChildProcess, passesOnTheLastTextOfALine_whenCarriageReturnsRewriteTheLine) {
    const ProgramResult result =
        program("yes progress | head -n 1000 | tr '\\n' '\\r'; echo error; printf 'one\\r\\n'");
    EXPECT_THAT(lines_, ElementsAre("error", "one"));
    EXPECT_EQ(result.lastLine, "one");
}

TEST_F(ChildProcess, isNotStarted_whenAlreadyCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(run("echo one", stop.get_token()), Cancelled);
    EXPECT_TRUE(lines_.empty());
}

TEST_F(ChildProcess, remembersTheLastLineThatHasWords) {
    const ProgramResult result = program("echo first; echo last; echo; echo ====; exit 3");
    EXPECT_THAT(lines_, ElementsAre("first", "last", "", "===="));
    EXPECT_EQ(result.lastLine, "last");
    EXPECT_FALSE(result.status.succeeded());
    EXPECT_EQ(failureText("sh", result), "sh ended with exit code 3: last");
}

TEST(ProgramFailure, namesTheSignal_whenOneEndsIt) {
    EXPECT_EQ(failureText("sh", {{2, 0}, ""}), "sh ended with exit code 2");
    EXPECT_EQ(failureText("mapper", {{-1, SIGKILL}, "half a line"}),
              "mapper was ended by signal 9");
}

}  // namespace
}  // namespace threefold::test
