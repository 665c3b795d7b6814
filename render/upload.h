#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <vulkan/vulkan.h>

#include "render/buffer.h"

namespace threefold::render {

/// What a frame in flight reads; released by clearing it once the frame is done.
using KeptAlive = std::vector<std::shared_ptr<const void>>;

/// A storage and index buffer, and what is still to be copied into it; null where the processor
/// wrote it itself.
struct StagedBuffer {
    Buffer buffer;
    std::shared_ptr<const Buffer> source;
};

/// Makes a buffer with that content. `data` must not be empty. Throws DeviceError, InputError (more
/// than the device can read from one buffer; `what` names it). Any thread, beside others.
StagedBuffer stage(const Device& device, std::span<const std::byte> data, std::string_view what);

/// Records what is to be copied, outside of a render pass, and the wait of later draws for it.
void record(const StagedBuffer& staged, VkCommandBuffer commands, KeptAlive& kept);

/// Both in one: a storage and index buffer on the device. `commands` (outside of a render pass)
/// gets the copy and the wait of later draws for it; what it copies from goes into `kept`. `data`
/// must not be empty. Throws DeviceError, InputError (more than the device can read from one
/// buffer; `what` names it).
Buffer upload(const Device& device, std::span<const std::byte> data, std::string_view what,
              VkCommandBuffer commands, KeptAlive& kept);

}  // namespace threefold::render
