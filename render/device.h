#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/progress.h"

namespace threefold::render {

struct InstanceOptions {
    bool validation = false;  ///< load VK_LAYER_KHRONOS_validation; absent: DeviceError
    bool surface = false;     ///< enable the surface extensions that are there
    LogFunction log;          ///< receives validation messages
};

/// A Vulkan 1.1 instance through the loader. Throws DeviceError with the remedy (which package)
/// where there is no loader or no driver.
class Instance {
  public:
    explicit Instance(const InstanceOptions& options);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const;
    bool validationLoaded() const;
    /// Warnings and errors that the validation layers reported so far: any is a defect.
    std::vector<std::string> validationMessages() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// What `doctor` and the window say about a device.
struct DeviceDescription {
    std::string name;        ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string driver;      ///< driver name and version
    std::string apiVersion;  ///< "1.3.230"
    bool software = false;   ///< a CPU implementation such as lavapipe
    bool usable = false;     ///< has what the renderer needs
    std::string missing;     ///< what it lacks, empty if usable
};
std::vector<DeviceDescription> describeDevices(const Instance& instance);

/// Bytes, counted up and down by every allocation that shares it.
using MemoryCounter = std::shared_ptr<std::atomic<std::uint64_t>>;

/// Asked before each submission to the queue; anything but VK_SUCCESS stands for what the driver
/// would have answered, and nothing is submitted. So tests lose devices. Called on the thread that
/// submits.
using SubmitFault = std::function<VkResult()>;

/// A logical device with one graphics queue; a discrete GPU is preferred over an integrated one,
/// and that over a software one. With a surface, the queue can present to it.
class Device {
  public:
    explicit Device(const Instance& instance, VkSurfaceKHR surface = VK_NULL_HANDLE,
                    SubmitFault fault = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    VkInstance instance() const;
    VkDevice handle() const;
    VkPhysicalDevice physical() const;
    VkQueue queue() const;
    std::uint32_t queueFamily() const;
    const DeviceDescription& description() const;
    /// Bytes of device memory that the program holds through allocate(), of this device.
    const MemoryCounter& allocated() const;

    /// Hands commands to the queue; `done` is signalled when they are through. Throws DeviceError
    /// (DeviceLost). Not at the same time as another use of the queue.
    void submit(const VkSubmitInfo& info, VkFence done) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::render
