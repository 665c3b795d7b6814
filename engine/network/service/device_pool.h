#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/log.h"
#include "engine/network/backend.h"
#include "engine/network/service/network_devices.h"
#include "engine/network/service/network_info.h"

namespace threefold {

/// A device of a network, with the state of its thread.
struct ManagedDevice {
    /// Used by the device's thread only. Null: not made yet, see DevicePool::openBackend().
    std::unique_ptr<Backend> backend;

    // Guarded by NetworkService's mutex.
    std::string description;
    std::string pciBusId;
    std::size_t maxUnfinishedBatches = 1;
    std::size_t maxBatchSize = 1;
    std::optional<DeviceMemoryUse> memoryUse;
    std::size_t unfinishedBatches = 0;
    bool runsTask = false;  ///< whether the device runs a task (not a batch)
    bool lost = false;      ///< must not be used again

    bool canBegin() const { return !lost && !runsTask && unfinishedBatches < maxUnfinishedBatches; }
    void refresh();  ///< reads the back end's batch size and memory, on the device's thread
};

/// The devices of a network: opens them and handles their loss.
///
/// A lost device is not used again; the others go on. After the loss of the last device, the next
/// request makes the fallback, which replaces the lost device. If making the fallback fails, each
/// further request tries again. Without a fallback, or after the loss of the fallback, each further
/// request fails with the last device's DeviceLost.
///
/// Call all functions with NetworkService's mutex locked. Functions with a `lock` parameter unlock
/// it while they make a back end and while they call the Listener.
class DevicePool {
  public:
    using Lock = std::unique_lock<std::mutex>;

    struct Listener {
        LogFunction log;  ///< receives a warning for each lost device
        /// Called when new devices were opened.
        std::function<void(const NetworkInfo& now)> onOpened;
        /// Called when other devices or the fallback take over from a lost device.
        std::function<void(const std::string& previous, const NetworkInfo& now)> onTakenOver;
    };

    DevicePool(NetworkOpener opener, Listener listener);
    /// Adopts open devices.
    DevicePool(NetworkDevices devices, Listener listener);

    bool isOpen() const { return open_; }
    NetworkInfo info() const;
    /// Number of devices, lost ones included: at least 1, also before opening; never decreases.
    std::size_t size() const { return devices_.size(); }
    ManagedDevice& at(std::size_t index) { return *devices_.at(index); }
    bool anyWorking() const;
    bool anyIdle() const;
    /// Number of unfinished batches of the least busy device that can begin another batch; the
    /// largest std::size_t if no device can.
    std::size_t fewestUnfinishedBatches() const;

    /// The device's back end. Opens the devices or makes the fallback if needed; exceptions of the
    /// NetworkOpener and the BackendFactory propagate. Throws DeviceLost if the last device was
    /// lost and there is no fallback.
    Backend& openBackend(ManagedDevice& device, Lock& lock);
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
    BackendFactory makeFallback_;
    std::exception_ptr lastLoss_;  ///< loss of the last device
    std::string lossText_;         ///< message of `lastLoss_`
    NetworkInfo info_;             ///< members that change only when the devices change
};

}  // namespace threefold
