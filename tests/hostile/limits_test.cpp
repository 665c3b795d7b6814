#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/hostile/whole_files.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr unsigned long long kMiB = 1U << 20U;

/// Smallest limit with which the program and its libraries start, found in steps of `step`.
unsigned long long minToStart(int resource, unsigned long long step) {
    unsigned long long max = step;
    const auto starts = [&] {
        return runThreefold({"--version"}, withTimeout([&] { limitTo(resource, max); })).exitCode ==
               0;
    };
    while (!starts()) max += step;
    return max;
}

class Limits : public CompleteFiles {
  protected:
    Limits() : CompleteFiles(1) {}

    /// Expects that eval under the limit succeeds, or names the resource that it lacks.
    void expectReportedOrDone(int resource, unsigned long long max, const char* lack) {
        SCOPED_TRACE("limit " + std::to_string(max));
        const std::string out = "out" + std::to_string(max);
        const ProcessResult result =
            runWithTimeout(eval(out, "--overwrite"), [&] { limitTo(resource, max); });
        if (result.exitCode == 0) {
            EXPECT_EQ(result.errors.find("threefold: "), std::string::npos) << result.errors;
        } else {
            EXPECT_THAT(result.errors, HasSubstr("threefold: "));
            EXPECT_THAT(result.errors, testing::ContainsRegex(lack));
            EXPECT_THAT(result.errors, testing::Not(HasSubstr("report this")));
        }
        successCount_ += result.exitCode == 0 ? 1 : 0;
    }

    int successCount_ = 0;
};

TEST_F(Limits, areReported_whenMemoryIsShort) {
    if (kSanitized) GTEST_SKIP() << "the address sanitizer takes all of the address space";
    const unsigned long long min = minToStart(RLIMIT_AS, 4 * kMiB);
    for (const unsigned more :
         {0U,   4U,   8U,   16U,  48U,  64U,  96U,  128U, 144U, 160U, 176U, 192U,
          208U, 224U, 256U, 272U, 284U, 288U, 292U, 296U, 300U, 304U, 312U, 320U})
        expectReportedOrDone(RLIMIT_AS, min + more * kMiB, "memory|libcrypto");
}

TEST_F(Limits, areReported_whenFewFilesMayBeOpen) {
    if (kSanitized) GTEST_SKIP() << "the undefined-behaviour sanitizer looks through a pipe";
    const unsigned long long min = minToStart(RLIMIT_NOFILE, 1);
    for (const unsigned more : {0U, 1U, 2U, 3U, 4U, 6U, 60U})
        expectReportedOrDone(RLIMIT_NOFILE, min + more, "ulimit -n");
    EXPECT_GE(successCount_, 1);
}

TEST_F(Limits, changeNothing_whenTheStackIsSmallOrUnlimited) {
    constexpr unsigned long long kSmall = kSanitized ? kMiB : kMiB / 4;
    constexpr unsigned long long kUnlimited = RLIM_INFINITY;
    for (const unsigned long long max : {kSmall, 2 * kMiB, kUnlimited})
        expectReportedOrDone(RLIMIT_STACK, max, "");
    EXPECT_EQ(successCount_, 3);
}

/// Becomes another user, since the number of root's threads is unlimited.
void becomeNobody() {
    constexpr uid_t kNobody = 65534;
    if (geteuid() != 0 || setgroups(0, nullptr) != 0 || setuid(kNobody) != 0) return;
}

TEST_F(Limits, areReported_whenNoThreadMayBeStarted) {
    if (kSanitized) GTEST_SKIP() << "the address sanitizer looks for leaks in a further thread";
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
    const ProcessResult probe = runThreefold({"--version"}, withTimeout(becomeNobody));
    if (probe.exitCode != 0) GTEST_SKIP() << "another user cannot start the program";
    for (const unsigned threads : {1U, 2U, 3U, 4U, 5U, 6U}) {
        SCOPED_TRACE(std::to_string(threads) + " threads");
        const std::string out = "threads" + std::to_string(threads);
        const ProcessResult result = runWithTimeout(eval(out, "--overwrite"), [&] {
            becomeNobody();
            limitTo(RLIMIT_NPROC, threads);
        });
        if (result.exitCode == 0) continue;
        EXPECT_THAT(result.errors, HasSubstr("no further thread can be started"));
        EXPECT_THAT(result.errors, HasSubstr("ulimit -u"));
    }
}

}  // namespace
}  // namespace threefold::test
