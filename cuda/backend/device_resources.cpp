#include "cuda/backend/device_resources.h"

#include <cuda_runtime_api.h>

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "cuda/runtime/check.h"
#include "engine/devices/device_error.h"
#include "engine/units.h"

namespace threefold::cuda {
namespace {

/// Bytes of the current device that are in use, by all processes.
std::size_t usedBytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return total - free;
}

/// Returns `model`. Throws DeviceError unless the model has the published number of hypothesis
/// blocks, which the device's buffers, captured graph and quantisation ranges assume.
std::shared_ptr<const Model> withPublishedBlocks(std::shared_ptr<const Model> model) {
    if (model->hypothesisBlocks() == kPublishedHypothesisBlocks) return model;
    throw DeviceError({model->file.string(), "stage 2",
                       fmt::format("has {} hypothesis blocks, a GPU computes models with {}",
                                   model->hypothesisBlocks(), kPublishedHypothesisBlocks),
                       "Use the processor (`backend=cpu`)."});
}

std::string fullMemoryText(const MemoryReading& reading) {
    return fmt::format("GPU memory is {:.0f} % full: {:.1f} of {:.1f} GiB, {:.0f} MiB by Threefold",
                       100.0 * reading.fraction(),
                       static_cast<double>(reading.used) / kBytesPerGibibyte,
                       static_cast<double>(reading.total) / kBytesPerGibibyte,
                       static_cast<double>(reading.poolHeld) / kBytesPerMebibyte);
}

}  // namespace

DeviceResources::DeviceResources(std::shared_ptr<const Model> networkModel,
                                 const CudaOptions& cudaOptions)
    : model(withPublishedBlocks(std::move(networkModel))),
      options(cudaOptions),
      device(chooseDevice(options.device, options.precision)),
      initialBytes(usedBytes()),
      api(device, options.tuning.memoryBytes, options.tuning.pinned),
      deviceMemory(api, MemoryKind::device, options.log),
      pinnedMemory(api, MemoryKind::pinned, options.log),
      monitor(api,
              [this](const MemoryReading& reading) {
                  log(LogLevel::warning, fullMemoryText(reading));
              }),
      contexts(streams, deviceMemory, options.tuning.streams),
      choice(KernelChoice::on(
          device.limits, options.precision,
          static_cast<int>(model->templateMesh.hypothesisOffsets.size()),
          options.tuning.libraryKernels ? KernelSource::library : KernelSource::fused)) {
    monitor.watch(deviceMemory);
}

void DeviceResources::logChoice() const {
    if (isEightBit(options.precision) && !choice.fusedHypotheses)
        log(LogLevel::warning,
            fmt::format("only the fused kernels run in {}: the library kernels use float16",
                        precisionName(options.precision)));
    if (options.tuning.libraryKernels) return;
    const auto logFallback = [this](bool fused, const char* part) {
        if (fused) return;
        log(LogLevel::info, fmt::format("{} runs {} by libraries: it cannot run the fused kernel",
                                        device.description.name, part));
    };
    logFallback(choice.fusedGraph, "stage 1's graph blocks");
    logFallback(choice.fusedHypotheses, "the hypothesis blocks");
}

void DeviceResources::trim() {
    deviceMemory.trim();
    pinnedMemory.trim();
    api.trim();
}

UnsealScope::UnsealScope(DeviceResources& resources)
    : pools_{&resources.deviceMemory, &resources.pinnedMemory},
      sealed_{pools_[0]->sealed(), pools_[1]->sealed()} {
    for (MemoryPool* pool : pools_) pool->setSealed(false);
}

UnsealScope::~UnsealScope() {
    for (std::size_t i = 0; i < std::size(pools_); ++i) pools_[i]->setSealed(sealed_[i]);
}

}  // namespace threefold::cuda
