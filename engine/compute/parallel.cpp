#include "engine/compute/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/error.h"

namespace threefold {
namespace {

/// Each thread has a team of its own, which OpenMP keeps. Between a look when the run begins and
/// the team's start, others may have taken the memory or the threads: so one right before.
void expectTeam(int threads) {
    thread_local int team = 1;
    if (threads <= team || omp_in_parallel() != 0) return;
    expectThreads(static_cast<std::size_t>(threads - team));
    team = threads;
}

}  // namespace

// Without OpenMP, as the fuzzers are built, one thread does it all.
void parallelFor([[maybe_unused]] int threads, std::size_t count, const std::stop_token& cancel,
                 const std::function<void(std::size_t item, std::size_t thread)>& work) {
    expectTeam(threads);
    std::exception_ptr failure;
    std::atomic<bool> ended = false;
    std::atomic<std::size_t> next = 0;
#pragma omp parallel num_threads(threads)
    {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        while (!ended.load(std::memory_order_relaxed) && !cancel.stop_requested()) {
            const std::size_t item = next.fetch_add(1, std::memory_order_relaxed);
            if (item >= count) break;
            try {
                work(item, thread);
            } catch (...) {
                // An exception may not leave an OpenMP region; the first one is rethrown outside.
                if (!ended.exchange(true)) failure = std::current_exception();
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
    if (cancel.stop_requested()) throw Cancelled();
}

void limitThreads() {
    constexpr int kMost = 64;
    const int most = std::max(kMost, omp_get_num_procs());
    if (omp_get_max_threads() > most) omp_set_num_threads(most);
}

void expectThreads(std::size_t count) {
    std::vector<std::jthread> threads;  // end when asked to
    while (threads.size() < count) {
        threads.emplace_back([](const std::stop_token& end) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, end, [] { return false; });
        });
    }
}

}  // namespace threefold
