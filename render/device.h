#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/log.h"

namespace threefold::render {

/// Options of a Vulkan instance.
struct InstanceOptions {
    bool validation = false;  ///< load VK_LAYER_KHRONOS_validation; DeviceError if not installed
    bool surface = false;     ///< enable the available surface extensions
    /// Receives the validation layer's warnings and errors, one at a time; each means a bug in the
    /// renderer.
    LogFunction log;
};

/// A Vulkan 1.1 instance.
class Instance {
  public:
    /// Throws DeviceError with the remedy (such as the missing package) if there is no loader,
    /// driver or layer, or too little address space (requireAddressSpace()).
    explicit Instance(const InstanceOptions& options);
    ~Instance();

    VkInstance handle() const { return handle_.get(); }

  private:
    LogFunction log_;
    std::unique_ptr<VkInstance_T, void (*)(VkInstance)> handle_{nullptr, nullptr};
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

/// Description of a device, usable or not.
struct DeviceDescription {
    std::string name;        ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string driver;      ///< driver name and version
    std::string apiVersion;  ///< "1.3.230"
    bool software = false;   ///< a CPU implementation such as lavapipe
    bool usable = false;     ///< meets the renderer's requirements
    std::string missing;     ///< missing requirements, empty if usable
};
/// Describes all devices, the preferred one first.
std::vector<DeviceDescription> describeDevices(const Instance& instance);

/// Number of allocated bytes, shared by all allocations.
using MemoryCounter = std::shared_ptr<std::atomic<std::uint64_t>>;

/// Hooks for tests that simulate driver errors, called on the calling thread before each submission
/// or each wait for a fence. Any result but VK_SUCCESS replaces the driver's result: nothing is
/// submitted or waited for.
struct DriverFaults {
    std::function<VkResult()> submit = {}, wait = {};
};

/// A logical device with one graphics queue. Prefers discrete to integrated GPUs, and both to
/// software devices. With a surface, the queue can present to it.
class Device {
  public:
    /// Throws DeviceError with the remedy if no device meets the requirements.
    explicit Device(const Instance& instance, VkSurfaceKHR surface = VK_NULL_HANDLE,
                    DriverFaults faults = {});

    VkInstance instance() const { return instance_; }
    VkDevice handle() const { return handle_.get(); }
    VkPhysicalDevice physicalDevice() const { return physical_; }
    VkQueue queue() const { return queue_; }
    std::uint32_t queueFamilyIndex() const { return queueFamily_; }
    const VkPhysicalDeviceLimits& limits() const { return limits_; }
    const DeviceDescription& description() const { return description_; }
    /// Bytes of memory of this device that the program holds (MemoryHandle).
    const MemoryCounter& allocatedBytes() const { return allocated_; }

    /// Submits commands to the queue; signals `done` when the commands have finished. Throws
    /// DeviceError (VulkanDeviceLost). Not thread-safe with other uses of the queue.
    void submit(const VkSubmitInfo& info, VkFence done) const;

    /// Waits for the fence. Throws DeviceError after ten seconds, although the device may still be
    /// at work.
    void wait(VkFence done) const;

  private:
    VkInstance instance_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkPhysicalDeviceLimits limits_{};
    std::uint32_t queueFamily_ = 0;
    DeviceDescription description_;
    std::unique_ptr<VkDevice_T, void (*)(VkDevice)> handle_{nullptr, nullptr};
    VkQueue queue_ = VK_NULL_HANDLE;
    MemoryCounter allocated_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    DriverFaults faults_;
};

}  // namespace threefold::render
