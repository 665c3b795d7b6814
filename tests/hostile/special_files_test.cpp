#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/app/bundled.h"
#include "tests/app/refusal.h"
#include "tests/hostile/watched.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Fixture with special files in place of regular ones.
class SpecialFiles : public testing::Test {
  protected:
    SpecialFiles() {
        EXPECT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
        fs::create_directory(folder_ / "folder");
        fs::create_symlink("fifo", folder_ / "link");
        fs::create_symlink("loop", folder_ / "loop");
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        // A socket's path is limited to 107 bytes, so the socket is bound relative to the folder.
        std::strcpy(address.sun_path, "socket");
        const fs::path before = fs::current_path();
        fs::current_path(folder_.path());
        socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        fs::current_path(before);
        std::ofstream(folder_ / "mesh.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    }
    ~SpecialFiles() override { close(socket_); }

    std::vector<std::string> all() const {
        return {"/dev/zero",  "/dev/random",  "/dev/null",    "/dev/full", path("fifo"),
                path("link"), path("socket"), path("folder"), path("loop")};
    }
    std::string path(const char* name) const { return (folder_ / name).string(); }

    /// Expects that the program refuses the command with one line that names this file.
    void expectRefused(const Words& words, const std::string& file) const {
        SCOPED_TRACE(testing::PrintToString(words));
        const ProcessResult result = runWithTimeout(words);
        EXPECT_TRUE(result.exitCode == 1 || result.exitCode == 2) << result.output;
        expectOneError(result.errors, file);
        EXPECT_FALSE(fs::exists(folder_ / "out"));
        EXPECT_LT(result.peakBytes, std::uint64_t{1} << 30U);
    }

    const TempFolder folder_;
    int socket_ = -1;
};

TEST_F(SpecialFiles, areRefused_whenAFileIsRead) {
    const std::string mesh = path("mesh.obj");
    const std::string out = path("out");
    const std::string sample = bundledSample("02691156").string();
    for (const std::string& file : all()) {
        expectRefused({"inspect", file}, file);
        expectRefused({"score", file, mesh}, file);
        expectRefused({"score", mesh, file}, file);
        expectRefused({"score", mesh, mesh, "--space", "view", "--truth-space", "world",
                       "--cameras", file, "--view", "0"},
                      file);
        expectRefused({"render", file, "-o", out}, file);
        expectRefused({"reconstruct", file, "-o", out}, file);
        expectRefused({"reconstruct", sample, "-o", out, "--model", file}, file);
        expectRefused({"merge", file, "-o", out}, file);
        expectRefused({"--config", file, "config"}, file);
        expectRefused(
            {"convert", "--stage1", file, "--stage2", file, "--template", file, "-o", out}, file);
        // If a sample cannot be read, eval reports that as a result, and still writes its reports.
        const ProcessResult result = runWithTimeout({"eval", file, "-o", out});
        EXPECT_EQ(result.exitCode, 1) << result.output;
        EXPECT_THAT(result.errors, testing::HasSubstr(file));
        fs::remove_all(out);
    }
}

TEST_F(SpecialFiles, areRefused_whenAFileIsWritten) {
    const std::string mesh = path("mesh.obj");
    const std::string sample = bundledSample("02691156").string();
    for (const std::string& file : all()) {
        expectRefused({"reconstruct", sample, "-o", path("out"), "--trace", file}, file);
        expectRefused({"eval", sample, "-o", path("out"), "--trace", file}, file);
        if (file == path("folder")) continue;  // a folder is a valid output of these commands
        expectRefused({"reconstruct", sample, "-o", file}, file);
        expectRefused({"eval", sample, "-o", file}, file);
        expectRefused({"render", mesh, "-o", file}, file);
    }
    EXPECT_TRUE(fs::is_fifo(folder_ / "fifo"));
    EXPECT_TRUE(fs::is_socket(folder_ / "socket"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(SpecialFiles, areRefused_asJournals) {
    for (const char* name : {"fifo", "socket", "link"}) {
        const std::string run = path("run");
        fs::remove_all(run);
        fs::create_directory(run);
        fs::create_symlink(path(name), folder_ / "run/journal.jsonl");
        const std::string journal = run + "/journal.jsonl";
        expectRefused({"merge", run, "-o", path("out")}, journal);
        expectRefused({"compare", run, run}, journal);
        expectRefused({"eval", bundledSample("02691156").string(), "-o", run}, journal);
        fs::create_directory(folder_ / "other");
        expectRefused({"merge", path("other"), "-o", run, "--overwrite"}, "journal.jsonl");
        fs::remove(folder_ / "other");
    }
}

TEST_F(SpecialFiles, areRefused_asLogsWithoutAReader) {
    for (const char* name : {"fifo", "link", "socket", "folder"})
        expectRefused({"inspect", path("mesh.obj"), "--log-file", path(name)}, path(name));
}

TEST_F(SpecialFiles, areNotTakenForPhotographs) {
    fs::create_directory(folder_ / "photographs");
    fs::create_symlink(path("fifo"), folder_ / "photographs/a.png");
    fs::create_symlink(path("socket"), folder_ / "photographs/b.jpg");
    for (const char* command : {"board", "turntable", "cameras", "cutout"})
        for (const std::string& given : {path("photographs"), path("photographs") + "/a.png"}) {
            const ProcessResult result = runWithTimeout({command, given});
            EXPECT_EQ(result.exitCode, 1) << command << result.output;
            EXPECT_NE(result.errors, "");
        }
}

}  // namespace
}  // namespace threefold::test
