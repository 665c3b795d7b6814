#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda/portable/function_qualifiers.h"
#include "cuda/runtime/stream.h"

#if defined(THREEFOLD_EMULATION)
#include <emulated/calls.h>
#elif !defined(__CUDACC__)
#include <vector_types.h>
#endif

namespace threefold::cuda {

/// Number of blocks, threads of a block, and dynamic shared memory of a block.
struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t sharedBytes = 0;
    /// Requires all blocks to be resident at once, for gridBarrier(): at most
    /// maxCooperativeBlocks() blocks.
    bool cooperative = false;
};

#if !defined(THREEFOLD_EMULATION)
namespace detail {
/// Launches the kernel; raises its limit of dynamic shared memory first if it needs more than 48
/// KiB. Throws DeviceError (also as OutOfDeviceMemory, DeviceLost) with the kernel's name, its
/// shape and CUDA's message.
void launchKernel(const void* kernel, const LaunchShape& shape, Stream stream, void** arguments);
int maxCooperativeBlocks(const void* kernel, int threads, std::size_t sharedBytes);
}  // namespace detail
#endif

/// Launches `kernel` on `stream`. Arguments convert to the kernel's parameters. Throws DeviceError,
/// OutOfDeviceMemory or DeviceLost (subject: the kernel, place: the shape) if the launch is
/// refused, as it is for an empty grid. The emulator returns when the kernel has ended, and
/// rethrows the kernel's exceptions.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape, [[maybe_unused]] Stream stream,
            Arguments&&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "as many arguments as the kernel has parameters");
    std::tuple<std::remove_cv_t<Parameters>...> values(std::forward<Arguments>(arguments)...);
#if defined(THREEFOLD_EMULATION)
    struct Call {
        void (*kernel)(Parameters...);
        std::tuple<std::remove_cv_t<Parameters>...>* values;
    } call{kernel, &values};
    emulation::runKernel({shape.grid, shape.block, shape.sharedBytes, shape.cooperative},
                         {[](void* context) {
                              const Call& self = *static_cast<Call*>(context);
                              std::apply(self.kernel, *self.values);
                          },
                          &call});
#else
    std::apply(
        [&](auto&... value) {
            // One extra element, since an array cannot be empty.
            void* pointers[sizeof...(Parameters) + 1] = {static_cast<void*>(&value)..., nullptr};
            detail::launchKernel(reinterpret_cast<const void*>(kernel), shape, stream, pointers);
        },
        values);
#endif
}

/// Maximum blocks of this kernel that are resident on the current device at once. The device must
/// support cooperative launches and `sharedBytes` per block.
template <class... Parameters>
int maxCooperativeBlocks([[maybe_unused]] void (*kernel)(Parameters...), int threads,
                         std::size_t sharedBytes) {
#if defined(THREEFOLD_EMULATION)
    return emulation::maxCooperativeBlocks(threads, sharedBytes);
#else
    return detail::maxCooperativeBlocks(reinterpret_cast<const void*>(kernel), threads,
                                        sharedBytes);
#endif
}

}  // namespace threefold::cuda
