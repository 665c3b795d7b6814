#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/app/bundled.h"
#include "tests/app/refusal.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/hostile/watched.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kMesh =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";

/// File names that the system accepts.
const std::string kNames[] = {
    "with space",
    " both ends ",
    "new\nline",
    "re\rturn\ttab",
    "\"double\" 'single' `back`",
    "$HOME;&|<>*?[a]{b}",
    "back\\slash",
    "percent%20%s%n",
    "--help",
    "-o",
    "#comment",
    "..dots..",
    "C:drive",
    "ümlaut €",
    "not utf-8 \xff\xfe\xc3",
    "esc\x1b[2J\x07 bell",
    // NOLINTNEXTLINE(misc-misleading-bidirectional): the test needs these characters
    "right \u202E to \u200F left",
    std::string(240, 'n'),
};

/// Takes away root's right to write everywhere, in the program that is started next.
void becomeOrdinary() {
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED);
}

class Paths : public testing::Test {
  protected:
    fs::path mesh(const fs::path& file) const {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << kMesh;
        return file;
    }

    ProcessResult render(const fs::path& mesh, const fs::path& out) const {
        return runWithTimeout({"render", mesh.string(), "--views", "2", "--points", "9", "-o",
                               out.string(), "--category", "any"});
    }

    const TempFolder folder_;
};

TEST_F(Paths, leadToTheSameResult_whateverTheyAreCalled) {
    ASSERT_EQ(render(mesh(folder_ / "plain/mesh.obj"), folder_ / "out").exitCode, 0);
    const auto expected = contentsOf(folder_ / "out");
    for (const std::string& name : kNames) {
        SCOPED_TRACE(name);
        const fs::path file = mesh(folder_ / name / "mesh.obj");
        const fs::path out = folder_ / name / "out";
        const ProcessResult rendered = render(file, out);
        EXPECT_EQ(rendered.exitCode, 0) << rendered.errors;
        EXPECT_EQ(contentsOf(out), expected);
        EXPECT_EQ(runWithTimeout({"score", file.string(), file.string()}).exitCode, 0);
        const ProcessResult inspected = runWithTimeout({"inspect", (out / "any/mesh").string()});
        EXPECT_EQ(inspected.exitCode, 0) << inspected.errors;
    }
}

TEST_F(Paths, areFilesAndNotOptions_afterTwoDashes) {
    mesh(folder_ / "--help");
    StartOptions options = withTimeout();
    options.folder = folder_.path();
    std::ofstream(folder_ / "-o.obj") << kMesh;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"inspect", "--", "-o.obj"},
          std::vector<std::string>{"inspect", "./-o.obj"},
          std::vector<std::string>{"score", "--", "-o.obj", "-o.obj"}}) {
        const ProcessResult result = runThreefold(words, options);
        expectOrderly(result);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
    }
}

TEST_F(Paths, mayBeRelativeAndDeep) {
    fs::path deep = folder_.path();
    for (int i = 0; i < 200; ++i) deep /= "deep";
    const fs::path file = mesh(deep / "mesh.obj");
    StartOptions options = withTimeout();
    options.folder = deep;
    const ProcessResult result =
        runThreefold({"render", "../deep/./mesh.obj", "--views", "2", "--points", "9", "-o",
                      "../../out/../results", "--category", "any"},
                     options);
    expectOrderly(result);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_TRUE(fs::is_directory(deep.parent_path().parent_path() / "results/any/mesh"));
}

TEST_F(Paths, areRefused_whenTooLong) {
    const fs::path file = mesh(folder_ / "mesh.obj");
    fs::path far = folder_.path();
    for (int i = 0; i < 1000; ++i) far /= "deep";
    for (const fs::path& path : {far, folder_ / std::string(256, 'n')}) {
        for (const char* command : {"inspect", "reconstruct", "eval", "render"}) {
            SCOPED_TRACE(command);
            std::vector<std::string> words = {command, path.string()};
            if (words[0] != "inspect") words.insert(words.end(), {"-o", folder_ / "out"});
            const ProcessResult result = runWithTimeout(words);
            EXPECT_EQ(result.exitCode, 1) << result.output;
            EXPECT_THAT(result.errors, HasSubstr(path.string()));
            fs::remove_all(folder_ / "out");
        }
        const ProcessResult result = render(file, path);
        EXPECT_EQ(result.exitCode, 1) << result.output;
        expectOneError(result.errors, path.string());
    }
    // The mesh's name is short enough; the names of its sample's files are too long.
    const ProcessResult result =
        render(mesh(folder_ / (std::string(251, 'n') + ".obj")), folder_ / "out");
    EXPECT_EQ(result.exitCode, 1) << result.output;
    EXPECT_THAT(result.errors, HasSubstr("File name too long. Choose a shorter name."));
    EXPECT_EQ(filesIn(folder_ / "out"), std::vector<std::string>{});
}

TEST_F(Paths, endTheSearch_whenLinksFormACycle) {
    mesh(folder_ / "set/any/one/mesh.obj");
    fs::create_directory_symlink("..", folder_ / "set/any/up");
    fs::create_directory_symlink(".", folder_ / "set/self");
    fs::create_symlink("other", folder_ / "set/any/one/loop");
    fs::create_symlink("loop", folder_ / "set/any/one/other");
    EXPECT_EQ(render(folder_ / "set", folder_ / "out").exitCode, 0);
    for (const char* command : {"inspect", "reconstruct", "eval"}) {
        std::vector<std::string> words = {command, (folder_ / "set").string()};
        if (words[0] != "inspect") words.insert(words.end(), {"-o", folder_ / "none"});
        EXPECT_EQ(runWithTimeout(words).exitCode, 1);
    }
}

TEST_F(Paths, areRefused_whenNothingMayBeWritten) {
    const fs::path closed = folder_ / "closed";
    const fs::path file = mesh(closed / "mesh.obj");
    fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
    const std::string out = (closed / "out").string();
    if (runWithTimeout({"render", file.string(), "-o", out}, becomeOrdinary).exitCode == 0)
        GTEST_SKIP() << "this user may write everywhere";
    const std::string sample = bundledSample("02691156").string();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"render", file.string(), "-o", out},
          std::vector<std::string>{"render", file.string(), "-o", closed.string()},
          std::vector<std::string>{"reconstruct", sample, "-o", out},
          std::vector<std::string>{"reconstruct", sample, "-o", closed.string()},
          std::vector<std::string>{"eval", sample, "-o", out},
          std::vector<std::string>{"eval", sample, "-o", closed.string()},
          std::vector<std::string>{"eval", sample, "-o", (folder_ / "made").string(), "--trace",
                                   (closed / "trace.json").string()}}) {
        SCOPED_TRACE(testing::PrintToString(words));
        const ProcessResult result = runWithTimeout(words, becomeOrdinary);
        EXPECT_EQ(result.exitCode, 1) << result.output;
        expectOneError(result.errors, closed.string());
        EXPECT_FALSE(fs::exists(folder_ / "made"));
    }
    EXPECT_EQ(filesIn(closed), std::vector<std::string>{"mesh.obj"});
    fs::permissions(closed, fs::perms::owner_all);
}

}  // namespace
}  // namespace threefold::test
