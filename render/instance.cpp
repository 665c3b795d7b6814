#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <string_view>

#include "engine/error.h"
#include "render/device.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

constexpr std::string_view kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr std::array kSurfaceExtensions = {"VK_KHR_surface", "VK_KHR_xcb_surface",
                                           "VK_KHR_xlib_surface", "VK_KHR_wayland_surface"};

struct Listener {
    LogFunction log;
    std::mutex mutex;
};

VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                       VkDebugUtilsMessageTypeFlagsEXT,
                                       const VkDebugUtilsMessengerCallbackDataEXT* data,
                                       void* user) {
    Listener& listener = *static_cast<Listener*>(user);
    const bool isError = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    const char* text = data->pMessage != nullptr ? data->pMessage : "(no text)";
    const std::scoped_lock lock(listener.mutex);
    if (listener.log) listener.log(isError ? LogLevel::error : LogLevel::warning, text);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(Listener& listener) {
    // Messages of the kind "general" are the loader's remarks about the machine, not about us.
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
            .pfnUserCallback = receive,
            .pUserData = &listener};
}

bool layerPresent() {
    const auto layers = VK_LIST(VkLayerProperties, vkEnumerateInstanceLayerProperties);
    return std::ranges::count(layers, kValidationLayer, &VkLayerProperties::layerName) > 0;
}

std::vector<const char*> availableSurfaceExtensions() {
    const auto available =
        VK_LIST(VkExtensionProperties, vkEnumerateInstanceExtensionProperties, nullptr);
    std::vector<const char*> found;
    std::ranges::copy_if(
        kSurfaceExtensions, std::back_inserter(found), [&](std::string_view wanted) {
            return std::ranges::count(available, wanted, &VkExtensionProperties::extensionName) > 0;
        });
    return found;
}

void requireVulkan11() {
    std::uint32_t version = 0;
    VK_CHECK(vkEnumerateInstanceVersion(&version));
    if (version >= VK_API_VERSION_1_1) return;
    throw DeviceError({"Vulkan", "loader", "version 1.0 found, at least 1.1 is needed",
                       "Update the package libvulkan1."});
}

}  // namespace

struct Instance::State {
    VkInstance handle = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    Listener listener;

    ~State() {
        if (messenger != VK_NULL_HANDLE) {
            const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
                vkGetInstanceProcAddr(handle, "vkDestroyDebugUtilsMessengerEXT"));
            if (destroy != nullptr) destroy(handle, messenger, nullptr);
        }
        if (handle != VK_NULL_HANDLE) vkDestroyInstance(handle, nullptr);
    }
};

Instance::Instance(const InstanceOptions& options) : state_(std::make_unique<State>()) {
    state_->listener.log = options.log;
    requireVulkan11();
    if (options.validation && !layerPresent()) VK_CHECK(VK_ERROR_LAYER_NOT_PRESENT);
    std::vector<const char*> extensions, layers;
    if (options.surface) extensions = availableSurfaceExtensions();
    if (options.validation) {
        layers.push_back(kValidationLayer.data());
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    }
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pApplicationName = "threefold",
                                        .apiVersion = VK_API_VERSION_1_1};
    const VkDebugUtilsMessengerCreateInfoEXT listener = messengerInfo(state_->listener);
    const VkInstanceCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = options.validation ? &listener : nullptr,
        .pApplicationInfo = &application,
        .enabledLayerCount = static_cast<std::uint32_t>(layers.size()),
        .ppEnabledLayerNames = layers.data(),
        .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
        .ppEnabledExtensionNames = extensions.data()};
    VK_CHECK(vkCreateInstance(&info, nullptr, &state_->handle));
    if (!options.validation) return;
    const auto createMessenger = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(state_->handle, "vkCreateDebugUtilsMessengerEXT"));
    if (createMessenger == nullptr) VK_CHECK(VK_ERROR_EXTENSION_NOT_PRESENT);
    VK_CHECK(createMessenger(state_->handle, &listener, nullptr, &state_->messenger));
}

Instance::~Instance() = default;

VkInstance Instance::handle() const {
    return state_->handle;
}

}  // namespace threefold::render
