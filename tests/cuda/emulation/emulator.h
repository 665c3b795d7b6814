#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/error.h"

/// Runs kernels that are compiled as plain C++ (cuda/portable, THREEFOLD_EMULATION): launch() of
/// cuda/portable/launch.h runs the kernel to its end on the calling thread, with a fibre for each
/// thread of a block. The emulator detects errors: a missing barrier makes results depend on the
/// order of threads; unwritten shared memory reads as NaN; the address sanitizer reports accesses
/// beyond the end of shared memory; a call that would hang or be undefined in CUDA throws
/// EmulationError.
namespace threefold::cuda::emulation {

/// Error of a kernel or launch that would hang on a device, be refused or be undefined. Subject:
/// the operation; place: the block and mostly its thread, or the shape of a refused launch.
class EmulationError : public Error {
    using Error::Error;
};

struct Options {
    /// Order in which threads and blocks run. 0: ascending; 1: descending; larger seeds: blocks are
    /// shuffled, and the next thread is any ready one (even seeds) or the one that became ready
    /// last (odd seeds), so that a warp runs far ahead of the others.
    std::uint64_t seed = 0;
    /// Maximum number of blocks of a cooperative launch, for every kernel.
    int cooperativeBlocks = 8;
    /// Maximum dynamic shared memory of a block in bytes. Compute capability 9.0 has 227 KiB; 8.6
    /// and 12.0 have 99 KiB; 7.5 has 64 KiB.
    std::size_t sharedBytesPerBlock = 232448;
};

/// Sets the options of launches from this thread for the object's lifetime.
class OptionsScope {
  public:
    explicit OptionsScope(const Options& options);
    ~OptionsScope();
    OptionsScope(const OptionsScope&) = delete;
    OptionsScope& operator=(const OptionsScope&) = delete;

  private:
    Options previous_;
};

/// Seeds under which tests run kernels.
inline constexpr std::uint64_t kSeeds[] = {0, 1, 2, 3, 4};

/// Calls `body` once for each of kSeeds, with that seed set.
void forEachSeed(const std::function<void(std::uint64_t seed)>& body);

}  // namespace threefold::cuda::emulation
