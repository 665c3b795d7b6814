#include "cuda/portable/launch.h"

#include <cuda_runtime.h>
#include <cxxabi.h>
#include <fmt/core.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "cuda/runtime/check.h"

namespace threefold::cuda::detail {
namespace {

/// Maximum dynamic shared memory without opt-in.
constexpr std::size_t kDefaultSharedBytes = 48 * 1024;

std::string kernelName(const void* kernel) {
    const char* mangled = nullptr;
    if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || mangled == nullptr) {
        (void)cudaGetLastError();
        return "a kernel";
    }
    const std::unique_ptr<char, decltype(&std::free)> readable(
        abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr), &std::free);
    std::string name = readable != nullptr ? readable.get() : mangled;
    return name.substr(0, name.find('('));
}

std::string describe(const LaunchShape& shape) {
    return fmt::format("grid {}x{}x{}, block {}x{}x{}, {} bytes of shared memory", shape.grid.x,
                       shape.grid.y, shape.grid.z, shape.block.x, shape.block.y, shape.block.z,
                       shape.sharedBytes);
}

/// CUDA_CHECK that names the kernel and its shape.
void check(cudaError_t status, const void* kernel, const LaunchShape& shape, const char* call) {
    if (status == cudaSuccess) return;
    (void)cudaGetLastError();  // reported here, not again by the next call
    throwDeviceError(
        errorKindOf(status),
        {kernelName(kernel), describe(shape),
         fmt::format("{} failed with {} ({})", call, cudaGetErrorName(status),
                     cudaGetErrorString(status)),
         "Use NVIDIA's kernels (`kernels=library`) or the processor (`backend=cpu`)."});
}

void allowSharedMemory(const void* kernel, const LaunchShape& shape) {
    if (shape.sharedBytes <= kDefaultSharedBytes) return;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), kernel, shape, "cudaFuncGetAttributes");
    // The limit is never lowered: a captured graph may still launch the kernel with more.
    if (static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes) >= shape.sharedBytes) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.sharedBytes)),
          kernel, shape, "cudaFuncSetAttribute");
}

}  // namespace

void launchKernel(const void* kernel, const LaunchShape& shape, Stream stream, void** arguments) {
    allowSharedMemory(kernel, shape);
    if (shape.cooperative) {
        check(cudaLaunchCooperativeKernel(kernel, shape.grid, shape.block, arguments,
                                          shape.sharedBytes, stream),
              kernel, shape, "cudaLaunchCooperativeKernel");
    } else {
        check(
            cudaLaunchKernel(kernel, shape.grid, shape.block, arguments, shape.sharedBytes, stream),
            kernel, shape, "cudaLaunchKernel");
    }
    check(cudaGetLastError(), kernel, shape, "the launch");
}

int maxCooperativeBlocks(const void* kernel, int threads, std::size_t sharedBytes) {
    const LaunchShape shape{dim3(1), dim3(static_cast<unsigned>(threads)), sharedBytes};
    allowSharedMemory(kernel, shape);
    int device = 0;
    check(cudaGetDevice(&device), kernel, shape, "cudaGetDevice");
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), kernel,
          shape, "cudaDeviceGetAttribute");
    int perMultiprocessor = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel, threads,
                                                        sharedBytes),
          kernel, shape, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return multiprocessors * perMultiprocessor;
}

}  // namespace threefold::cuda::detail
