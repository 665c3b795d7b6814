#include "tests/hostile/watched.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace threefold::test {
namespace {

constexpr unsigned kHangSeconds = 240;
constexpr int kNoLimit = 127;  // exit code of a child whose limit could not be set

int numberFromEnvironment(const char* variable, int defaultValue) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? defaultValue : std::max(1, std::atoi(text));
}

}  // namespace

int rounds(int defaultRounds) {
    return defaultRounds * numberFromEnvironment("THREEFOLD_HOSTILE_ROUNDS", 1);
}

unsigned seed() {
    return static_cast<unsigned>(numberFromEnvironment("THREEFOLD_HOSTILE_SEED", 20261120));
}

StartOptions withTimeout(std::function<void()> prepare) {
    StartOptions options;
    // The program gets no display, since a window would not close by itself.
    options.unsetVariables = {"DISPLAY", "WAYLAND_DISPLAY"};
    options.prepare = [prepare = std::move(prepare)] {
        alarm(kHangSeconds);
        if (prepare) prepare();
    };
    return options;
}

void expectOrderly(const ProcessResult& result) {
    EXPECT_NE(result.exitCode, kNoLimit) << "setrlimit failed";
    EXPECT_EQ(result.signal, 0) << result.errors;
    EXPECT_LE(result.exitCode, 3) << result.errors;
    for (const char* text : {"Sanitizer", "runtime error: ", "terminate called"})
        EXPECT_THAT(result.errors, testing::Not(testing::HasSubstr(text)));
}

ProcessResult runWithTimeout(const std::vector<std::string>& arguments,
                             std::function<void()> prepare) {
    ProcessResult result = runThreefold(arguments, withTimeout(std::move(prepare)));
    expectOrderly(result);
    return result;
}

void limitTo(int resource, unsigned long long max) {
    const rlimit limit{max, max};
    // This function runs in the child; without the limit the test would prove nothing.
    if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) _exit(kNoLimit);
}

}  // namespace threefold::test
