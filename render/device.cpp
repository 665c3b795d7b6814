#include "render/device.h"

#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "render/device_choice.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

Candidate chooseBest(VkInstance instance, VkSurfaceKHR surface) {
    constexpr const char* kInstall =
        "Install the package mesa-vulkan-drivers, or the driver of your graphics card.";
    std::vector<Candidate> candidates = findCandidates(instance, surface);
    if (candidates.empty()) {
        throw DeviceError({"Vulkan", "", "no device found, one is needed to draw", kInstall});
    }
    Candidate best = std::move(candidates.front());
    if (!best.description.usable) {
        throw DeviceError({"Vulkan", best.description.name,
                           fmt::format("the device lacks {}", best.description.missing), kInstall});
    }
    return best;
}

}  // namespace

std::vector<DeviceDescription> describeDevices(const Instance& instance) {
    std::vector<DeviceDescription> descriptions;
    for (Candidate& candidate : findCandidates(instance.handle(), VK_NULL_HANDLE)) {
        descriptions.push_back(std::move(candidate.description));
    }
    return descriptions;
}

struct Device::State {
    VkInstance instance = VK_NULL_HANDLE;
    Candidate chosen;
    VkDevice handle = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    MemoryCounter allocated = std::make_shared<std::atomic<std::uint64_t>>(0);
    SubmitFault fault;

    ~State() {
        if (handle != VK_NULL_HANDLE) vkDestroyDevice(handle, nullptr);
    }
};

Device::Device(const Instance& instance, VkSurfaceKHR surface, SubmitFault fault)
    : state_(std::make_unique<State>()) {
    state_->instance = instance.handle();
    state_->fault = std::move(fault);
    state_->chosen = chooseBest(instance.handle(), surface);
    const float priority = 1.0F;
    const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .queueFamilyIndex = queueFamily(),
                                        .queueCount = 1,
                                        .pQueuePriorities = &priority};
    const char* swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue,
                                  .enabledExtensionCount = surface == VK_NULL_HANDLE ? 0U : 1U,
                                  .ppEnabledExtensionNames = &swapchain};
    VK_CHECK(vkCreateDevice(physical(), &info, nullptr, &state_->handle));
    vkGetDeviceQueue(handle(), queueFamily(), 0, &state_->queue);
}

Device::~Device() = default;

VkInstance Device::instance() const {
    return state_->instance;
}
VkDevice Device::handle() const {
    return state_->handle;
}
VkPhysicalDevice Device::physical() const {
    return state_->chosen.device;
}
VkQueue Device::queue() const {
    return state_->queue;
}
std::uint32_t Device::queueFamily() const {
    return *state_->chosen.queueFamily;
}
const DeviceDescription& Device::description() const {
    return state_->chosen.description;
}
const MemoryCounter& Device::allocated() const {
    return state_->allocated;
}

void Device::submit(const VkSubmitInfo& info, VkFence done) const {
    if (state_->fault) VK_CHECK(state_->fault());
    VK_CHECK(vkQueueSubmit(queue(), 1, &info, done));
}

}  // namespace threefold::render
