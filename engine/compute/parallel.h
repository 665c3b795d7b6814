#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace threefold {

/// Calls work(index, thread) for each index in 0…count−1, on OpenMP's threads, which oneDNN uses as
/// well. A free thread takes the next index.
///
/// - `thread`: 0…threads−1; 0 is the caller. A number of threads below one counts as one.
/// - Any thread may call. Nested calls run on the calling thread alone, unless
///   OMP_MAX_ACTIVE_LEVELS says otherwise.
/// - The first exception of `work` ends the loop and is rethrown.
/// - Throws Cancelled if `cancel` is requested before the end, even after the last call; no call
///   begins after the request.
/// - Throws std::system_error if OpenMP would have to start threads that the system refuses
///   (requireThreads()).
void parallelFor(int threads, std::size_t count, const std::stop_token& cancel,
                 const std::function<void(std::size_t index, std::size_t thread)>& work);

/// Like parallelFor(), but calls work(begin, end) for ranges of up to `chunk` (1 or more)
/// successive indices, which together are 0…count−1. Meant for work that takes little time per
/// index.
void parallelForChunks(int threads, std::size_t count, std::size_t chunk,
                       const std::stop_token& cancel,
                       const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Maximum number of threads that a user may request.
inline constexpr int kMaxRequestedThreads = 1024;

/// Number of threads to compute with: `requested`, or OpenMP's number if `requested` is 0 or less;
/// at most the number of hardware threads, or 64 if 64 is more, since each thread takes memory.
/// Results do not depend on the number.
int resolveThreadCount(int requested);

/// Limits OpenMP's own number of threads as resolveThreadCount() does, even if OMP_NUM_THREADS asks
/// for more. Call before any other thread starts.
void limitOpenMpThreads();

/// Throws std::system_error if the system does not let the process start `count` more threads now.
/// Without this check, OpenMP ends the process if it cannot start a thread.
void requireThreads(std::size_t count);

}  // namespace threefold
