#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "engine/log.h"
#include "engine/network/backend.h"

namespace threefold {

/// Makes a back end; exceptions of its constructor propagate.
using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// Devices that a network runs on.
struct NetworkDevices {
    std::vector<std::unique_ptr<Backend>> devices;  ///< same model and precision
    const BackendKind* kind = &kProcessorKind;      ///< kind of all devices
    BackendFactory spare;  ///< takes over when the last device is lost; may be empty
    /// Why the machine's GPU is not used, if no device was named; else nullopt.
    std::optional<ErrorReport> unusedGpu;

    NetworkDevices() = default;
    template <class Kind>
    NetworkDevices(std::unique_ptr<Kind> device, BackendFactory spareFactory = {})
        : spare(std::move(spareFactory)) {
        devices.push_back(std::move(device));
    }
};

/// Opens the devices of a network; exceptions of their constructors propagate.
using NetworkOpener = std::function<NetworkDevices()>;

/// Current state of a network.
struct NetworkInfo {
    /// All devices in use: "CPU · …", "2 × GPU · …"; different ones are joined by " + ".
    std::string description;
    const BackendKind* kind = &kProcessorKind;  ///< as opened: NetworkDevices::kind
    Precision precision = Precision::float32;
    const Model* model = nullptr;  ///< valid until replaceDevices() or a spare replaces it
    /// Number of batches that a list keeps in flight: twice the sum of
    /// Backend::maxUnfinishedBatches() over all devices. Results are collected in order: twice the
    /// sum keeps a device busy that is three times as fast as another. Unchanged when a device is
    /// lost.
    std::size_t maxInFlight = 0;
    std::size_t maxBatchSize = 1;  ///< minimum over the devices in use, see Backend::maxBatchSize()
    std::optional<DeviceMemoryUse> memoryUse;  ///< sum over all devices, after their last call
    std::vector<std::string>
        pciBusIds;         ///< PCI bus ids of the GPUs in use, see Backend::pciBusId()
    bool onSpare = false;  ///< all devices were lost; the spare is in use
    /// Number of times that devices were lost or replaced, as equal descriptions may be of
    /// different devices.
    std::size_t deviceChanges = 0;
    std::optional<ErrorReport> unusedGpu;  ///< NetworkDevices::unusedGpu
};

/// A device of a network, with the state of its thread.
struct ManagedDevice {
    std::unique_ptr<Backend>
        backend;  ///< used by its thread only; null: not made yet, see DevicePool::backendOf()

    // Guarded by the network's mutex.
    std::string description;
    std::string pciBusId;
    std::size_t maxUnfinishedBatches = 1;
    std::size_t maxBatchSize = 1;
    std::optional<DeviceMemoryUse> memoryUse;
    std::size_t unfinishedBatches = 0;
    bool runsTask = false;  ///< a task, not a batch
    bool lost = false;      ///< must not be used again

    bool hasRoom() const { return !lost && !runsTask && unfinishedBatches < maxUnfinishedBatches; }
    void refresh();  ///< reads the back end's batch size and memory, on the device's thread
};

/// The devices of a network: opens them and handles their loss.
///
/// A lost device is not used again; the others go on. After the loss of the last device, the next
/// request makes the spare, which replaces it; if that fails, each further request tries again.
/// Without a spare, or if the spare is lost, each further request fails with the DeviceLost.
///
/// Call all functions with the network's mutex locked. Functions with a `lock` parameter unlock it
/// while they make a back end and while they call the Listener.
class DevicePool {
  public:
    using Lock = std::unique_lock<std::mutex>;

    struct Listener {
        LogFunction log;  ///< a warning for each lost device
        /// Called when new devices were opened.
        std::function<void(const NetworkInfo& now)> onOpened;
        /// Called when other devices or the spare take over from a lost device.
        std::function<void(const std::string& previous, const NetworkInfo& now)> onTakenOver;
    };

    DevicePool(NetworkOpener opener, Listener listener);
    /// Adopts open devices.
    DevicePool(NetworkDevices devices, Listener listener);

    bool isOpen() const { return open_; }
    NetworkInfo info() const;
    /// Number of slots: at least 1, also before opening; never decreases.
    std::size_t size() const { return devices_.size(); }
    ManagedDevice& at(std::size_t index) { return *devices_.at(index); }
    bool anyWorking() const;
    bool anyIdle() const;
    /// Unfinished batches of the least busy device with room.
    std::size_t fewestUnfinishedBatches() const;

    /// The device's back end; makes it, or the spare, if needed, and propagates exceptions of that.
    /// Throws DeviceLost if the last device was lost and there is no spare.
    Backend& backendOf(ManagedDevice& device, Lock& lock);
    /// Records a device's loss. `loss`: the DeviceLost that its back end threw.
    void markLost(ManagedDevice& device, const std::exception_ptr& loss, Lock& lock);
    /// Replaces all devices. No device may be in use. Keeps the present devices if `opener` throws.
    void replace(const NetworkOpener& opener, Lock& lock);

  private:
    std::vector<std::unique_ptr<Backend>> adopt(NetworkDevices opened, ManagedDevice& first);
    void openAndAdopt(const NetworkOpener& opener, ManagedDevice& first, Lock& lock);
    void open(const NetworkOpener& opener, ManagedDevice& device, Lock& lock);
    std::string describe() const;
    void reportLoss(const std::string& line, const std::string& previous, Lock& lock) const;

    NetworkOpener opener_;
    Listener listener_;
    bool open_ = false;
    std::vector<std::unique_ptr<ManagedDevice>> devices_;
    BackendFactory spare_;
    std::exception_ptr lastLoss_;  ///< loss of the last device
    std::string lossText_;         ///< message of `lastLoss_`
    NetworkInfo info_;             ///< members that only change with the devices
};

}  // namespace threefold
