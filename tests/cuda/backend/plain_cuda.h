#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "cuda/runtime/stream.h"

/// Stand-ins for the CUDA calls that a sequence of launches makes. Each call is executed in host
/// memory before it returns, unless a RandomStreamOrder lives. plain_cuda.cpp defines the calls, in
/// place of NVIDIA's library, and checkCuda().
namespace threefold::cuda::test {

/// All calls of cudaStreamWaitEvent() since the last takeWaits(): the waiting stream, and the
/// stream in which the event was last recorded (null: none).
std::vector<std::pair<Stream, Stream>> takeWaits();

/// Whether a capture has begun and not ended.
bool capturing();

/// Sets the time between any two events from now on, in milliseconds.
void setElapsed(float milliseconds);

/// Queues copies, events and replays while an object lives: each stream runs its own operations in
/// order, and waits for events. The seed determines which queued operations run during each call. A
/// call that blocks the host runs operations until it can return. At most one object may live at a
/// time.
class RandomStreamOrder {
  public:
    explicit RandomStreamOrder(unsigned seed);
    /// Runs all queued operations.
    ~RandomStreamOrder();
    RandomStreamOrder(const RandomStreamOrder&) = delete;
    RandomStreamOrder& operator=(const RandomStreamOrder&) = delete;
};

/// Enqueues `work`, which stands for a kernel.
void enqueue(Stream stream, std::function<void()> work);

/// Bytes that were copied to the device since the last call.
std::size_t takeUploads();

/// Sets the function that each launch of a graph runs.
void setReplay(std::function<void()> replay);

/// Makes a later cudaMemcpyAsync() call fail once with cudaErrorLaunchFailure, after `after` more
/// calls that succeed.
void failCopy(int after);

/// Limits page-locked host memory to `bytes` from now on; 0: no limit.
void setMaxPinnedBytes(std::size_t bytes);
/// Bytes of page-locked memory that are allocated.
std::size_t pinnedBytes();

/// Sets the device memory that each graph instantiated from now on takes; destroying a graph does
/// not free this memory. Frees the memory that graphs have taken so far.
void setGraphBytes(std::size_t bytes);

/// Sets the number of nodes of every graph from now on.
void setNodes(std::size_t nodes);

/// Number of graph launches since the last call.
int takeReplays();

}  // namespace threefold::cuda::test
