#include "render/vulkan_check.h"

#include <string_view>

#include <fmt/format.h>

namespace threefold::render {
namespace {

struct Meaning {
    VkResult result;
    const char* name;
    const char* meaning;
    const char* remedy;
};

constexpr const char* kFreeMemory =
    "Close other programs that use the graphics device, or ask for a smaller picture.";
constexpr const char* kUpdateDriver = "Update the graphics driver and start the program again.";

#define THREEFOLD_MEANING(result, meaning, remedy) \
    { result, #result, meaning, remedy }
constexpr Meaning kMeanings[] = {
    THREEFOLD_MEANING(VK_ERROR_OUT_OF_HOST_MEMORY, "the machine is out of memory", kFreeMemory),
    THREEFOLD_MEANING(VK_ERROR_OUT_OF_DEVICE_MEMORY, "the graphics device is out of memory",
                      kFreeMemory),
    THREEFOLD_MEANING(VK_ERROR_INITIALIZATION_FAILED, "the driver could not start", kUpdateDriver),
    THREEFOLD_MEANING(VK_ERROR_DEVICE_LOST, "the graphics device stopped answering", kUpdateDriver),
    THREEFOLD_MEANING(VK_ERROR_LAYER_NOT_PRESENT, "a layer is not installed",
                      "Install the package vulkan-validationlayers."),
    THREEFOLD_MEANING(VK_ERROR_EXTENSION_NOT_PRESENT, "the driver lacks an extension",
                      kUpdateDriver),
    THREEFOLD_MEANING(VK_ERROR_FEATURE_NOT_PRESENT, "the driver lacks a feature", kUpdateDriver),
    THREEFOLD_MEANING(
        VK_ERROR_INCOMPATIBLE_DRIVER, "no usable Vulkan driver",
        "Install the package mesa-vulkan-drivers, or the driver of your graphics card."),
    THREEFOLD_MEANING(VK_ERROR_TOO_MANY_OBJECTS, "the driver allows no more objects of this kind",
                      kFreeMemory),
    THREEFOLD_MEANING(VK_ERROR_FORMAT_NOT_SUPPORTED, "the device lacks this pixel format",
                      kUpdateDriver),
    THREEFOLD_MEANING(VK_ERROR_SURFACE_LOST_KHR, "the window's surface is gone",
                      "Open the window again."),
    THREEFOLD_MEANING(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR,
                      "something else already draws into this window", "Open the window again."),
    THREEFOLD_MEANING(VK_ERROR_OUT_OF_DATE_KHR, "the window changed meanwhile", ""),
    THREEFOLD_MEANING(VK_TIMEOUT, "the graphics device did not finish in time", kUpdateDriver),
};
#undef THREEFOLD_MEANING

}  // namespace

void throwVulkan(VkResult result, const char* call, const char* file, int line) {
    const std::string_view expression = call;
    const std::string_view function = expression.substr(0, expression.find('('));
    const std::string_view path = file;
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    ErrorReport report{"Vulkan", fmt::format("{} ({}:{})", function, name, line),
                       fmt::format("VkResult {}", static_cast<int>(result)), kUpdateDriver};
    for (const Meaning& entry : kMeanings) {
        if (entry.result != result) continue;
        report.problem = fmt::format("{}: {}", entry.name, entry.meaning);
        report.remedy = entry.remedy;
    }
    if (result == VK_ERROR_DEVICE_LOST) throw VulkanDeviceLost(report);
    if (result == VK_ERROR_SURFACE_LOST_KHR) throw VulkanSurfaceLost(report);
    throw DeviceError(report);
}

}  // namespace threefold::render
