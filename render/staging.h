#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "render/memory.h"

namespace threefold::render {

/// A storage and index buffer, and the source of a pending copy; `source` is null if the processor
/// wrote the buffer directly.
struct StagedBuffer {
    Buffer buffer;
    std::shared_ptr<const Buffer> source;
};

/// Makes a buffer with the content `data`, which must not be empty. Throws DeviceError, InputError
/// (`data` exceeds the device's limit for a buffer; `what` names the data). Thread-safe.
StagedBuffer stageBuffer(const Device& device, std::span<const std::byte> data,
                         std::string_view what);

/// Records the pending copy, if any, outside a render pass, and makes later draws wait for the
/// copy. Moves the source to `resources`.
void recordCopy(StagedBuffer& staged, VkCommandBuffer commands, FrameResources& resources);

}  // namespace threefold::render
