#pragma once

#include <cstdint>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/error.h"

namespace threefold::render {

/// The device is lost for good; a new one may work. Objects made from the lost device can still be
/// destroyed.
class VulkanDeviceLost : public DeviceError {
    using DeviceError::DeviceError;
};
/// The window's surface is lost for good; a new one may work. Objects made from the lost surface
/// can still be destroyed.
class VulkanSurfaceLost : public DeviceError {
    using DeviceError::DeviceError;
};

/// Throws DeviceError with call, source position, meaning and remedy; VulkanDeviceLost for
/// VK_ERROR_DEVICE_LOST, VulkanSurfaceLost for VK_ERROR_SURFACE_LOST_KHR.
[[noreturn]] void throwVulkan(VkResult result, const char* call, const char* file, int line);

/// Implementation of VK_CREATE.
template <typename Info, typename Object>
Object createObject(VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*,
                                                Object*),
                    VkDevice device, const Info& info, const char* call, const char* file,
                    int line) {
    Object object = VK_NULL_HANDLE;
    const VkResult result = create(device, &info, nullptr, &object);
    if (result != VK_SUCCESS) throwVulkan(result, call, file, line);
    return object;
}

/// Implementation of VK_LIST. VK_INCOMPLETE, where an element was added between the two calls, is
/// not a failure.
template <typename Item, typename Function>
std::vector<Item> listItems(const Function& list, const char* call, const char* file, int line) {
    std::uint32_t count = 0;
    VkResult result = list(&count, nullptr);
    std::vector<Item> items(count);
    if (result == VK_SUCCESS) result = list(&count, items.data());
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) throwVulkan(result, call, file, line);
    items.resize(count);
    return items;
}

}  // namespace threefold::render

/// Evaluates a Vulkan call; throws DeviceError for any result but VK_SUCCESS.
#define VK_CHECK(call)                                                                  \
    do {                                                                                \
        if (const VkResult vkCheckResult = (call); vkCheckResult != VK_SUCCESS)         \
            ::threefold::render::throwVulkan(vkCheckResult, #call, __FILE__, __LINE__); \
    } while (false)

/// Creates an object by a vkCreate… function from `device` (a VkDevice) and `info`.
#define VK_CREATE(function, device, info) \
    ::threefold::render::createObject(function, device, info, #function, __FILE__, __LINE__)

/// Lists all elements by a function such as vkEnumeratePhysicalDevices, given its first arguments.
#define VK_LIST(Item, function, ...)                                  \
    ::threefold::render::listItems<Item>(                             \
        [&](std::uint32_t* count, Item* items) {                      \
            return function(__VA_ARGS__ __VA_OPT__(, ) count, items); \
        },                                                            \
        #function, __FILE__, __LINE__)
