#pragma once

#include <cstddef>
#include <span>

#include "cuda/kernels/preprocess.h"
#include "cuda/kernels/view.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// Images of more pixels are brought to 224×224 on the host, with the same result to the bit: that
/// reads less memory than staging them does, and bounds the buffers whatever a camera delivers.
inline constexpr std::size_t kMostStagedPixels = std::size_t{512} * 512;

/// Pixels that a slot must hold for the largest image of these inputs: a power of two from 256² to
/// kMostStagedPixels, so that a few sizes serve all.
std::size_t slotPixels(std::span<const NetworkInput> inputs);

/// Where the inputs of one batch lie in one block of memory: first the transforms (batch, views),
/// then the table of images, then their pixels one after another. On the device, further batches'
/// pixels follow.
struct InputLayout {
    InputLayout(std::size_t batch, std::size_t views, std::size_t pixelsOfSlot);

    std::size_t batch;
    std::size_t views;
    std::size_t slot;    ///< pixels
    std::size_t table;   ///< byte offset of DeviceImage (batch · views)
    std::size_t pixels;  ///< byte offset of the first image
    std::size_t bytes;   ///< of one batch

    /// Byte offset on the device of the pixels of batch `index`, and bytes of `count` batches.
    std::size_t devicePixels(std::size_t index) const { return pixels + index * (bytes - pixels); }
    std::size_t deviceBytes(std::size_t count) const { return devicePixels(count); }
};

/// Fills `host` (layout.bytes) with `layout.batch` inputs of `layout.views` views each. Addresses
/// in the table are those of the pixels' copy at `devicePixels`, which is not read. Returns how
/// many bytes are to be copied. The inputs have passed checkInput().
std::size_t stageInputs(std::span<const NetworkInput> inputs, const InputLayout& layout,
                        std::byte* host, const std::byte* devicePixels);

}  // namespace threefold::cuda
