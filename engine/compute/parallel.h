#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace threefold {

/// Calls work(item, thread) for every item in 0…count−1, on the process's one pool (OpenMP, which
/// oneDNN uses as well); items are handed out as threads become free. `thread` is 0…threads−1, 0
/// being the caller. Once `cancel` is requested no further item begins, and Cancelled is thrown.
/// The first exception of an item ends the loop and is rethrown to the caller. Throws
/// std::system_error as expectThreads(), where the calling thread has no such team yet.
void parallelFor(int threads, std::size_t count, const std::stop_token& cancel,
                 const std::function<void(std::size_t item, std::size_t thread)>& work);

/// Lets OpenMP have no more threads than the processor runs at once, or 64, whatever
/// OMP_NUM_THREADS says: each takes memory. Before the first other thread.
void limitThreads();

/// Throws std::system_error unless the system lets the process start `count` threads more just now:
/// where OpenMP cannot start one of its own, it ends the process.
void expectThreads(std::size_t count);

}  // namespace threefold
