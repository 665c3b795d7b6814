#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/error.h"

/// Runs kernels that are compiled as plain C++ (cuda/portable, THREEFOLD_EMULATION): launch() of
/// cuda/portable/launch.h runs the kernel to its end on the calling thread, every thread of a block
/// a fibre. A missing barrier shows when the fibres run in another order; a read of shared memory
/// that nobody wrote gives NaN; a read outside of it is the address sanitizer's. What CUDA would
/// hang on or leave undefined is an EmulationError.
namespace threefold::cuda::emulation {

/// A kernel did what a device would hang on, refuse, or leave undefined. Subject: the operation;
/// place: block and thread.
class EmulationError : public Error {
    using Error::Error;
};

struct Options {
    /// The order in which threads and blocks run: 0 ascending, 1 descending, even ones any that
    /// can go on, odd ones shuffled, each warp as far as it comes before the next.
    std::uint64_t seed = 0;
    /// Maximum number of blocks of a cooperative launch: maxCooperativeBlocks() of any kernel.
    int cooperativeBlocks = 8;
    /// Dynamic shared memory a block may ask for: 227 KiB is what 9.0 has, 99 KiB 8.6 and 12.0,
    /// 64 KiB 7.5.
    std::size_t sharedBytesPerBlock = 232448;
};

/// Sets the options of launches from this thread as long as it lives.
class OptionsScope {
  public:
    explicit OptionsScope(const Options& options);
    ~OptionsScope();
    OptionsScope(const OptionsScope&) = delete;
    OptionsScope& operator=(const OptionsScope&) = delete;

  private:
    Options previous_;
};

/// The seeds that tests run kernels under.
inline constexpr std::uint64_t kSeeds[] = {0, 1, 2, 3, 4};

/// Calls `body` once for each of kSeeds, with that seed set.
void forEachSeed(const std::function<void(std::uint64_t seed)>& body);

// same_results.h: expectSameUnderAllSeeds().

}  // namespace threefold::cuda::emulation
