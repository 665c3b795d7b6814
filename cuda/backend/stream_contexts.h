#pragma once

#include "cuda/library/context.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// Streams of a back end. Stage 2's convolutions run on `side` while stage 1 runs on `main`; `main`
/// has priority, since all later work waits for it. Streams must outlive the memory pools: a pool
/// frees memory on the stream that used the memory, in stream order.
struct BackendStreams {
    OwnedStream main = makeStream(StreamPriority::high);
    OwnedStream side = makeStream();
    OwnedStream copies = makeStream();  ///< uploads that overlap computation
};

/// Streams with library handles of their own, since handles carry state.
struct StreamContexts {
    /// `used`: number of streams in use (CudaTuning::streams); the other streams alias `main`.
    StreamContexts(const BackendStreams& streams, MemoryPool& memory, int used = 3)
        : main(streams.main.get()),
          side(used > 1 ? streams.side.get() : main),
          copies(used > 2 ? streams.copies.get() : main),
          mainContext(memory, main, algorithms),
          sideContext(memory, side, algorithms) {}
    StreamContexts(const StreamContexts&) = delete;
    StreamContexts& operator=(const StreamContexts&) = delete;

    /// Blocks until `main` and `side` are idle; does not wait for `copies`.
    void waitForCompute() const {
        CUDA_CHECK(cudaStreamSynchronize(main));
        CUDA_CHECK(cudaStreamSynchronize(side));
    }

    cudaStream_t main;
    cudaStream_t side;
    cudaStream_t copies;
    /// Shared by both contexts: the two CNNs share layer shapes, and choosing a convolution's
    /// engine costs about a second.
    library::Algorithms algorithms;
    library::Context mainContext;
    library::Context sideContext;
};

}  // namespace threefold::cuda
