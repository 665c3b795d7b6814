#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/cuda/emulation/block.h"
#include "tests/cuda/emulation/random.h"

namespace threefold::cuda::emulation {

/// Threads that are ready to run, in an order given by the seed (Options::seed).
class ReadyThreads {
  public:
    explicit ReadyThreads(std::uint64_t seed) : seed_(seed), random_(seed) {}

    /// Adds all threads of the blocks. For seeds above 1 the order of the warps, and of the lanes
    /// in each, is random; a warp's lanes stay together, so that one warp may run far ahead of the
    /// others.
    void begin(const std::vector<std::unique_ptr<Block>>& blocks);

    bool empty() const { return first_ == threads_.size(); }
    void add(Thread* thread) { threads_.push_back(thread); }
    Thread* take();

  private:
    std::uint64_t seed_;
    Random random_;
    std::vector<Thread*> threads_;
    std::size_t first_ = 0;
};

}  // namespace threefold::cuda::emulation
