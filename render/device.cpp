#include "render/device.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/address_space.h"
#include "render/attachment.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

constexpr std::string_view kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr std::array kSurfaceExtensions = {"VK_KHR_surface", "VK_KHR_xcb_surface",
                                           "VK_KHR_xlib_surface", "VK_KHR_wayland_surface"};

VKAPI_ATTR VkBool32 VKAPI_CALL onDebugMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                              VkDebugUtilsMessageTypeFlagsEXT,
                                              const VkDebugUtilsMessengerCallbackDataEXT* data,
                                              void* user) {
    const bool isError = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    const char* text = data->pMessage != nullptr ? data->pMessage : "(no text)";
    (*static_cast<const LogFunction*>(user))(isError ? LogLevel::error : LogLevel::warning, text);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(LogFunction& log) {
    // Messages of type "general" are the loader's remarks about the machine, not about this
    // program.
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
            .pfnUserCallback = onDebugMessage,
            .pUserData = &log};
}

bool hasValidationLayer() {
    const auto layers = VK_LIST(VkLayerProperties, vkEnumerateInstanceLayerProperties);
    return std::ranges::count(layers, kValidationLayer, &VkLayerProperties::layerName) > 0;
}

std::vector<const char*> availableSurfaceExtensions() {
    const auto available =
        VK_LIST(VkExtensionProperties, vkEnumerateInstanceExtensionProperties, nullptr);
    std::vector<const char*> extensions;
    std::ranges::copy_if(
        kSurfaceExtensions, std::back_inserter(extensions), [&](std::string_view name) {
            return std::ranges::count(available, name, &VkExtensionProperties::extensionName) > 0;
        });
    return extensions;
}

void requireVulkan11() {
    std::uint32_t version = 0;
    VK_CHECK(vkEnumerateInstanceVersion(&version));
    if (version >= VK_API_VERSION_1_1) return;
    throw DeviceError({"Vulkan", "loader", "version 1.0 found, at least 1.1 is needed",
                       "Update the package libvulkan1."});
}

struct Candidate {
    VkPhysicalDevice device = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties{};
    // Family of a queue that draws and, if a surface was given, presents.
    std::optional<std::uint32_t> queueFamily;
    DeviceDescription description;
};

std::string versionText(std::uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

bool hasExtension(VkPhysicalDevice device, std::string_view name) {
    const auto extensions =
        VK_LIST(VkExtensionProperties, vkEnumerateDeviceExtensionProperties, device, nullptr);
    return std::ranges::count(extensions, name, &VkExtensionProperties::extensionName) > 0;
}

std::string driverText(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties) {
    if (properties.apiVersion < VK_API_VERSION_1_1 ||
        !hasExtension(device, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME))
        return fmt::format("version {}", versionText(properties.driverVersion));
    VkPhysicalDeviceDriverProperties driver{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties2{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &driver};
    vkGetPhysicalDeviceProperties2(device, &properties2);
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
        // A driver that fails this query counts as unable to present: another device may succeed.
        const VkResult result = vkGetPhysicalDeviceSurfaceSupportKHR(device, i, surface, &presents);
        if (result == VK_SUCCESS && presents == VK_TRUE) return i;
    }
    return std::nullopt;
}

bool canAttach(VkPhysicalDevice device, VkFormat format, VkFormatFeatureFlags needed) {
    VkFormatProperties properties{};
    vkGetPhysicalDeviceFormatProperties(device, format, &properties);
    return (properties.optimalTilingFeatures & needed) == needed;
}

std::string missingFeatures(const Candidate& candidate, VkSurfaceKHR surface) {
    VkPhysicalDevice device = candidate.device;
    std::vector<std::string> missing;
    if (candidate.properties.apiVersion < VK_API_VERSION_1_1) missing.emplace_back("Vulkan 1.1");
    if (!candidate.queueFamily)
        missing.emplace_back(surface == VK_NULL_HANDLE
                                 ? "a queue that draws"
                                 : "a queue that draws and presents to this window");
    if (!canAttach(device, kDepthFormat, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
        missing.emplace_back("32-bit depth");
    if (!canAttach(device, kOffscreenFormat, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT))
        missing.emplace_back("drawing into 8-bit RGBA");
    if (surface != VK_NULL_HANDLE && !hasExtension(device, VK_KHR_SWAPCHAIN_EXTENSION_NAME))
        missing.emplace_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    return fmt::format("{}", fmt::join(missing, ", "));
}

// Position in the order of preference: lower is better.
int preferenceOf(const Candidate& candidate) {
    if (!candidate.description.usable) return 5;
    constexpr VkPhysicalDeviceType kBestFirst[] = {
        VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
        VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_PHYSICAL_DEVICE_TYPE_OTHER,
        VK_PHYSICAL_DEVICE_TYPE_CPU};
    const auto* type = std::ranges::find(kBestFirst, candidate.properties.deviceType);
    return static_cast<int>(type - std::begin(kBestFirst));
}

// Describes a device by its properties alone. The result is not marked usable.
Candidate describeByProperties(VkPhysicalDevice device) {
    Candidate candidate{.device = device};
    vkGetPhysicalDeviceProperties(device, &candidate.properties);
    const VkPhysicalDeviceProperties& properties = candidate.properties;
    DeviceDescription& description = candidate.description;
    description.name = properties.deviceName;
    description.driver = fmt::format("version {}", versionText(properties.driverVersion));
    description.apiVersion = versionText(properties.apiVersion);
    description.software = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return candidate;
}

Candidate describe(VkPhysicalDevice device, VkSurfaceKHR surface) {
    Candidate candidate = describeByProperties(device);
    candidate.queueFamily = findQueue(device, surface);
    DeviceDescription& description = candidate.description;
    description.driver = driverText(device, candidate.properties);
    description.missing = missingFeatures(candidate, surface);
    description.usable = description.missing.empty();
    return candidate;
}

/// Describes a device by describe(). A device whose driver fails is described as not usable, so
/// that the other devices are still listed.
Candidate describeSafely(VkPhysicalDevice device, VkSurfaceKHR surface) try {
    return describe(device, surface);
} catch (const DeviceError& error) {
    Candidate candidate = describeByProperties(device);
    candidate.description.missing =
        fmt::format("a driver that answers ({}: {})", error.report().place, error.report().problem);
    return candidate;
}

std::vector<Candidate> findCandidates(VkInstance instance, VkSurfaceKHR surface) {
    std::vector<Candidate> candidates;
    for (VkPhysicalDevice device : VK_LIST(VkPhysicalDevice, vkEnumeratePhysicalDevices, instance))
        candidates.push_back(describeSafely(device, surface));
    std::ranges::stable_sort(candidates, {}, preferenceOf);
    return candidates;
}

Candidate chooseBest(VkInstance instance, VkSurfaceKHR surface) {
    constexpr const char* kInstall =
        "Install the package mesa-vulkan-drivers, or the driver of your graphics card.";
    std::vector<Candidate> candidates = findCandidates(instance, surface);
    if (candidates.empty())
        throw DeviceError({"Vulkan", "", "no device found, one is needed to draw", kInstall});
    Candidate best = std::move(candidates.front());
    if (!best.description.usable)
        throw DeviceError({"Vulkan", best.description.name,
                           fmt::format("the device lacks {}", best.description.missing), kInstall});
    return best;
}

}  // namespace

Instance::Instance(const InstanceOptions& options)
    : log_([log = options.log, logMutex = std::make_shared<std::mutex>()](LogLevel level,
                                                                          std::string_view text) {
          const std::scoped_lock lock(*logMutex);
          if (log) log(level, text);
      }) {
    requireAddressSpace();
    requireVulkan11();
    if (options.validation && !hasValidationLayer())
        throwVulkan(VK_ERROR_LAYER_NOT_PRESENT, "vkCreateInstance", __FILE__, __LINE__);
    std::vector<const char*> extensions, layers;
    if (options.surface) extensions = availableSurfaceExtensions();
    if (options.validation) {
        layers.push_back(kValidationLayer.data());
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    }
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pApplicationName = "threefold",
                                        .apiVersion = VK_API_VERSION_1_1};
    const VkDebugUtilsMessengerCreateInfoEXT listener = messengerInfo(log_);
    const VkInstanceCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = options.validation ? &listener : nullptr,
        .pApplicationInfo = &application,
        .enabledLayerCount = static_cast<std::uint32_t>(layers.size()),
        .ppEnabledLayerNames = layers.data(),
        .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
        .ppEnabledExtensionNames = extensions.data()};
    VkInstance created = VK_NULL_HANDLE;
    VK_CHECK(vkCreateInstance(&info, nullptr, &created));
    handle_ = {created, [](VkInstance instance) { vkDestroyInstance(instance, nullptr); }};
    if (!options.validation) return;
    const auto createMessenger = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(created, "vkCreateDebugUtilsMessengerEXT"));
    if (createMessenger == nullptr)
        throwVulkan(VK_ERROR_EXTENSION_NOT_PRESENT, "vkGetInstanceProcAddr", __FILE__, __LINE__);
    VK_CHECK(createMessenger(created, &listener, nullptr, &messenger_));
}

Instance::~Instance() {
    if (messenger_ == VK_NULL_HANDLE) return;
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(handle(), "vkDestroyDebugUtilsMessengerEXT"));
    if (destroy != nullptr) destroy(handle(), messenger_, nullptr);
}

std::vector<DeviceDescription> describeDevices(const Instance& instance) {
    std::vector<DeviceDescription> descriptions;
    for (Candidate& candidate : findCandidates(instance.handle(), VK_NULL_HANDLE))
        descriptions.push_back(std::move(candidate.description));
    return descriptions;
}

Device::Device(const Instance& instance, VkSurfaceKHR surface, DriverFaults faults)
    : instance_(instance.handle()), faults_(std::move(faults)) {
    Candidate chosen = chooseBest(instance_, surface);
    physical_ = chosen.device;
    limits_ = chosen.properties.limits;
    queueFamily_ = *chosen.queueFamily;
    description_ = std::move(chosen.description);
    const float priority = 1.0F;
    const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .queueFamilyIndex = queueFamily_,
                                        .queueCount = 1,
                                        .pQueuePriorities = &priority};
    const char* swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue,
                                  .enabledExtensionCount = surface == VK_NULL_HANDLE ? 0U : 1U,
                                  .ppEnabledExtensionNames = &swapchain};
    VkDevice created = VK_NULL_HANDLE;
    VK_CHECK(vkCreateDevice(physical_, &info, nullptr, &created));
    handle_ = {created, [](VkDevice device) { vkDestroyDevice(device, nullptr); }};
    vkGetDeviceQueue(created, queueFamily_, 0, &queue_);
}

void Device::submit(const VkSubmitInfo& info, VkFence done) const {
    if (faults_.submit) VK_CHECK(faults_.submit());
    VK_CHECK(vkQueueSubmit(queue_, 1, &info, done));
}

void Device::wait(VkFence done) const {
    constexpr std::uint64_t kTenSeconds = 10'000'000'000;
    if (faults_.wait) VK_CHECK(faults_.wait());
    VK_CHECK(vkWaitForFences(handle(), 1, &done, VK_TRUE, kTenSeconds));
}

}  // namespace threefold::render
