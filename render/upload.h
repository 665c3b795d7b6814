#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <vulkan/vulkan.h>

#include "render/memory.h"

namespace threefold::render {

/// Objects that a frame in flight reads; cleared once the frame is done.
using KeptAlive = std::vector<std::shared_ptr<const void>>;

/// A storage and index buffer, and what is still to be copied into it; null where the processor
/// wrote the buffer directly.
struct StagedBuffer {
    Buffer buffer;
    std::shared_ptr<const Buffer> source;
};

/// Makes a buffer with that content. `data` must not be empty. Throws DeviceError, InputError (more
/// than the device can read from one buffer; `what` names it). Thread-safe.
StagedBuffer stage(const Device& device, std::span<const std::byte> data, std::string_view what);

/// Records the copy, outside of a render pass, and makes later draws wait for it. Moves the copy's
/// source to `kept`.
void record(StagedBuffer& staged, VkCommandBuffer commands, KeptAlive& kept);

}  // namespace threefold::render
