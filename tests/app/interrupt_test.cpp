#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/console/interrupt.h"
#include "engine/error.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/poll_until.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Interrupt, leavesOnlyWholeFiles_whenCtrlCIsPressedDuringAList) {
    const TempFolder folder;
    std::vector<std::string> arguments = {"reconstruct", "-o", (folder / "out").string()};
    for (const char* category : {"02691156", "02958343", "03001627", "04379243"}) {
        arguments.push_back(bundledSample(category).string());
    }
    Process process(arguments);
    EXPECT_TRUE(pollUntil([&] { return !filesIn(folder / "out").empty(); }));
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("cancelled"));
    const std::vector<std::string> files = filesIn(folder / "out");
    EXPECT_FALSE(files.empty());
    EXPECT_LT(files.size(), 8U);
    for (const std::string& file : files) {
        const Points points = fs::path(file).extension() == ".obj"
                                  ? readObj(folder / "out" / file).vertices
                                  : readXyz(folder / "out" / file);
        EXPECT_EQ(points.size(), 2466U) << file;
    }
}

TEST(Interrupt, leavesNoFiles_whenCtrlCIsPressedBeforeTheFirstMesh) {
    const TempFolder folder;
    Process process(reconstructing(folder / "out", {"-v"}));
    // The folder is made when signals are already watched, and long before the first mesh.
    EXPECT_TRUE(pollUntil([&] { return fs::exists(folder / "out"); }));
    process.send(SIGTERM);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("cancelled"));
    EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Interrupt, endsTheProgramAtOnce_whenCtrlCIsPressedTwice) {
    const TempFolder folder;
    Process process(reconstructing(folder / "out", {"--fit-views", "all"}));
    // The folder is made after the program has begun to watch signals.
    EXPECT_TRUE(pollUntil([&] { return fs::exists(folder / "out"); }));
    process.send(SIGINT);
    // The kernel merges two pending signals into one. Another process cannot see that the first was
    // received, so the test waits for a fixed time.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_TRUE(result.signal == SIGINT || result.exitCode == 1) << result.errors;
}

TEST(Interrupt, forgetsTheCleanUp_whenItsScopeEnds) {
    Interrupt interrupt;
    auto captured = std::make_shared<int>();
    const std::weak_ptr<int> cleanUp = captured;
    {
        const Interrupt::ImmediateExit scope(interrupt, [captured = std::move(captured)] {});
        EXPECT_FALSE(cleanUp.expired());
    }
    EXPECT_TRUE(cleanUp.expired());
}

/// Whether this thread has SIGINT unblocked.
bool takesSignals() {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    return sigismember(&mask, SIGINT) == 0;
}

void limit(__rlimit_resource resource, rlim_t max) {
    rlimit value{};
    getrlimit(resource, &value);
    value.rlim_cur = max;
    setrlimit(resource, &value);
}

/// Runs in a child process: limits the descriptors, or the memory for a thread's stack, and makes
/// an Interrupt. Exits with 0 if the Interrupt's constructor throws and leaves SIGINT unblocked.
[[noreturn]] void makeInterruptWith(__rlimit_resource resource, rlim_t max) {
    limit(resource, max);
    bool threw = false;
    try {
        const Interrupt interrupt;
    } catch (const IoError&) {
        threw = resource == RLIMIT_NOFILE;
    } catch (const std::system_error&) {
        threw = resource == RLIMIT_AS;
    }
    std::_Exit(threw && takesSignals() ? 0 : 1);
}

TEST(InterruptDeathTest, throwsAndBlocksNoSignal_whenNoDescriptorOrMemoryIsLeft) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizers need memory and descriptors of their own";
#endif
    EXPECT_EXIT(makeInterruptWith(RLIMIT_NOFILE, 3), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(makeInterruptWith(RLIMIT_AS, 1), testing::ExitedWithCode(0), "");
}

/// Runs in a child process, where no other thread could receive SIGINT and so end the process.
[[noreturn]] void interruptItself() {
    {
        const Interrupt interrupt;
        kill(getpid(), SIGINT);
        while (!interrupt.requested()) std::this_thread::yield();
    }
    std::_Exit(takesSignals() ? 0 : 1);
}

TEST(InterruptDeathTest, requestsAStopOnce_andRestoresSignalsAtItsEnd) {
    EXPECT_EXIT(interruptItself(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace threefold::test
