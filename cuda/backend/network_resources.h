#pragma once

#include "cuda/backend/stream_contexts.h"
#include "cuda/runtime/memory_pool.h"

namespace threefold::cuda {

/// Streams and memory that a network uses, and that must outlive the network.
struct NetworkResources {
    StreamContexts& contexts;
    MemoryPool& deviceMemory;
    MemoryPool& pinnedMemory;
};

}  // namespace threefold::cuda
