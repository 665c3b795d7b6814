#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/app/bundled.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/hostile/watched.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

/// Closes the standard descriptors whose bits in `combination` are set.
void closeStandard(int combination) {
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
        if ((combination >> descriptor & 1) != 0) close(descriptor);
    }
}

/// Connects a descriptor to a pipe whose reading end is closed.
void connectToClosedPipe(int descriptor) {
    int ends[2];
    if (pipe(ends) != 0) return;
    dup2(ends[1], descriptor);
    close(ends[0]);
    close(ends[1]);
}

void connectToFullDisk(int descriptor) {
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    dup2(full, descriptor);
}

class Descriptors : public testing::Test {
  protected:
    Descriptors() {
        std::ofstream(folder_ / "mesh.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                               "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    }

    Words render(const std::string& out) const {
        return {"render", mesh(), "--views", "2", "--points", "9", "-o", (folder_ / out).string()};
    }
    std::string mesh() const { return (folder_ / "mesh.obj").string(); }

    /// Commands that run briefly and print a result.
    std::vector<Words> printing() const {
        return {{"--version"},
                {"--help"},
                {"eval", "--help"},
                {"config", "--template"},
                {"inspect", mesh()},
                {"inspect", mesh(), "--json"},
                {"score", mesh(), mesh()},
                {"score", mesh(), mesh(), "--json"}};
    }

    const TempFolder folder_;
};

TEST_F(Descriptors, receiveNoFilesBytes_whenTheyAreClosed) {
    ASSERT_EQ(runWithTimeout(render("open")).exitCode, 0);
    const auto expected = contentsOf(folder_ / "open");
    for (int combination = 0; combination < 8; ++combination) {
        SCOPED_TRACE("closed descriptors, as bits: " + std::to_string(combination));
        const std::string out = "out" + std::to_string(combination);
        const bool outputClosed = (combination >> STDOUT_FILENO & 1) != 0;
        const ProcessResult result =
            runWithTimeout(render(out), [&] { closeStandard(combination); });
        EXPECT_EQ(result.exitCode, outputClosed ? 1 : 0) << result.errors;
        EXPECT_EQ(contentsOf(folder_ / out), expected);
    }
}

TEST_F(Descriptors, receiveNoMeshesBytes_whenAllAreClosed) {
    const fs::path sample = copySample("02691156", folder_.path());
    const auto before = contentsOf(sample);
    const auto reconstruct = [&](const char* out, int combination) {
        return runWithTimeout({"reconstruct", sample.string(), "-o", (folder_ / out).string()},
                              [&] { closeStandard(combination); });
    };
    ASSERT_EQ(reconstruct("open", 0).exitCode, 0);
    EXPECT_EQ(reconstruct("closed", 7).exitCode, 1) << "the line with the measures was lost";
    EXPECT_EQ(contentsOf(folder_ / "closed"), contentsOf(folder_ / "open"));
    EXPECT_EQ(contentsOf(sample), before);
}

TEST_F(Descriptors, failTheRunQuietly_whenNobodyReadsTheOutput) {
    for (const Words& words : printing()) {
        SCOPED_TRACE(testing::PrintToString(words));
        const ProcessResult result =
            runWithTimeout(words, [] { connectToClosedPipe(STDOUT_FILENO); });
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.errors, IsEmpty());
    }
}

TEST_F(Descriptors, failTheRun_whenTheOutputsDiskIsFull) {
    for (const Words& words : printing()) {
        SCOPED_TRACE(testing::PrintToString(words));
        const ProcessResult result =
            runWithTimeout(words, [] { connectToFullDisk(STDOUT_FILENO); });
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.errors, HasSubstr("standard output: cannot be written: No space left"));
    }
}

TEST_F(Descriptors, doNotFailTheRun_whenMessagesCannotBeWritten) {
    const Words absent = {"inspect", (folder_ / "absent.obj").string()};
    for (void (*const redirect)(int) : {connectToClosedPipe, connectToFullDisk}) {
        const auto prepare = [&] { redirect(STDERR_FILENO); };
        EXPECT_EQ(runWithTimeout(absent, prepare).exitCode, 1);
        EXPECT_EQ(runWithTimeout({"reconstrcut", "a", "b"}, prepare).exitCode, 2);
        const ProcessResult rendered =
            runWithTimeout(render(redirect == connectToClosedPipe ? "a" : "b"), prepare);
        EXPECT_EQ(rendered.exitCode, 0);
        EXPECT_FALSE(rendered.output.empty());
    }
    EXPECT_EQ(contentsOf(folder_ / "a"), contentsOf(folder_ / "b"));
}

}  // namespace
}  // namespace threefold::test
