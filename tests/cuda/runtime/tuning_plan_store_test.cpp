#include "cuda/runtime/tuning_plan.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/cuda/runtime/tuning_plan_fixture.h"

namespace threefold::cuda {
namespace {

namespace fs = std::filesystem;
using test::someKey;
using test::somePlan;

/// Fixture with a temporary folder, and the warnings and debug lines that a store logs.
class TuningPlanStoreTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "threefold-plans-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override {
        std::error_code ignored;
        fs::permissions(folder_, fs::perms::owner_all, ignored);
        fs::remove_all(folder_, ignored);
    }

    TuningPlanStore store() const { return store(folder_); }
    TuningPlanStore store(const fs::path& folder) const {
        return TuningPlanStore(folder, [this](LogLevel level, std::string_view line) {
            (level == LogLevel::warning ? warnings_ : debugLines_).emplace_back(line);
        });
    }
    std::size_t filesIn(const fs::path& folder) const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    fs::path folder_;
    mutable std::vector<std::string> warnings_;
    mutable std::vector<std::string> debugLines_;
};

/// Sets an environment variable; the destructor restores the former value.
class ScopedEnvironmentVariable {
  public:
    ScopedEnvironmentVariable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        set(value);
    }
    ~ScopedEnvironmentVariable() { set(before_ ? before_->c_str() : nullptr); }
    ScopedEnvironmentVariable(const ScopedEnvironmentVariable&) = delete;
    ScopedEnvironmentVariable& operator=(const ScopedEnvironmentVariable&) = delete;

  private:
    void set(const char* value) const {
        if (value == nullptr) {
            ::unsetenv(name_);
        } else {
            ::setenv(name_, value, 1);
        }
    }
    const char* name_;
    std::optional<std::string> before_;
};

TEST(DefaultPlanFolder, followsTheEnvironment) {
    const ScopedEnvironmentVariable home("HOME", "/home/someone");
    {
        const ScopedEnvironmentVariable cache("XDG_CACHE_HOME", "/var/cache");
        EXPECT_EQ(defaultPlanFolder(), "/var/cache/threefold");
    }
    {
        const ScopedEnvironmentVariable cache("XDG_CACHE_HOME", "relative");
        EXPECT_EQ(defaultPlanFolder(), "/home/someone/.cache/threefold");
    }
    const ScopedEnvironmentVariable cache("XDG_CACHE_HOME", nullptr);
    EXPECT_EQ(defaultPlanFolder(), "/home/someone/.cache/threefold");
    const ScopedEnvironmentVariable none("HOME", nullptr);
    EXPECT_TRUE(defaultPlanFolder().empty());
}

TEST_F(TuningPlanStoreTest, restoresASavedPlan_fromAFolderThatItMakes) {
    const TuningPlanStore plans = store(folder_ / "a" / "b");
    EXPECT_FALSE(plans.load(someKey()));
    EXPECT_TRUE(plans.save(someKey(), somePlan()));
    EXPECT_EQ(plans.load(someKey()), somePlan());
    EXPECT_EQ(filesIn(folder_ / "a" / "b"), 1U);
    EXPECT_TRUE(warnings_.empty());
    EXPECT_EQ(debugLines_.size(), 1U);
}

TEST_F(TuningPlanStoreTest, keepsAFileForEachKey) {
    TuningPlanKey other = someKey();
    other.batch = 8;
    EXPECT_TRUE(store().save(someKey(), somePlan()));
    EXPECT_TRUE(store().save(other, {}));
    EXPECT_EQ(store().load(someKey()), somePlan());
    EXPECT_EQ(store().load(other), TuningPlan{});
}

TEST_F(TuningPlanStoreTest, reportsAStalePlan) {
    TuningPlanKey other = someKey();
    other.driver = "999.1";
    ASSERT_TRUE(store().save(someKey(), somePlan()));
    fs::copy_file(store().fileOf(someKey()), store().fileOf(other));
    EXPECT_FALSE(store().load(other));
    ASSERT_EQ(warnings_.size(), 1U);
    EXPECT_NE(warnings_[0].find("999.1"), std::string::npos) << warnings_[0];
}

TEST_F(TuningPlanStoreTest, refusesATruncatedPlan_andStoresItAnew) {
    const TuningPlanStore plans = store();
    ASSERT_TRUE(plans.save(someKey(), somePlan()));
    const std::vector<std::byte> whole = readFile(plans.fileOf(someKey()));
    for (std::size_t part = 0; part < 64; ++part) {
        writeFileAtomically(plans.fileOf(someKey()),
                            std::span(whole).first(whole.size() * part / 64));
        EXPECT_FALSE(plans.load(someKey())) << part;
        EXPECT_EQ(warnings_.size(), part + 1);
    }
    EXPECT_TRUE(plans.save(someKey(), somePlan()));
    EXPECT_EQ(plans.load(someKey()), somePlan());
}

TEST_F(TuningPlanStoreTest, refusesAFile_whenTooLargeOrNotRegular) {
    ASSERT_TRUE(store().save(someKey(), somePlan()));
    fs::resize_file(store().fileOf(someKey()), std::uintmax_t{1} << 30);  // a sparse file
    EXPECT_FALSE(store().load(someKey()));
    fs::remove(store().fileOf(someKey()));
    fs::create_directory(store().fileOf(someKey()));
    EXPECT_FALSE(store().load(someKey()));
    EXPECT_FALSE(store().save(someKey(), somePlan()));
    EXPECT_EQ(warnings_.size(), 3U);
}

TEST_F(TuningPlanStoreTest, onlyLogs_whenTheFolderCannotBeMade) {
    std::ofstream(folder_ / "file") << "x";
    const TuningPlanStore plans = store(folder_ / "file" / "plans");
    EXPECT_FALSE(plans.load(someKey()));
    EXPECT_FALSE(plans.save(someKey(), somePlan()));
    EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(TuningPlanStoreTest, onlyLogs_whenTheFolderIsReadOnly) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_FALSE(store().save(someKey(), somePlan()));
    EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(TuningPlanStoreTest, keepsNothing_withoutAFolder) {
    const TuningPlanStore plans = store({});
    EXPECT_FALSE(plans.save(someKey(), somePlan()));
    EXPECT_FALSE(plans.load(someKey()));
    EXPECT_THROW(plans.save(someKey(), {{}, {{"a", {-1.0F}}}}), InputError);
}

TEST_F(TuningPlanStoreTest, alwaysHoldsAWholePlan_whileProcessesWriteAtOnce) {
    constexpr int kWriters = 3;
    constexpr int kRounds = 25;
    const auto planOf = [](int writer) {
        TuningPlan plan = somePlan();
        plan.algorithms["writer"] = std::string(static_cast<std::size_t>(2000 * writer), 'w');
        return plan;
    };
    ASSERT_TRUE(store().save(someKey(), planOf(0)));
    std::vector<pid_t> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            bool all = true;
            for (int round = 0; round < kRounds; ++round) {
                all = TuningPlanStore(folder_).save(someKey(), planOf(writer)) && all;
            }
            ::_exit(all ? 0 : 1);
        }
        writers.push_back(child);
    }
    for (int round = 0; round < 4 * kRounds; ++round) EXPECT_TRUE(store().load(someKey()));
    for (const pid_t writer : writers) {
        int status = 0;
        EXPECT_EQ(::waitpid(writer, &status, 0), writer);
        EXPECT_EQ(status, 0);
    }
    EXPECT_TRUE(store().load(someKey()));
    EXPECT_TRUE(warnings_.empty());
    EXPECT_EQ(filesIn(folder_), 1U);
}

TEST_F(TuningPlanStoreTest, alwaysHoldsAWholePlan_whileThreadsWriteAtOnce) {
    std::array<std::thread, 3> writers;
    for (std::thread& writer : writers) {
        writer = std::thread([&] {
            for (int round = 0; round < 20; ++round) {
                EXPECT_TRUE(TuningPlanStore(folder_).save(someKey(), somePlan()));
            }
        });
    }
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(store().load(someKey()), somePlan());
    EXPECT_EQ(filesIn(folder_), 1U);
}

}  // namespace
}  // namespace threefold::cuda
