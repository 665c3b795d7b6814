#include "cuda/backend/cuda_device_api.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include <fmt/format.h>

#include "engine/devices/device_error.h"
#include "engine/units.h"

namespace threefold::cuda {
namespace {

constexpr std::align_val_t kHostAlignment{4096};

[[noreturn]] void throwFull(const char* what, std::size_t bytes, std::size_t free) {
    throw OutOfDeviceMemory({"GPU", what,
                             fmt::format("{:.0f} MiB are needed and {:.0f} MiB are free",
                                         static_cast<double>(bytes) / kBytesPerMebibyte,
                                         static_cast<double>(free) / kBytesPerMebibyte),
                             "Use a smaller batch, close other programs that use the GPU, or use "
                             "the processor (`backend=cpu`)."},
                            bytes, free);
}

}  // namespace

CudaDeviceApi::CudaDeviceApi(const DeviceInfo& device, std::size_t maxBytes, bool pinned)
    : index_(device.index), maxBytes_(maxBytes), pinned_(pinned) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = index_;
    pool_ = makeOwned<OwnedPool>(
        [&](cudaMemPool_t* pool) { CUDA_CHECK(cudaMemPoolCreate(pool, &properties)); });
    std::uint64_t threshold = UINT64_MAX;
    CUDA_CHECK(cudaMemPoolSetAttribute(pool_.get(), cudaMemPoolAttrReleaseThreshold, &threshold));
}

std::size_t CudaDeviceApi::freeBytes() {
    const std::size_t free = memoryInfo().free;
    if (maxBytes_ == 0) return free;
    std::uint64_t used = 0;
    CUDA_CHECK(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrUsedMemCurrent, &used));
    return std::min(free, maxBytes_ - std::min<std::size_t>(used, maxBytes_));
}

void* CudaDeviceApi::allocate(std::size_t bytes, Stream stream) {
    // The limit is enforced here, since the driver would round a pool's own size limit.
    if (maxBytes_ > 0)
        if (const std::size_t free = freeBytes(); bytes > free)
            throwFull("memory of the device", bytes, free);
    void* memory = nullptr;
    const cudaError_t status = cudaMallocFromPoolAsync(&memory, bytes, pool_.get(), stream);
    if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        throwFull("memory of the device", bytes, freeBytes());
    }
    CUDA_CHECK(status);
    return memory;
}

void* CudaDeviceApi::allocatePinned(std::size_t bytes) {
    if (!pinned_) return ::operator new(bytes, kHostAlignment);
    void* memory = nullptr;
    const cudaError_t status = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
    if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        throwFull("page-locked memory of the host", bytes, 0);
    }
    CUDA_CHECK(status);
    return memory;
}

void CudaDeviceApi::freePinned(void* memory) noexcept {
    if (!pinned_) return ::operator delete(memory, kHostAlignment);
    ignoreFailure(cudaFreeHost(memory));
}

DeviceMemoryInfo CudaDeviceApi::memoryInfo() {
    DeviceMemoryInfo info;
    CUDA_CHECK(cudaMemGetInfo(&info.free, &info.total));
    return info;
}

bool CudaDeviceApi::isComplete(Event event) {
    const cudaError_t status = cudaEventQuery(event);
    if (status == cudaErrorNotReady) {
        static_cast<void>(cudaGetLastError());
        return false;
    }
    CUDA_CHECK(status);
    return true;
}

void CudaDeviceApi::trim() {
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemPoolTrimTo(pool_.get(), 0));
}

}  // namespace threefold::cuda
