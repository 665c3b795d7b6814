#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/pipeline/pipeline.h"
#include "tests/engine/evaluation/fake_backend.h"
#include "tests/support/borrowed_device.h"

namespace threefold::test {
namespace {

constexpr std::size_t kGiga = std::size_t{1} << 30U;

/// Gives new threads stacks of 1 GiB, and limits the address space so that `count` stacks fit.
void allowThreads(std::size_t count) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kGiga);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const rlimit limit{used + count * kGiga + kGiga / 2, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
}

/// Whether the run throws because a thread cannot be started.
bool throwsForLackOfAThread(NetworkService& network) {
    PipelineCallbacks parts;
    parts.load = [](std::size_t /*position*/, SampleRecord& /*record*/) { return LoadedSample(); };
    parts.finish = [](const ComputedSample&, SampleRecord& /*record*/, PipelineStepTimer&) {};
    parts.store = [](std::span<const FinishedSample>) {};
    try {
        runPipeline(network, 100, parts, {});
    } catch (const std::system_error&) {
        return true;
    }
    return false;
}

// The run needs three threads: a loader, a finisher, and one that stores.
TEST(PipelineDeathTest, endsWithTheReason_whenAThreadCannotBeStarted) {
    for (std::size_t started = 0; started < 3; ++started) {
        EXPECT_EXIT(
            {
                FakeBackend backend;
                NetworkOn network(backend);
                allowThreads(started);
                std::_Exit(throwsForLackOfAThread(network) ? EXIT_SUCCESS : EXIT_FAILURE);
            },
            testing::ExitedWithCode(EXIT_SUCCESS), "")
            << started << " threads";
    }
}

}  // namespace
}  // namespace threefold::test
