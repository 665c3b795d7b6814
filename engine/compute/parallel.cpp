#include "engine/compute/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "engine/error.h"

namespace threefold {
namespace {

/// Checks that the calling thread's OpenMP team can grow to `threads`. OpenMP keeps a team per
/// thread; surplus threads end when a smaller team starts. The check comes right before the team
/// starts: after an earlier check, other code could still take the memory or the threads.
void prepareTeam(int threads) {
    thread_local int teamSize = 1;
    if (omp_in_parallel() != 0) return;
    if (threads > teamSize) requireThreads(static_cast<std::size_t>(threads - teamSize));
    teamSize = threads;
}

int maxThreads() {
    constexpr int kAlwaysAllowed = 64;
    return std::max(kAlwaysAllowed, omp_get_num_procs());
}

}  // namespace

// Without OpenMP, as in the fuzzers' build, one thread does all the work.
void parallelFor([[maybe_unused]] int threads, std::size_t count, const std::stop_token& cancel,
                 const std::function<void(std::size_t index, std::size_t thread)>& work) {
    threads = std::max(threads, 1);
    prepareTeam(threads);
    std::exception_ptr failure;
    std::atomic<bool> ended = false;
    std::atomic<std::size_t> next = 0;
#pragma omp parallel num_threads(threads)
    {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        while (!ended.load(std::memory_order_relaxed) && !cancel.stop_requested()) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count) break;
            try {
                work(index, thread);
            } catch (...) {
                // An exception may not leave an OpenMP region; the first one is rethrown outside.
                if (!ended.exchange(true)) failure = std::current_exception();
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
    if (cancel.stop_requested()) throw Cancelled();
}

void parallelForChunks(int threads, std::size_t count, std::size_t chunk,
                       const std::stop_token& cancel,
                       const std::function<void(std::size_t begin, std::size_t end)>& work) {
    parallelFor(threads, (count + chunk - 1) / chunk, cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    work(i * chunk, std::min(count, (i + 1) * chunk));
                });
}

int resolveThreadCount(int requested) {
    return std::min(requested > 0 ? requested : omp_get_max_threads(), maxThreads());
}

void limitOpenMpThreads() {
    if (omp_get_max_threads() > maxThreads()) omp_set_num_threads(maxThreads());
}

void requireThreads(std::size_t count) {
    // The threads must not allocate: an exception in one of them would end the process.
    std::atomic<bool> released = false;
    std::vector<std::jthread> threads;
    struct Release {
        std::atomic<bool>& flag;
        ~Release() {
            flag = true;
            flag.notify_all();
        }
    } const release{released};
    threads.reserve(count);
    while (threads.size() < count) threads.emplace_back([&released] { released.wait(false); });
}

}  // namespace threefold
