#pragma once

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// Where an allocation shall live.
enum class MemoryUse {
    device,    ///< read and written by the device only
    upload,    ///< written by the processor, read once by the device
    readback,  ///< written by the device, read by the processor (cached where possible)
};

/// Allocates memory that satisfies the requirements. Throws DeviceError.
MemoryHandle allocate(const Device& device, const VkMemoryRequirements& needed, MemoryUse use);

}  // namespace threefold::render
