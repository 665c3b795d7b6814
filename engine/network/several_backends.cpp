#include "engine/network/several_backends.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/network/device_error.h"

namespace threefold {

/// A batch on its way through the queue and a device. All but `inputs` and `options` is guarded by
/// the owner's mutex.
struct SeveralBackends::Batch {
    std::span<const NetworkInput> inputs;
    RunOptions options;
    bool done = false;
    std::vector<Reconstruction> results;
    std::exception_ptr failure;

    void fail(std::exception_ptr why) {
        failure = std::move(why);
        done = true;
    }
};

struct SeveralBackends::Device {
    struct Begun {
        std::shared_ptr<Batch> batch;
        std::unique_ptr<PendingBatch> pending;
    };

    std::unique_ptr<Backend> backend;
    std::string description;
    std::mutex calls;         ///< held during each call of the backend
    std::deque<Begun> begun;  ///< its thread's own

    // Guarded by the owner's mutex.
    std::size_t batches = 0;  ///< taken and not finished, other calls included
    std::size_t mostPending = 1;
    std::size_t largestBatch = 1;
    bool lost = false;

    bool hasRoom() const { return !lost && batches < mostPending; }
};

class SeveralBackends::Pending final : public PendingBatch {
  public:
    Pending(SeveralBackends& owner, std::shared_ptr<Batch> batch)
        : owner_(owner), batch_(std::move(batch)) {}
    ~Pending() override {
        if (!begun_) return;
        std::unique_lock lock(owner_.mutex_);
        if (std::erase(owner_.queue_, batch_) == 0) wait(lock);
        --owner_.pending_;
    }

    /// Throws InputError where too many are pending.
    void begin() {
        {
            const std::scoped_lock lock(owner_.mutex_);
            if (owner_.pending_ >= owner_.mostPending_) {
                throw InputError({"batch", "",
                                  fmt::format("{} are pending already", owner_.pending_),
                                  "Collect one of them first."});
            }
            if (owner_.lost_) {
                batch_->fail(owner_.lost_);
            } else {
                owner_.queue_.push_back(batch_);
            }
            ++owner_.pending_;
            begun_ = true;
        }
        owner_.changed_.notify_all();
    }

    std::vector<Reconstruction> collect() override {
        {
            std::unique_lock lock(owner_.mutex_);
            wait(lock);
            --owner_.pending_;
            begun_ = false;
        }
        if (batch_->failure) std::rethrow_exception(batch_->failure);
        return std::move(batch_->results);
    }

  private:
    void wait(std::unique_lock<std::mutex>& lock) {
        owner_.changed_.wait(lock, [&] { return batch_->done; });
    }

    SeveralBackends& owner_;
    std::shared_ptr<Batch> batch_;
    bool begun_ = false;
};

SeveralBackends::SeveralBackends(std::vector<std::unique_ptr<Backend>> devices, LogFunction onLost)
    : onLost_(std::move(onLost)) {
    for (std::unique_ptr<Backend>& backend : devices) {
        auto device = std::make_unique<Device>();
        device->backend = std::move(backend);
        if (!device->backend) throw InputError({"several backends", "", "one is missing", ""});
        device->description = device->backend->description();
        device->mostPending = device->backend->mostPending();
        device->largestBatch = device->backend->largestBatch();
        mostPending_ += 2 * device->mostPending;
        devices_.push_back(std::move(device));
    }
    if (devices_.empty()) throw InputError({"several backends", "", "there is none", ""});
    for (const auto& device : devices_) {
        if (device->backend->precision() == SeveralBackends::precision() &&
            device->backend->model().hash == SeveralBackends::model().hash) {
            continue;
        }
        throw InputError(
            {"several backends", device->description,
             fmt::format("computes other results than {}", devices_.front()->description),
             "Give all of them one model and one precision."});
    }
    for (const auto& device : devices_) {
        threads_.emplace_back([this, &device = *device] { work(device); });
    }
}

SeveralBackends::~SeveralBackends() {
    {
        const std::scoped_lock lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    threads_.clear();
}

std::string SeveralBackends::description() const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::pair<std::string, std::size_t>> kinds;
    for (const auto& device : devices_) {
        if (device->lost && !lost_) continue;
        const auto same = std::ranges::find(kinds, device->description,
                                            &std::pair<std::string, std::size_t>::first);
        if (same == kinds.end()) {
            kinds.emplace_back(device->description, 1);
        } else {
            ++same->second;
        }
    }
    std::string text;
    for (const auto& [kind, count] : kinds) {
        if (!text.empty()) text += " + ";
        text += count > 1 ? fmt::format("{} × {}", count, kind) : kind;
    }
    return text;
}

Precision SeveralBackends::precision() const {
    return devices_.front()->backend->precision();
}

const Model& SeveralBackends::model() const {
    return devices_.front()->backend->model();
}

std::size_t SeveralBackends::largestBatch() const {
    const std::scoped_lock lock(mutex_);
    std::optional<std::size_t> least;
    for (const auto& device : devices_) {
        if (!device->lost) {
            least = std::min(device->largestBatch, least.value_or(device->largestBatch));
        }
    }
    return least.value_or(1);
}

std::optional<DeviceMemoryUse> SeveralBackends::memoryUse() const {
    std::optional<DeviceMemoryUse> sum;
    for (const auto& device : devices_) {
        const std::scoped_lock lock(device->calls);
        if (const auto use = device->backend->memoryUse()) {
            if (!sum) sum.emplace();
            sum->before += use->before;
            sum->peak += use->peak;
            sum->peakPool += use->peakPool;
        }
    }
    return sum;
}

std::unique_ptr<PendingBatch> SeveralBackends::submit(std::span<const NetworkInput> inputs,
                                                      const RunOptions& options) {
    if (options.cancel.stop_requested()) throw Cancelled();
    auto batch = std::make_shared<Batch>();
    batch->inputs = inputs;
    batch->options = options;
    auto pending = std::make_unique<Pending>(*this, std::move(batch));
    pending->begin();
    return pending;
}

// ---- what a device's thread does

void SeveralBackends::work(Device& device) {
    while (true) {
        std::shared_ptr<Batch> batch = take(device);
        try {
            if (batch) {
                submitTo(device, batch);
            } else if (!device.begun.empty()) {
                collectFrom(device);
            } else {
                return;
            }
        } catch (const DeviceLost& error) {
            lose(device, error);
        }
        if (isLost(device)) return passOnBatches(device);
    }
}

bool SeveralBackends::isLost(const Device& device) const {
    const std::scoped_lock lock(mutex_);
    return device.lost;
}

/// The next batch for this device; null where it should collect one instead, or end.
std::shared_ptr<SeveralBackends::Batch> SeveralBackends::take(Device& device) {
    std::unique_lock lock(mutex_);
    // The one with the fewest batches goes first: a list's last two go to two devices.
    const auto may = [&] {
        return !queue_.empty() && device.hasRoom() && device.batches == fewestBatches();
    };
    if (device.begun.empty()) changed_.wait(lock, [&] { return closing_ || device.lost || may(); });
    if (!may()) return nullptr;
    std::shared_ptr<Batch> batch = std::move(queue_.front());
    queue_.pop_front();
    ++device.batches;
    lock.unlock();
    changed_.notify_all();
    return batch;
}

void SeveralBackends::submitTo(Device& device, const std::shared_ptr<Batch>& batch) {
    device.begun.push_back({batch, nullptr});
    try {
        const std::scoped_lock lock(device.calls);
        device.begun.back().pending = device.backend->submit(batch->inputs, batch->options);
    } catch (const DeviceLost&) {
        throw;
    } catch (...) {
        device.begun.pop_back();
        finish(device, *batch, {}, std::current_exception());
    }
}

void SeveralBackends::collectFrom(Device& device) {
    Device::Begun& oldest = device.begun.front();
    std::vector<Reconstruction> results;
    std::exception_ptr failure;
    std::size_t largest = 1;
    {
        const std::scoped_lock lock(device.calls);
        try {
            results = oldest.pending->collect();
        } catch (const DeviceLost&) {
            throw;
        } catch (...) {
            failure = std::current_exception();
        }
        oldest.pending.reset();
        largest = device.backend->largestBatch();
    }
    const std::shared_ptr<Batch> batch = std::move(oldest.batch);
    device.begun.pop_front();
    {
        const std::scoped_lock lock(mutex_);
        device.largestBatch = largest;
    }
    finish(device, *batch, std::move(results), std::move(failure));
}

void SeveralBackends::finish(Device& device, Batch& batch, std::vector<Reconstruction> results,
                             std::exception_ptr failure) {
    {
        const std::scoped_lock lock(mutex_);
        --device.batches;
        batch.results = std::move(results);
        batch.failure = std::move(failure);
        batch.done = true;
    }
    changed_.notify_all();
}

// ---- lost devices

void SeveralBackends::lose(Device& device, const std::exception& error) {
    bool last = false;
    {
        const std::scoped_lock lock(mutex_);
        if (device.lost) return;
        device.lost = true;
        last = std::ranges::all_of(devices_, [](const auto& other) { return other->lost; });
        if (last) {
            lost_ = std::current_exception();
            for (const auto& batch : queue_) batch->fail(lost_);
            queue_.clear();
        }
    }
    changed_.notify_all();
    if (last || !onLost_) return;
    onLost_(LogLevel::warning, fmt::format("{} was lost; going on with {}. ({})",
                                           device.description, description(), error.what()));
}

/// The batches of a lost device are the next ones for the others.
void SeveralBackends::passOnBatches(Device& device) {
    {
        const std::scoped_lock lock(device.calls);
        for (Device::Begun& begun : device.begun) begun.pending.reset();
    }
    {
        const std::scoped_lock lock(mutex_);
        for (auto begun = device.begun.rbegin(); begun != device.begun.rend(); ++begun) {
            if (lost_) {
                begun->batch->fail(lost_);
            } else {
                queue_.push_front(std::move(begun->batch));
            }
        }
    }
    device.begun.clear();
    changed_.notify_all();
}

// ---- calls that are no batches

std::size_t SeveralBackends::fewestBatches() const {
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const auto& device : devices_) {
        if (device->hasRoom()) fewest = std::min(fewest, device->batches);
    }
    return fewest;
}

SeveralBackends::Device& SeveralBackends::takeFreest() {
    const std::scoped_lock lock(mutex_);
    if (lost_) std::rethrow_exception(lost_);
    Device* freest = nullptr;
    for (const auto& device : devices_) {
        if (device->lost || (freest != nullptr && device->batches >= freest->batches)) continue;
        freest = device.get();
    }
    ++freest->batches;
    return *freest;
}

template <class Call>
auto SeveralBackends::onFreest(const Call& call) {
    while (true) {
        Device& device = takeFreest();
        const struct Release {
            SeveralBackends& owner;
            Device& device;
            ~Release() {
                {
                    const std::scoped_lock lock(owner.mutex_);
                    --device.batches;
                }
                owner.changed_.notify_all();
            }
        } release{*this, device};
        try {
            const std::scoped_lock lock(device.calls);
            return call(*device.backend);
        } catch (const DeviceLost& error) {
            lose(device, error);
        }
    }
}

Reconstruction SeveralBackends::reconstruct(const NetworkInput& input, const RunOptions& options) {
    return onFreest([&](Backend& device) { return device.reconstruct(input, options); });
}

std::vector<Reconstruction> SeveralBackends::reconstructBatch(std::span<const NetworkInput> inputs,
                                                              const RunOptions& options) {
    return onFreest([&](Backend& device) { return device.reconstructBatch(inputs, options); });
}

FitResult SeveralBackends::fit(const Points& start, const fitting::MeshLevels& levels,
                               const Camera& space, std::span<const FitView> views,
                               const FitOptions& options) {
    return onFreest(
        [&](Backend& device) { return device.fit(start, levels, space, views, options); });
}

NearestBatch SeveralBackends::nearest(std::span<const CloudPair> pairs) {
    return onFreest([&](Backend& device) { return device.nearest(pairs); });
}

MatchingBatch SeveralBackends::match(std::span<const CloudPair> pairs,
                                     const MatchingSchedule& schedule) {
    return onFreest([&](Backend& device) { return device.match(pairs, schedule); });
}

}  // namespace threefold
