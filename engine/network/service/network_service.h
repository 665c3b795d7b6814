#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "engine/network/backend.h"
#include "engine/network/service/devices.h"
#include "engine/network/service/scheduler.h"

namespace threefold {

/// What the network has made of a batch.
struct NetworkResult {
    std::vector<Reconstruction> meshes;  ///< one for each input, in their order
    /// That the device spent on the batch; without waiting for other users of the network.
    double milliseconds = 0;
};

/// Called with a batch's meshes on the device's thread, before the device finishes its next batch;
/// for measures. NetworkResult::milliseconds leaves this time out. Throws Cancelled once `cancel`
/// is requested: the batch was cancelled or interrupted. After the DeviceLost of that device the
/// batch begins again on another.
using AfterBatch = std::function<void(
    MeshOperations& device, std::span<const Reconstruction> meshes, const std::stop_token& cancel)>;

class NetworkService;
struct NetworkRequest;

/// A batch that was submitted. If destroyed before its end, it is cancelled and waited for.
class Ticket {
  public:
    Ticket(NetworkService& service, std::shared_ptr<NetworkRequest> request,
           const std::stop_token& cancel);
    Ticket(Ticket&&) noexcept = default;
    ~Ticket();

    /// Waits for the end. Call once. Throws what Backend::reconstructBatch() throws, what making
    /// the devices throws; Cancelled where it was cancelled or the service has been closed.
    NetworkResult collect();

  private:
    NetworkService* service_;
    std::shared_ptr<NetworkRequest> request_;  ///< null: collected, or moved from
    std::unique_ptr<std::stop_callback<std::function<void()>>> onStop_;
};

/// A task's time with a device, on the device's thread.
struct DeviceTurn {
    /// The device, made where there is none yet: throws what making it throws. For this turn.
    std::function<Backend&()> device;
    /// Stopped when a more urgent request wants the device, or the service ends.
    std::stop_token yield;
};

/// Work on a device that is no batch: a fit, a measure, a whole reconstruction.
struct DeviceTask {
    Urgency urgency = Urgency::soon;
    /// Called on a device's thread. It is called again later where it throws Cancelled after its
    /// `yield` was stopped, and on another device where it throws the DeviceLost of its own.
    std::function<void(DeviceTurn& turn)> work;
    /// Called, on any thread, if it ends otherwise than by returning; with Cancelled where the
    /// service is closed first. May be empty.
    std::function<void(const std::exception_ptr& failure)> failed = {};
};

struct NetworkServiceOptions {
    Devices::Listener listener = {};
    /// How long `now` requests may use the network while lists wait, see Scheduler::owed().
    Scheduler::Duration patience = Scheduler::kPatience;
    /// For a window: its threads give way to all others, and memory that was freed goes back to the
    /// system after some seconds without work.
    bool inBackground = false;
};

/// Shares the network among all of its users. Owns the devices and a thread for each; any thread
/// may post requests. Scheduler decides which request is computed next, Devices which device takes
/// over from a lost one.
///
/// Each device begins as many batches as it takes and finishes them in their order; the device with
/// the fewest batches gets the next one. A task has its device for itself. A `now` request
/// interrupts less urgent work, unless a device is idle or a list is owed its turn: a processor
/// stops within 100 ms, a GPU completes the batches that it has begun. Interrupted work begins
/// again afterwards, the work of a lost device on another one: progress and probes included. Tasks
/// that are `now` come one at a time, in their order.
class NetworkService {
  public:
    /// `open` is called with the first request that needs a device, on the network's thread, and
    /// again with the next one if it throws.
    explicit NetworkService(NetworkOpener open, NetworkServiceOptions options = {});
    /// With devices that are there. Throws InputError where their models or precisions differ,
    /// DeviceError where there is none.
    explicit NetworkService(NetworkDevices devices, NetworkServiceOptions options = {});
    ~NetworkService();
    NetworkService(const NetworkService&) = delete;
    NetworkService& operator=(const NetworkService&) = delete;

    /// Cancels what runs and what waits; returns when it has ended. Later requests are Cancelled.
    void close();

    /// Submits one batch. `inputs` stay where they are until the ticket's end, which the service
    /// outlives; the callbacks of `options` come from a device's thread. Throws Cancelled where
    /// that was requested already, or the service has been closed.
    Ticket submit(std::span<const NetworkInput> inputs, Urgency urgency,
                  const RunOptions& options = {}, AfterBatch after = {});

    /// Returns at once.
    void post(DeviceTask task);
    /// Posts a task and waits for its end. Throws what it throws. Not from a device's thread.
    void run(Urgency urgency, const std::function<void(DeviceTurn& turn)>& work);
    /// As run(), for a call that gives a value. Not interrupted.
    template <class Call>
    auto on(const Call& call) {
        std::optional<decltype(call(std::declval<Backend&>()))> value;
        run(Urgency::now, [&](DeviceTurn& turn) { value.emplace(call(turn.device())); });
        return *std::move(value);
    }

    /// Opens the devices if need be: waits for that, and throws what it throws.
    NetworkInfo info();

    /// Has other devices take the place of these before the next request begins; these stay where
    /// `open` throws. Returns at once; `done` is called on the network's thread, with null or the
    /// failure.
    void replaceDevices(NetworkOpener open,
                        std::function<void(const std::exception_ptr& failure)> done);

    /// Inputs of batches and tasks that wait or run.
    std::size_t depth() const;

  private:
    friend class Ticket;
    using Lock = Devices::Lock;
    using RequestRef = std::shared_ptr<NetworkRequest>;
    using Batches = std::deque<RequestRef>;  ///< that one device has begun, the oldest first
    struct Replacement {
        NetworkOpener open;
        std::function<void(const std::exception_ptr& failure)> done;
    };

    void add(const RequestRef& request, Urgency urgency);  ///< throws Cancelled where closed
    void cancel(const RequestRef& request);
    void waitFor(const RequestRef& request);

    // What a device's thread does, called with the lock.
    void startThreads();
    void work(std::size_t place);
    void rest(Lock& lock, bool& worked);
    void replace(Lock& lock);
    RequestRef take(DeviceSlot& device);
    void begin(DeviceSlot& device, Batches& batches, const RequestRef& request, Lock& lock);
    void finishOldest(DeviceSlot& device, Batches& batches, Lock& lock);
    void perform(DeviceSlot& device, const RequestRef& request, Lock& lock);
    Backend& ready(DeviceSlot& device);  ///< without the lock
    void lose(DeviceSlot& device, const Batches& begun, const std::exception_ptr& loss, Lock& lock);
    void end(const RequestRef& request, std::exception_ptr failure, Lock& lock);

    const bool inBackground_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Scheduler scheduler_;
    std::map<Scheduler::Id, RequestRef> requests_;  ///< that wait or run
    Devices devices_;
    std::optional<Replacement> replacement_;
    bool replacing_ = false;       ///< other devices are being opened, and nothing begins
    std::size_t urgentTasks_ = 0;  ///< `now` tasks that run
    bool closing_ = false;
    std::vector<std::jthread> threads_;  ///< one for each device
};

}  // namespace threefold
