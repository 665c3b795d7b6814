#pragma once

#include <string>

#include <vulkan/vulkan.h>

#include "engine/error.h"

namespace threefold::render {

/// The device, or the window's surface, is gone for good; a new one may work. All that was made
/// from it can still be destroyed.
class DeviceLost : public DeviceError {
    using DeviceError::DeviceError;
};
class SurfaceLost : public DeviceError {
    using DeviceError::DeviceError;
};

/// Name and meaning of a result: "VK_ERROR_DEVICE_LOST: the device stopped answering".
std::string resultText(VkResult result);

/// Throws DeviceError with call, place, meaning and remedy: DeviceLost or SurfaceLost where the
/// result says so.
[[noreturn]] void throwVulkan(VkResult result, const char* call, const char* file, int line);

}  // namespace threefold::render

/// Evaluates a Vulkan call; anything but VK_SUCCESS becomes a DeviceError.
#define VK_CHECK(call)                                                                  \
    do {                                                                                \
        if (const VkResult vkCheckResult = (call); vkCheckResult != VK_SUCCESS)         \
            ::threefold::render::throwVulkan(vkCheckResult, #call, __FILE__, __LINE__); \
    } while (false)
