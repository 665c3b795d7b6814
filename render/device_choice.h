#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <vulkan/vulkan.h>

#include "render/device.h"

namespace threefold::render {

inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;
inline constexpr VkFormat kOffscreenFormat = VK_FORMAT_R8G8B8A8_UNORM;

/// A physical device and what the renderer needs to know to take it.
struct Candidate {
    VkPhysicalDevice device = VK_NULL_HANDLE;
    VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    std::optional<std::uint32_t> queueFamily;  ///< draws, and presents if a surface was given
    DeviceDescription description;
};

/// Every physical device, best first. Throws DeviceError if the driver fails; may be empty.
std::vector<Candidate> findCandidates(VkInstance instance, VkSurfaceKHR surface);

}  // namespace threefold::render
