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
#include "engine/network/backend.h"

namespace threefold {

/// Makes a backend; throws what its construction throws.
using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// What a network runs on.
struct NetworkDevices {
    std::vector<std::unique_ptr<Backend>> devices;  ///< of one model and one precision
    BackendFactory spare;  ///< takes over when the last of them is lost; may be empty
    /// Why the machine's GPU is not used, although no device was named; none in all other cases.
    std::optional<ErrorReport> unusedGpu;

    NetworkDevices() = default;
    template <class Kind>
    NetworkDevices(std::unique_ptr<Kind> device, BackendFactory takesOver = {})
        : spare(std::move(takesOver)) {
        devices.push_back(std::move(device));
    }
};

/// Makes them; throws what making them throws.
using NetworkOpener = std::function<NetworkDevices()>;

/// A network as it is now.
struct NetworkInfo {
    /// Of all devices in use: "CPU · …", "2 × GPU · …", or joined by " + " where they differ.
    std::string description;
    Precision precision = Precision::float32;
    const Model* model = nullptr;  ///< valid until other devices replace these
    /// Batches that a list keeps in flight: twice the sum of Backend::mostPending() over all
    /// devices, so that results collected in order keep a device busy that is three times as fast
    /// as another. Unchanged when a device is lost.
    std::size_t mostPending = 0;
    std::size_t largestBatch = 1;  ///< the least of the devices in use, see Backend::largestBatch()
    std::optional<DeviceMemoryUse> memoryUse;  ///< the sum of all devices, after their last call
    std::vector<std::string> buses;            ///< of the GPUs in use, see Backend::bus()
    bool onSpare = false;                      ///< all devices were lost, and the spare goes on
    std::optional<ErrorReport> unusedGpu;      ///< of NetworkDevices
};

/// One device of a network, with what its thread keeps.
struct DeviceSlot {
    std::unique_ptr<Backend> backend;  ///< for its thread; null: to be made, see Devices::ready()

    // Guarded by the network's mutex.
    std::string description;
    std::string bus;
    std::size_t mostPending = 1;
    std::size_t largestBatch = 1;
    std::optional<DeviceMemoryUse> memoryUse;
    std::size_t batches = 0;  ///< begun and not finished
    bool busy = false;        ///< with what is no batch
    bool lost = false;        ///< not to be used again

    bool hasRoom() const { return !lost && !busy && batches < mostPending; }
    void refresh();  ///< reads the backend's batch size and memory; on the device's thread
};

/// The devices of a network: opens them, and says what happens when one dies.
///
/// A lost device is not used again. The others go on; where it was the last one, the spare is made
/// and replaces it, before the next request and again before each further one where making it
/// fails. Where there is no spare, or the spare is lost, each further request fails with the loss.
///
/// All functions are to be called with the network's mutex locked. Where `lock` is passed they
/// unlock it while a backend is made and while `tell` is called.
class Devices {
  public:
    using Lock = std::unique_lock<std::mutex>;

    struct Listener {
        LogFunction log;  ///< a warning for each lost device
        /// There are new devices.
        std::function<void(const NetworkInfo& now)> opened;
        /// A device was lost, and the others or the spare go on.
        std::function<void(const std::string& before, const NetworkInfo& now)> takenOver;
    };

    Devices(NetworkOpener opener, Listener listener);
    /// Already open.
    Devices(NetworkDevices devices, Listener listener);

    bool isOpen() const { return open_; }
    NetworkInfo info() const;
    /// At least one, also before they are open; never fewer than before.
    std::size_t size() const { return devices_.size(); }
    DeviceSlot& at(std::size_t place) { return *devices_.at(place); }
    bool anyBusy() const;
    bool anyIdle() const;
    std::size_t fewestBatches() const;  ///< of a device with room

    /// The device's backend, made now where there is none. Throws what making it throws; DeviceLost
    /// where it was lost and nothing takes its place.
    Backend& ready(DeviceSlot& device, Lock& lock);
    /// `loss`: the DeviceLost that its backend threw.
    void lose(DeviceSlot& device, const std::exception_ptr& loss, Lock& lock);
    /// Opens others and drops these, none of which may be in use; keeps these where that throws.
    void replace(const NetworkOpener& opener, Lock& lock);

  private:
    std::vector<std::unique_ptr<Backend>> adopt(NetworkDevices made, DeviceSlot& first);
    void makeAndAdopt(const NetworkOpener& opener, DeviceSlot& first, Lock& lock);
    void open(const NetworkOpener& opener, DeviceSlot& device, Lock& lock);
    std::string describe() const;
    void tellOfLoss(const std::string& line, const std::string& before, Lock& lock) const;

    NetworkOpener opener_;
    Listener listener_;
    bool open_ = false;
    std::vector<std::unique_ptr<DeviceSlot>> devices_;
    BackendFactory spare_;
    std::exception_ptr lastLoss_;  ///< of the last device that lived
    std::string why_;              ///< its text
    NetworkInfo info_;             ///< what does not change with each call
};

}  // namespace threefold
