#pragma once

#include <cstddef>
#include <span>

#include "cuda/kernels/preprocess.h"
#include "cuda/kernels/view.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// Maximum pixels of a staged image. Larger images are resized to 224×224 on the host: the network
/// gets the same bits, resizing is cheaper than copying the image, and the limit bounds the
/// buffers.
inline constexpr std::size_t kMaxStagedPixels = std::size_t{512} * 512;

/// Pixels per image of a slot. Fits the inputs' largest image of at most kMaxStagedPixels: a power
/// of two from 256² to kMaxStagedPixels, so that few sizes occur.
std::size_t slotPixels(std::span<const NetworkInput> inputs);

/// Layout of the inputs of one batch in one block of memory: the transforms (batch, views), the
/// table of images, then the images' pixels. On the device, pixels of further batches follow.
struct InputLayout {
    InputLayout(std::size_t batch, std::size_t views, std::size_t pixelsOfSlot);

    std::size_t batch;
    std::size_t views;
    std::size_t slotPixels;    ///< pixels reserved for each image, see slotPixels()
    std::size_t tableOffset;   ///< byte offset of the table: batch · views DeviceImages
    std::size_t pixelsOffset;  ///< byte offset of the first image
    std::size_t bytes;         ///< bytes of one batch

    /// Byte offset, in device memory, of the pixels of batch `index`.
    std::size_t devicePixels(std::size_t index) const {
        return pixelsOffset + index * (bytes - pixelsOffset);
    }
    /// Bytes of device memory for `count` batches.
    std::size_t deviceBytes(std::size_t count) const { return devicePixels(count); }
};

/// Fills `host` (layout.bytes) with `layout.batch` inputs of `layout.views` views each. The table
/// gets pointers into `devicePixels`, to which the caller copies the pixels later; stageInputs()
/// does not dereference these pointers. Returns the number of bytes to copy. Inputs must have
/// passed requireValidInput().
std::size_t stageInputs(std::span<const NetworkInput> inputs, const InputLayout& layout,
                        std::byte* host, const std::byte* devicePixels);

}  // namespace threefold::cuda
