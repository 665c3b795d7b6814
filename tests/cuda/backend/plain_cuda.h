#pragma once

#include <cstddef>
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

/// What lies between any two events from now on, in milliseconds.
void setElapsed(float milliseconds);

/// How many nodes every graph has from now on.
void setNodes(std::size_t nodes);

/// How often a graph was launched since the last call.
int takeReplays();

}  // namespace threefold::cuda::test
