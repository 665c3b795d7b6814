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
#include "engine/network/service/device_pool.h"
#include "engine/network/service/scheduler.h"

namespace threefold {

/// The network's result for a batch.
struct NetworkResult {
    std::vector<Reconstruction> reconstructions;  ///< one per input, in order
    /// Time that the device spent on the batch, without waiting for other users of the network.
    double milliseconds = 0;
};

/// Receives a batch's reconstructions on the device's thread, before the next batch is finished, to
/// measure them on the device. The function's time is not part of NetworkResult::milliseconds. The
/// function must throw Cancelled once `cancel` is requested, which means that the batch was
/// cancelled or interrupted. If the function throws the device's DeviceLost, the batch begins again
/// on another device.
using BatchComputedFunction = std::function<void(
    MeshOperations& device, std::span<const Reconstruction> meshes, const std::stop_token& cancel)>;

class NetworkService;
struct NetworkRequest;

/// A submitted batch. The destructor cancels an unfinished batch and waits for its end.
class BatchFuture {
  public:
    BatchFuture(NetworkService& service, std::shared_ptr<NetworkRequest> request,
                const std::stop_token& cancel);
    BatchFuture(BatchFuture&&) noexcept = default;
    ~BatchFuture();

    /// Waits for the result. Call once. Throws as Backend::reconstructBatch() and NetworkOpener do,
    /// and Cancelled if the batch was cancelled or the service closed.
    NetworkResult collect();

  private:
    NetworkService* service_;
    std::shared_ptr<NetworkRequest> request_;  ///< null: collected, or moved from
    std::unique_ptr<std::stop_callback<std::function<void()>>> onStop_;
};

/// A device, lent to a task. For use on the device's thread only.
struct DeviceAccess {
    /// Returns the device's back end; makes it if needed. Throws as DevicePool::openBackend() does.
    std::function<Backend&()> backend;
    /// Stopped when a more urgent request wants the device, or the service ends.
    std::stop_token yieldToken;
};

/// Work on a device other than a batch: a fit, a measure, a whole reconstruction.
struct DeviceTask {
    Urgency urgency = Urgency::soon;
    /// Called on a device's thread. If the call throws Cancelled after `yieldToken` was stopped,
    /// the task is called again later; if the call throws its device's DeviceLost, the task is
    /// called again on another device.
    std::function<void(DeviceAccess& access)> work;
    /// Called on any thread if `work` ends with an exception, and with Cancelled if the service is
    /// closed first. Must not throw. May be empty.
    std::function<void(const std::exception_ptr& failure)> onFailure = {};
};

/// Options of NetworkService.
struct NetworkServiceOptions {
    DevicePool::Listener listener = {};
    /// How long `now` requests may use the network while lists wait, see
    /// Scheduler::isListStarved().
    Scheduler::Duration maxListWait = Scheduler::kDefaultMaxListWait;
    /// For a window: the service's threads run at low priority, and freed memory returns to the
    /// system after some idle seconds.
    bool inBackground = false;
};

/// Shares the network among its users. Owns the devices and a thread per device; any thread may
/// post requests. Scheduler decides which request is computed next, DevicePool which device takes
/// over from a lost one.
///
/// A device begins up to Backend::maxUnfinishedBatches() batches and finishes them in order; the
/// device with the fewest unfinished batches gets the next one. A task has its device for itself. A
/// `now` request interrupts less urgent work unless a device is idle, but not a list that goes
/// first (Scheduler::isListStarved()). A processor then stops within 100 ms, a GPU completes the
/// batches that it has begun. Interrupted work begins again afterwards; work of a lost device
/// begins again on another device. Progress and probes are then reported again from the start.
/// `now` tasks run one at a time, in order.
class NetworkService {
  public:
    /// The first request that needs a device calls `open`, on a device's thread. If it throws,
    /// the next request calls it again.
    explicit NetworkService(NetworkOpener open, NetworkServiceOptions options = {});
    /// Uses open devices. Throws InputError if their models or precisions differ, DeviceError
    /// without devices.
    explicit NetworkService(NetworkDevices devices, NetworkServiceOptions options = {});
    ~NetworkService();
    NetworkService(const NetworkService&) = delete;
    NetworkService& operator=(const NetworkService&) = delete;

    /// Cancels all requests and returns when they have ended. Later requests get Cancelled.
    /// Do not call on a device's thread: the service waits for these threads.
    void close();

    /// Submits one batch. `inputs` must stay valid until the future is collected or destroyed, and
    /// the service must outlive the future. A device's thread calls the callbacks of `options`.
    /// Throws Cancelled if cancellation was requested already, or the service is closed.
    BatchFuture submit(std::span<const NetworkInput> inputs, Urgency urgency,
                       const BatchOptions& options = {}, BatchComputedFunction onComputed = {});

    /// Queues a task and returns at once.
    void post(DeviceTask task);
    /// Runs a task and waits for its end; its exceptions propagate. Do not call on a device's
    /// thread.
    void run(Urgency urgency, const std::function<void(DeviceAccess& access)>& work);
    /// Runs call(device) as a `now` task, which is never interrupted, and returns its value.
    template <class Call>
    auto withDevice(const Call& call) {
        std::optional<decltype(call(std::declval<Backend&>()))> value;
        run(Urgency::now, [&](DeviceAccess& access) { value.emplace(call(access.backend())); });
        return *std::move(value);
    }

    /// The network's state. Opens the devices first if needed; exceptions of the NetworkOpener
    /// propagate.
    NetworkInfo info();

    /// Replaces the devices before the next request begins; keeps the present ones if `open`
    /// throws. Returns at once. `done` must not throw. It is called once: on a device's thread,
    /// with null or the exception of `open`; or, if another replaceDevices() or close() comes
    /// first, with Cancelled on the thread of that call.
    void replaceDevices(NetworkOpener open,
                        std::function<void(const std::exception_ptr& failure)> done);

    /// Number of tasks that wait or run, plus the number of inputs of batches that wait or run.
    std::size_t pendingCount() const;

  private:
    friend class BatchFuture;
    using Lock = DevicePool::Lock;
    using RequestRef = std::shared_ptr<NetworkRequest>;
    using Batches = std::deque<RequestRef>;  ///< begun by one device, oldest first
    struct Replacement {
        NetworkOpener open;
        std::function<void(const std::exception_ptr& failure)> done;
    };

    void add(const RequestRef& request, Urgency urgency);  ///< throws Cancelled if closed
    void cancel(const RequestRef& request);
    void waitFor(const RequestRef& request);

    // Call on a device's thread (startThreads() also on others), with the lock except for work()
    // and openBackend().
    void startThreads();
    void work(std::size_t index);
    void idle(Lock& lock, bool& worked);
    void replace(Lock& lock);
    RequestRef take(ManagedDevice& device);
    void begin(ManagedDevice& device, Batches& batches, const RequestRef& request, Lock& lock);
    void finishOldest(ManagedDevice& device, Batches& batches, Lock& lock);
    void perform(ManagedDevice& device, const RequestRef& request, Lock& lock);
    Backend& openBackend(ManagedDevice& device);  ///< call without the lock
    void handleLoss(ManagedDevice& device, const Batches& begun, const std::exception_ptr& loss,
                    Lock& lock);
    void end(const RequestRef& request, std::exception_ptr failure, Lock& lock);

    const bool inBackground_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Scheduler scheduler_;
    std::map<Scheduler::Id, RequestRef> requests_;  ///< requests that wait or run
    DevicePool devices_;
    std::optional<Replacement> replacement_;
    bool replacing_ = false;              ///< new devices are being opened; no request begins
    std::size_t runningUrgentTasks_ = 0;  ///< running `now` tasks
    bool closing_ = false;
    std::vector<std::jthread> threads_;  ///< one for each device
};

}  // namespace threefold
