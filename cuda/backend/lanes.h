#pragma once

#include "cuda/library/context.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// The two streams of a mesh: stage 2's convolutions run on the side while stage 1 runs on the main
/// one, in what that leaves free: all that follows waits for the main one, which has more to do.
/// They outlive the pools, which give memory back in the order of the stream it was used in.
struct Streams {
    OwnedStream main = makeStream(StreamPriority::high);
    OwnedStream side = makeStream();
    OwnedStream copies = makeStream();  ///< uploads beside what is computed
};

/// Each stream's own handles of the libraries, since those carry state.
struct Lanes {
    /// `used`: as CudaOptions::streams; those left out are the main one.
    Lanes(const Streams& streams, MemoryPool& memory, int used = 3)
        : main(streams.main.get()),
          side(used > 1 ? streams.side.get() : main),
          copies(used > 2 ? streams.copies.get() : main),
          onMain(memory, main, algorithms),
          onSide(memory, side, algorithms) {}
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

    /// Blocks until both streams are idle.
    void wait() const {
        CUDA_CHECK(cudaStreamSynchronize(main));
        CUDA_CHECK(cudaStreamSynchronize(side));
    }

    cudaStream_t main;
    cudaStream_t side;
    cudaStream_t copies;
    /// Of both: the two CNNs begin alike, and choosing a convolution's engine costs about a second.
    library::Algorithms algorithms;
    library::Context onMain;
    library::Context onSide;
};

}  // namespace threefold::cuda
