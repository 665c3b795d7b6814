#pragma once

#include <string>

#include <vulkan/vulkan.h>

namespace threefold::render {

/// Name and meaning of a result: "VK_ERROR_DEVICE_LOST: the device stopped answering".
std::string resultText(VkResult result);

/// Throws DeviceError with call, place, meaning and remedy.
[[noreturn]] void throwVulkan(VkResult result, const char* call, const char* file, int line);

}  // namespace threefold::render

/// Evaluates a Vulkan call; anything but VK_SUCCESS becomes a DeviceError.
#define VK_CHECK(call)                                                                  \
    do {                                                                                \
        if (const VkResult vkCheckResult = (call); vkCheckResult != VK_SUCCESS)         \
            ::threefold::render::throwVulkan(vkCheckResult, #call, __FILE__, __LINE__); \
    } while (false)
