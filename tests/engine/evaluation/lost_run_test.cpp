#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/journal/merge.h"
#include "engine/evaluation/run/shown_lists.h"
#include "tests/engine/evaluation/masked_reports.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/support/file_text.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::size_t kSamples = 30;
constexpr const char* kDelay = "3000";  // microseconds per sample: a run takes at least 90 ms

/// A running list driver (THREEFOLD_LIST_DRIVER).
class Driver {
  public:
    explicit Driver(std::vector<std::string> words, const fs::path& messages = "/dev/null") {
        words.insert(words.begin(), THREEFOLD_LIST_DRIVER);
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        EXPECT_EQ(posix_spawn(&id_, pointers[0], &actions, nullptr, pointers.data(), environ), 0);
        posix_spawn_file_actions_destroy(&actions);
    }

    /// Kills the driver if it was started. Without this check, kill(−1) would end every process of
    /// the user.
    void kill() const {
        if (id_ > 0) ::kill(id_, SIGKILL);
    }

    /// Waits for the end; returns the exit code, or minus the signal.
    int wait() const {
        int status = 0;
        while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

  private:
    pid_t id_ = -1;
};

std::uintmax_t sizeOf(const fs::path& file) {
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(file, missing);
    return missing ? 0 : size;
}

class LostRun : public testing::Test {
  protected:
    LostRun() {
        fs::create_directories(undisturbed_);
        EXPECT_EQ(Driver({data_.list(), undisturbed_, "fresh"}).wait(), 0);
        const std::size_t thumbnails =
            shownRecords(mergeRuns(std::vector{undisturbed_}).run.records).size();
        EXPECT_EQ(maskedFiles(undisturbed_).size(), 2 * kSamples + thumbnails + kReports);
    }

    /// Number of compared reports: all but combined_timings.txt, which differs from run to run.
    static constexpr std::size_t kReports = 4;
    TempFolder folder_;
    SmallDataSet data_{folder_ / "data", kSamples};
    fs::path undisturbed_ = folder_ / "undisturbed";
};

TEST_F(LostRun, endsInTheSameFiles_whenKilledAt20RandomInstants) {
    std::mt19937 random(20261120);
    // Measures the length of a whole run, which depends on the machine's load.
    const fs::path timed = folder_ / "timed";
    fs::create_directories(timed);
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(Driver({data_.list(), timed, "fresh", kDelay}).wait(), 0);
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    std::uniform_int_distribution<std::int64_t> anywhere(0, whole.count());
    std::uniform_int_distribution<std::int64_t> soon(0, 10'000);

    const fs::path out = folder_ / "killed";
    fs::create_directories(out);
    std::size_t before = 0;
    std::size_t amid = 0;
    for (int kills = 0; kills < 20; ++kills) {
        const std::uintmax_t size = sizeOf(out / kJournalName);
        const Driver driver({data_.list(), out, "resume", kDelay});
        if (kills % 2 == 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(anywhere(random)));
        } else {  // waits until the journal grows, so that the kill certainly hits the run
            const auto deadline = std::chrono::steady_clock::now() + 10 * whole;
            while (sizeOf(out / kJournalName) <= size &&
                   std::chrono::steady_clock::now() < deadline)
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            std::this_thread::sleep_for(std::chrono::microseconds(soon(random)));
        }
        driver.kill();
        driver.wait();
        if (sizeOf(out / kJournalName) == 0) continue;
        const std::size_t kept = readJournal(out).records.size();
        EXPECT_GE(kept, before) << "a finished sample was lost";
        if (kept > before && kept < kSamples) ++amid;
        before = kept;
        if (kept == kSamples) {  // starts a new run, so that all kills hit a run
            fs::remove_all(out);
            fs::create_directories(out);
            before = 0;
        }
    }
    EXPECT_GT(amid, 0U) << "no kill hit a run in its middle";
    EXPECT_EQ(Driver({data_.list(), out, "resume"}).wait(), 0);
    EXPECT_EQ(maskedFiles(out), maskedFiles(undisturbed_));
}

TEST_F(LostRun, endsWithAnErrorAndResumes_whenFilesMayNotGrow) {
    const fs::path out = folder_ / "full";
    fs::create_directories(out);
    // The limit admits the meshes and a part of the journal.
    EXPECT_EQ(Driver({data_.list(), out, "fresh", "0", "12000"}, folder_ / "err").wait(), 1);
    EXPECT_THAT(fileText(folder_ / "err"), HasSubstr("File too large"));
    const std::size_t kept = readJournal(out).records.size();
    EXPECT_GT(kept, 0U);
    EXPECT_LT(kept, kSamples);
    EXPECT_EQ(Driver({data_.list(), out, "resume"}).wait(), 0);
    EXPECT_EQ(maskedFiles(out), maskedFiles(undisturbed_));
}

/// A small file system at a folder.
class SmallDisk {
  public:
    explicit SmallDisk(fs::path folder) : folder_(std::move(folder)) {
        fs::create_directories(folder_);
        mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=256k") == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount(folder_.c_str());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool mounted() const { return mounted_; }
    bool grow() const {
        return ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, "size=16m") == 0;
    }
    bool makeReadOnly(bool readOnly) const {
        return ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | (readOnly ? MS_RDONLY : 0),
                       "size=16m") == 0;
    }

  private:
    fs::path folder_;
    bool mounted_ = false;
};

TEST_F(LostRun, endsWithAnErrorAndResumes_whenTheDiskIsFullOrReadOnly) {
    const fs::path out = folder_ / "disk";
    const SmallDisk disk(out);
    if (!disk.mounted()) GTEST_SKIP() << "no small disk can be mounted here";
    EXPECT_EQ(Driver({data_.list(), out, "fresh"}, folder_ / "err").wait(), 1);
    EXPECT_THAT(fileText(folder_ / "err"), HasSubstr("No space left on device"));
    const std::size_t kept = readJournal(out).records.size();
    EXPECT_GT(kept, 0U);
    EXPECT_LT(kept, kSamples);
    ASSERT_TRUE(disk.makeReadOnly(true));
    EXPECT_EQ(Driver({data_.list(), out, "resume"}, folder_ / "err").wait(), 1);
    EXPECT_THAT(fileText(folder_ / "err"), HasSubstr("Read-only file system"));
    ASSERT_TRUE(disk.makeReadOnly(false));
    ASSERT_TRUE(disk.grow());
    EXPECT_EQ(Driver({data_.list(), out, "resume"}).wait(), 0);
    EXPECT_EQ(maskedFiles(out), maskedFiles(undisturbed_));
}

}  // namespace
}  // namespace threefold::test
