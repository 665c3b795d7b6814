#pragma once

#include <cstddef>
#include <span>

#include "cuda/kernels/preprocess.h"
#include "cuda/kernels/view.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// Maximum pixels of a staged image. Larger images are resized to 224×224 on the host, with
/// bit-identical results: cheaper than staging them, and it bounds the buffers.
inline constexpr std::size_t kMaxStagedPixels = std::size_t{512} * 512;

/// Pixels per image of a slot that fits the largest image of these inputs: a power of two from 256²
/// to kMaxStagedPixels, so that few sizes occur.
std::size_t slotPixels(std::span<const NetworkInput> inputs);

/// Layout of the inputs of one batch in one block of memory: the transforms (batch, views), the
/// table of images, then their pixels. On the device, pixels of further batches follow.
struct InputLayout {
    InputLayout(std::size_t batch, std::size_t views, std::size_t pixelsOfSlot);

    std::size_t batch;
    std::size_t views;
    std::size_t slotPixels;    ///< as slotPixels(), of each image
    std::size_t tableOffset;   ///< byte offset of DeviceImage (batch · views)
    std::size_t pixelsOffset;  ///< byte offset of the first image
    std::size_t bytes;         ///< bytes of one batch

    /// Device byte offset of the pixels of batch `index`; bytes of `count` batches.
    std::size_t devicePixels(std::size_t index) const {
        return pixelsOffset + index * (bytes - pixelsOffset);
    }
    std::size_t deviceBytes(std::size_t count) const { return devicePixels(count); }
};

/// Fills `host` (layout.bytes) with `layout.batch` inputs of `layout.views` views each. The table
/// points to the pixels' later copy at `devicePixels`, which is not read. Returns the number of
/// bytes to copy. Inputs must have passed requireValidInput().
std::size_t stageInputs(std::span<const NetworkInput> inputs, const InputLayout& layout,
                        std::byte* host, const std::byte* devicePixels);

}  // namespace threefold::cuda
