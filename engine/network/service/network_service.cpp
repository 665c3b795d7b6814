#include "engine/network/service/network_service.h"

#include <chrono>
#include <variant>

#include <malloc.h>
#include <sys/resource.h>

#include "engine/compute/unlock_guard.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// A batch or a task, as its caller submitted it. The service's mutex guards id, cancelledByCaller,
/// failure and done. The device's thread alone writes a batch's result. The caller reads result and
/// failure once done is set.
struct NetworkRequest {
    struct Batch {
        std::span<const NetworkInput> inputs;
        BatchOptions options;
        BatchComputedFunction onComputed;
        NetworkResult result = {};
    };
    std::variant<Batch, DeviceTask> work;

    Scheduler::Id id = 0;
    std::stop_source stop;  ///< stops the current attempt; thread-safe itself
    bool cancelledByCaller = false;
    bool done = false;
    std::exception_ptr failure;

    explicit NetworkRequest(std::variant<Batch, DeviceTask> submitted)
        : work(std::move(submitted)) {}
    /// Null for a task.
    Batch* batch() { return std::get_if<Batch>(&work); }
    /// Null for a batch.
    DeviceTask* task() { return std::get_if<DeviceTask>(&work); }
    bool isUrgentTask() { return task() != nullptr && task()->urgency == Urgency::now; }
};

namespace {

/// Calls `work` without the lock. Returns its exception, or null.
template <class Work>
std::exception_ptr unlocked(std::unique_lock<std::mutex>& lock, const Work& work) {
    std::exception_ptr failure;
    const UnlockGuard guard(lock);
    try {
        work();
    } catch (...) {
        failure = std::current_exception();
    }
    return failure;
}

template <class Failure>
bool holds(const std::exception_ptr& failure) {
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const Failure&) {
        return true;
    } catch (...) {
    }
    return false;
}

}  // namespace

// ---- batches

BatchFuture::BatchFuture(NetworkService& service, std::shared_ptr<NetworkRequest> request,
                         const std::stop_token& cancel)
    : service_(&service),
      request_(std::move(request)),
      onStop_(std::make_unique<std::stop_callback<std::function<void()>>>(
          cancel, [&service, request = request_] { service.cancel(request); })) {}

BatchFuture::~BatchFuture() {
    if (!request_) return;
    service_->cancel(request_);
    service_->waitFor(request_);
}

NetworkResult BatchFuture::collect() {
    service_->waitFor(request_);
    onStop_.reset();
    const auto request = std::exchange(request_, nullptr);
    if (request->failure) std::rethrow_exception(request->failure);
    return std::move(request->batch()->result);
}

// ---- requests of callers

NetworkService::NetworkService(NetworkOpener open, NetworkServiceOptions options)
    : inBackground_(options.inBackground),
      scheduler_(options.maxListWait),
      devices_(std::move(open), std::move(options.listener)) {
    const Lock lock(mutex_);
    startThreads();
}

NetworkService::NetworkService(NetworkDevices devices, NetworkServiceOptions options)
    : inBackground_(options.inBackground),
      scheduler_(options.maxListWait),
      devices_(std::move(devices), std::move(options.listener)) {
    const Lock lock(mutex_);
    startThreads();
}

NetworkService::~NetworkService() {
    close();
}

void NetworkService::close() {
    std::vector<RequestRef> removed;
    {
        Lock lock(mutex_);
        closing_ = true;
        if (const auto abandoned = std::exchange(replacement_, std::nullopt)) {
            unlocked(lock, [&] { abandoned->done(std::make_exception_ptr(Cancelled())); });
        }
        for (auto& [id, request] : requests_) {
            if (scheduler_.remove(id)) {
                removed.push_back(request);
            } else {
                request->stop.request_stop();
            }
        }
        const auto cancelled = std::make_exception_ptr(Cancelled());
        for (const RequestRef& request : removed) end(request, cancelled, lock);
    }
    changed_.notify_all();
    for (std::jthread& thread : threads_) {
        if (thread.joinable()) thread.join();
    }
}

BatchFuture NetworkService::submit(std::span<const NetworkInput> inputs, Urgency urgency,
                                   const BatchOptions& options, BatchComputedFunction onComputed) {
    if (options.cancel.stop_requested()) throw Cancelled();
    const auto request = std::make_shared<NetworkRequest>(
        NetworkRequest::Batch{inputs, options, std::move(onComputed)});
    add(request, urgency);
    return {*this, request, options.cancel};
}

void NetworkService::post(DeviceTask task) {
    const auto request = std::make_shared<NetworkRequest>(std::move(task));
    try {
        add(request, request->task()->urgency);
    } catch (const Cancelled&) {
        if (const auto& onFailure = request->task()->onFailure) onFailure(std::current_exception());
    }
}

void NetworkService::run(Urgency urgency, const std::function<void(DeviceAccess& access)>& work) {
    const auto request = std::make_shared<NetworkRequest>(DeviceTask{urgency, work});
    add(request, urgency);
    waitFor(request);
    if (request->failure) std::rethrow_exception(request->failure);
}

NetworkInfo NetworkService::info() {
    {
        const Lock lock(mutex_);
        if (devices_.isOpen()) return devices_.info();
    }
    run(Urgency::soon, [](DeviceAccess& access) { access.backend(); });
    const Lock lock(mutex_);
    return devices_.info();
}

void NetworkService::replaceDevices(NetworkOpener open,
                                    std::function<void(const std::exception_ptr& failure)> done) {
    // After the swap: the replacement that waited before, if any. While closing: this one.
    std::optional<Replacement> replacementToCancel = Replacement{std::move(open), std::move(done)};
    {
        const Lock lock(mutex_);
        if (!closing_) std::swap(replacement_, replacementToCancel);
    }
    changed_.notify_all();
    if (replacementToCancel) replacementToCancel->done(std::make_exception_ptr(Cancelled()));
}

std::size_t NetworkService::pendingCount() const {
    const Lock lock(mutex_);
    std::size_t count = 0;
    for (const auto& [id, request] : requests_) {
        const NetworkRequest::Batch* const batch = request->batch();
        count += batch != nullptr ? batch->inputs.size() : 1;
    }
    return count;
}

void NetworkService::add(const RequestRef& request, Urgency urgency) {
    const Lock lock(mutex_);
    if (closing_) throw Cancelled();
    request->id = scheduler_.add(urgency);
    requests_[request->id] = request;
    if (urgency == Urgency::now && !devices_.anyIdle()) {
        for (const Scheduler::Id id : scheduler_.interruptible())
            requests_.at(id)->stop.request_stop();
    }
    changed_.notify_all();
}

void NetworkService::cancel(const RequestRef& request) {
    Lock lock(mutex_);
    if (request->done) return;
    request->cancelledByCaller = true;
    if (scheduler_.remove(request->id)) {
        end(request, std::make_exception_ptr(Cancelled()), lock);
    } else {
        request->stop.request_stop();
    }
}

void NetworkService::waitFor(const RequestRef& request) {
    Lock lock(mutex_);
    changed_.wait(lock, [&] { return request->done; });
}

// ---- on a device's thread

void NetworkService::startThreads() {
    while (!closing_ && threads_.size() < devices_.size())
        threads_.emplace_back([this, index = threads_.size()] { work(index); });
}

void NetworkService::work(std::size_t index) {
    // User interaction comes first: while the processor computes, the panes draw 2.2 times as many
    // frames as at equal priority (threefold_frame_rate, two cores, no GPU). On Linux, setpriority
    // applies to this thread and the threads that it starts: the network's.
    constexpr int kNiceness = 10;
    if (inBackground_) setpriority(PRIO_PROCESS, 0, kNiceness);
    Lock lock(mutex_);
    ManagedDevice& device = devices_.at(index);
    Batches batches;
    bool worked = false;
    while (true) {
        if (const RequestRef request = take(device)) {
            worked = true;
            request->task() != nullptr ? perform(device, request, lock)
                                       : begin(device, batches, request, lock);
        } else if (!batches.empty()) {
            finishOldest(device, batches, lock);
        } else if (closing_) {
            return;
        } else if (replacement_ && index == 0 && !devices_.anyWorking()) {
            replace(lock);
        } else {
            idle(lock, worked);
        }
    }
}

void NetworkService::idle(Lock& lock, bool& worked) {
    // Idle time before freed memory returns to the system: after 50 000 interactions the C library
    // held 405 MB of freed memory, of the process's 850 MB. With a shorter time the next request
    // would allocate the memory again.
    constexpr std::chrono::seconds kIdleTime(5);
    if (!inBackground_ || !worked) return changed_.wait(lock);
    if (changed_.wait_for(lock, kIdleTime) == std::cv_status::no_timeout) return;
    worked = false;
    const UnlockGuard guard(lock);
    malloc_trim(0);
}

void NetworkService::replace(Lock& lock) {
    const Replacement replacement = *std::exchange(replacement_, std::nullopt);
    replacing_ = true;
    std::exception_ptr failure;
    try {
        devices_.replace(replacement.open, lock);
        startThreads();
    } catch (...) {
        failure = std::current_exception();
    }
    replacing_ = false;
    changed_.notify_all();
    const UnlockGuard guard(lock);
    replacement.done(failure);
}

/// Takes the next request and marks it as in flight. Null if no request waits, or if the next one
/// must not begin now on this device.
NetworkService::RequestRef NetworkService::take(ManagedDevice& device) {
    if (replacement_ || replacing_ || !device.canBegin()) return nullptr;
    const auto id = scheduler_.next();
    if (!id) return nullptr;
    const RequestRef& request = requests_.at(*id);
    if (request->task() != nullptr) {
        if (device.unfinishedBatches > 0 || (request->isUrgentTask() && runningUrgentTasks_ > 0))
            return nullptr;
    } else if (device.unfinishedBatches != devices_.fewestUnfinishedBatches()) {
        return nullptr;  // spreads a list's last batches over the devices
    }
    scheduler_.begin(*id, Scheduler::Clock::now());
    request->stop = {};
    changed_.notify_all();  // another device may take the next request
    return request;
}

void NetworkService::begin(ManagedDevice& device, Batches& batches, const RequestRef& request,
                           Lock& lock) {
    batches.push_back(request);
    ++device.unfinishedBatches;
    Backend* backend = nullptr;
    NetworkRequest::Batch& batch = *request->batch();
    const std::exception_ptr failure = unlocked(lock, [&] {
        backend = &openBackend(device);
        BatchOptions options = batch.options;
        // The caller may have cancelled before the future's stop callback existed.
        const bool cancelled = options.cancel.stop_requested();
        options.cancel = request->stop.get_token();
        if (cancelled || options.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        backend->begin(batch.inputs, options);
        batch.result.milliseconds = watch.milliseconds();
    });
    if (!failure) return;
    if (backend != nullptr && holds<DeviceLost>(failure))
        return handleLoss(device, std::exchange(batches, {}), failure, lock);
    batches.pop_back();
    --device.unfinishedBatches;
    end(request, failure, lock);
}

void NetworkService::finishOldest(ManagedDevice& device, Batches& batches, Lock& lock) {
    const RequestRef request = batches.front();
    NetworkRequest::Batch& batch = *request->batch();
    const std::exception_ptr failure = unlocked(lock, [&] {
        const Stopwatch watch;
        batch.result.reconstructions = device.backend->finish();
        batch.result.milliseconds += watch.milliseconds();
        if (batch.onComputed)
            batch.onComputed(device.backend->meshOperations(), batch.result.reconstructions,
                             request->stop.get_token());
    });
    if (holds<DeviceLost>(failure))
        return handleLoss(device, std::exchange(batches, {}), failure, lock);
    batches.pop_front();
    --device.unfinishedBatches;
    device.refresh();
    end(request, failure, lock);
}

void NetworkService::perform(ManagedDevice& device, const RequestRef& request, Lock& lock) {
    device.runsTask = true;
    runningUrgentTasks_ += request->isUrgentTask() ? 1 : 0;
    Backend* backend = nullptr;
    DeviceAccess access{[&]() -> Backend& { return *(backend = &openBackend(device)); },
                        request->stop.get_token()};
    const std::exception_ptr failure = unlocked(lock, [&] { request->task()->work(access); });
    device.runsTask = false;
    runningUrgentTasks_ -= request->isUrgentTask() ? 1 : 0;
    if (backend != nullptr && holds<DeviceLost>(failure))
        return handleLoss(device, {request}, failure, lock);
    if (backend != nullptr) device.refresh();
    end(request, failure, lock);
}

Backend& NetworkService::openBackend(ManagedDevice& device) {
    Lock lock(mutex_);
    Backend& backend = devices_.openBackend(device, lock);
    startThreads();
    return backend;
}

/// Interrupts the requests that the lost device had begun; another device, or the lost device's
/// replacement, computes these requests.
void NetworkService::handleLoss(ManagedDevice& device, const Batches& begun,
                                const std::exception_ptr& loss, Lock& lock) {
    device.unfinishedBatches = 0;
    devices_.markLost(device, loss, lock);
    for (const RequestRef& request : begun) {
        request->stop.request_stop();
        end(request, std::make_exception_ptr(Cancelled()), lock);
    }
}

/// Ends a request. A request that was only interrupted waits again instead.
void NetworkService::end(const RequestRef& request, std::exception_ptr failure, Lock& lock) {
    // The caller may have cancelled before the future existed, as in begin().
    if (const NetworkRequest::Batch* const batch = request->batch();
        batch != nullptr && batch->options.cancel.stop_requested())
        request->cancelledByCaller = true;
    const bool interrupted = request->stop.stop_requested() && holds<Cancelled>(failure);
    if (interrupted && !request->cancelledByCaller && !closing_) {
        scheduler_.putBack(request->id);
        return changed_.notify_all();
    }
    scheduler_.finish(request->id, Scheduler::Clock::now());
    requests_.erase(request->id);
    const DeviceTask* const task = request->task();
    if (failure && task != nullptr && task->onFailure) {
        const UnlockGuard guard(lock);
        task->onFailure(failure);
    }
    request->failure = std::move(failure);
    request->done = true;
    changed_.notify_all();
}

}  // namespace threefold
