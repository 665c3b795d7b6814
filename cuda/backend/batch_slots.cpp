#include "cuda/backend/batch_slots.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/memory_layout.h"

namespace threefold::cuda {

BatchSlots::BatchSlots(const InputLayout& layout, std::size_t resultFloats, std::size_t count,
                       std::byte* device, const StreamContexts& contexts, MemoryPool& pinnedMemory)
    : layout_(layout),
      resultFloats_(resultFloats),
      device_(device),
      contexts_(&contexts),
      slots_(count) {
    const std::size_t resultBytes = alignUp(resultFloats * sizeof(float));
    memory_ = pinnedMemory.allocate(count * (layout.bytes + resultBytes), contexts.main);
    for (std::size_t i = 0; i < count; ++i) {
        slots_[i].inputs = memory_.data() + i * (layout.bytes + resultBytes);
        slots_[i].results = reinterpret_cast<float*>(slots_[i].inputs + layout.bytes);
    }
}

BatchSlots::~BatchSlots() {
    for (const Slot& slot : slots_)
        if (slot.inUse) ignoreFailure(cudaEventSynchronize(slot.done.get()));
}

std::size_t BatchSlots::fillSlot(std::span<const NetworkInput> inputs) {
    const auto free = std::ranges::find(slots_, false, &Slot::inUse);
    if (free == slots_.end())
        throw std::logic_error(fmt::format("all {} batch slots are in use", slots_.size()));
    const auto slot = static_cast<std::size_t>(free - slots_.begin());
    free->stagedBytes =
        stageInputs(inputs, layout_, free->inputs, device_ + layout_.devicePixels(slot));
    free->inUse = true;
    return slot;
}

void BatchSlots::upload(std::size_t slot) {
    const Slot& staged = slots_[slot];
    const bool onlyBatch = std::ranges::count(slots_, true, &Slot::inUse) == 1;
    const auto copy = [&](std::byte* target, std::size_t offset, std::size_t bytes,
                          cudaStream_t stream) {
        CUDA_CHECK(
            cudaMemcpyAsync(target, staged.inputs + offset, bytes, cudaMemcpyHostToDevice, stream));
    };
    // The pixels of slot 0 directly follow the shared tables: without other batches, one copy
    // suffices.
    if (onlyBatch && slot == 0) return copy(device_, 0, staged.stagedBytes, contexts_->main);
    copy(device_ + layout_.devicePixels(slot), layout_.pixelsOffset,
         staged.stagedBytes - layout_.pixelsOffset, contexts_->copies);
    CUDA_CHECK(cudaEventRecord(staged.uploaded.get(), contexts_->copies));
    CUDA_CHECK(cudaStreamWaitEvent(contexts_->main, staged.uploaded.get(), 0));
    // The tables are copied in the main stream, that is, after the previous batch, which still
    // reads them.
    copy(device_, 0, layout_.pixelsOffset, contexts_->main);
}

void BatchSlots::download(std::size_t slot, const float* results) {
    CUDA_CHECK(cudaMemcpyAsync(slots_[slot].results, results, resultFloats_ * sizeof(float),
                               cudaMemcpyDeviceToHost, contexts_->main));
}

void BatchSlots::recordDone(std::size_t slot) {
    CUDA_CHECK(cudaEventRecord(slots_[slot].done.get(), contexts_->main));
}

std::span<const float> BatchSlots::results(std::size_t slot) {
    CUDA_CHECK(cudaEventSynchronize(slots_[slot].done.get()));
    return {slots_[slot].results, resultFloats_};
}

}  // namespace threefold::cuda
