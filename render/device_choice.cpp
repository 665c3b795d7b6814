#include "render/device_choice.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

std::string versionText(std::uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

bool hasExtension(VkPhysicalDevice device, std::string_view name) {
    std::uint32_t count = 0;
    VK_CHECK(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr));
    std::vector<VkExtensionProperties> found(count);
    const VkResult result =
        vkEnumerateDeviceExtensionProperties(device, nullptr, &count, found.data());
    if (result != VK_INCOMPLETE) VK_CHECK(result);
    return std::any_of(found.begin(), found.end(), [name](const VkExtensionProperties& one) {
        return std::string_view(one.extensionName) == name;
    });
}

std::string driverText(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties) {
    if (properties.apiVersion < VK_API_VERSION_1_1 ||
        !hasExtension(device, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) {
        return fmt::format("version {}", versionText(properties.driverVersion));
    }
    VkPhysicalDeviceDriverProperties driver{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                    .pNext = &driver};
    vkGetPhysicalDeviceProperties2(device, &all);
    return fmt::format("{} {}", driver.driverName, driver.driverInfo);
}

std::optional<std::uint32_t> findQueue(VkPhysicalDevice device, VkSurfaceKHR surface) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    for (std::uint32_t i = 0; i < count; ++i) {
        if ((families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) continue;
        if (surface == VK_NULL_HANDLE) return i;
        VkBool32 presents = VK_FALSE;
        VK_CHECK(vkGetPhysicalDeviceSurfaceSupportKHR(device, i, surface, &presents));
        if (presents == VK_TRUE) return i;
    }
    return std::nullopt;
}

bool canAttach(VkPhysicalDevice device, VkFormat format, VkFormatFeatureFlags needed) {
    VkFormatProperties properties{};
    vkGetPhysicalDeviceFormatProperties(device, format, &properties);
    return (properties.optimalTilingFeatures & needed) == needed;
}

std::string findMissing(const Candidate& candidate, std::uint32_t apiVersion,
                        VkSurfaceKHR surface) {
    VkPhysicalDevice device = candidate.device;
    std::vector<std::string> missing;
    if (apiVersion < VK_API_VERSION_1_1) missing.emplace_back("Vulkan 1.1");
    if (!candidate.queueFamily) {
        missing.emplace_back(surface == VK_NULL_HANDLE
                                 ? "a queue that draws"
                                 : "a queue that draws and presents to this window");
    }
    if (!canAttach(device, kDepthFormat, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)) {
        missing.emplace_back("32-bit depth");
    }
    if (!canAttach(device, kOffscreenFormat, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)) {
        missing.emplace_back("drawing into 8-bit RGBA");
    }
    if (surface != VK_NULL_HANDLE && !hasExtension(device, VK_KHR_SWAPCHAIN_EXTENSION_NAME)) {
        missing.emplace_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    }
    return fmt::format("{}", fmt::join(missing, ", "));
}

int rank(const Candidate& candidate) {
    if (!candidate.description.usable) return 5;
    switch (candidate.type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
            return 0;
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
            return 1;
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
            return 2;
        case VK_PHYSICAL_DEVICE_TYPE_CPU:
            return 4;
        default:
            return 3;
    }
}

Candidate describe(VkPhysicalDevice device, VkSurfaceKHR surface) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device, &properties);
    Candidate candidate{.device = device, .type = properties.deviceType};
    candidate.queueFamily = findQueue(device, surface);
    DeviceDescription& description = candidate.description;
    description.name = properties.deviceName;
    description.driver = driverText(device, properties);
    description.apiVersion = versionText(properties.apiVersion);
    description.software = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    description.missing = findMissing(candidate, properties.apiVersion, surface);
    description.usable = description.missing.empty();
    return candidate;
}

}  // namespace

std::vector<Candidate> findCandidates(VkInstance instance, VkSurfaceKHR surface) {
    std::uint32_t count = 0;
    VK_CHECK(vkEnumeratePhysicalDevices(instance, &count, nullptr));
    std::vector<VkPhysicalDevice> devices(count);
    const VkResult result = vkEnumeratePhysicalDevices(instance, &count, devices.data());
    if (result != VK_INCOMPLETE) VK_CHECK(result);
    devices.resize(count);

    std::vector<Candidate> candidates;
    candidates.reserve(devices.size());
    for (VkPhysicalDevice device : devices) candidates.push_back(describe(device, surface));
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    return candidates;
}

}  // namespace threefold::render
