#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "cuda/runtime/stream.h"

/// The few calls of CUDA that a sequence of launches makes, done at once in host memory:
/// plain_cuda.cpp defines them in NVIDIA's place, and checkCuda() with them.
namespace threefold::cuda::test {

/// Every time a stream was told to wait for an event: the waiting stream, and the one the event was
/// last recorded in (null: in none). Since the last call.
std::vector<std::pair<Stream, Stream>> takeWaits();

/// Whether a capture has begun and not ended.
bool capturing();

/// Sets the time between any two events from now on, in milliseconds.
void setElapsed(float milliseconds);

/// While it lives, copies, events and replays are not done at once but later: each stream does its
/// own in order, as far as events let it, and how far each comes at every call is drawn from the
/// seed. What the host waits for is done by then. One at a time.
class Unhurried {
  public:
    explicit Unhurried(unsigned seed);
    /// Everything is done.
    ~Unhurried();
    Unhurried(const Unhurried&) = delete;
    Unhurried& operator=(const Unhurried&) = delete;
};

/// Work of a stand-in for a kernel.
void enqueue(Stream stream, std::function<void()> work);

/// Bytes that were copied to the device since the last call.
std::size_t takeUploads();

/// Called when a graph's launch is executed.
void setReplay(std::function<void()> replay);

/// Fails this many-th copy from now (0: the next), once, as CUDA would.
void failCopy(int after);

/// Page-locked memory of the host is out beyond so many bytes from now on; 0: never.
void setMostPinned(std::size_t bytes);
/// Bytes of page-locked memory that are allocated.
std::size_t pinnedBytes();

/// Device memory that each graph instantiated from now on takes, for good. Gives back the memory
/// taken so far.
void setGraphBytes(std::size_t bytes);

/// How many nodes every graph has from now on.
void setNodes(std::size_t nodes);

/// How often a graph was launched since the last call.
int takeReplays();

}  // namespace threefold::cuda::test
