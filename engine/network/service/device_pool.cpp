#include "engine/network/service/device_pool.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/compute/unlock_guard.h"
#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

/// Throws DeviceError if a device is missing, InputError if models or precisions differ.
void requireEqualDevices(const std::vector<std::unique_ptr<Backend>>& devices) {
    if (devices.empty() || std::ranges::any_of(devices, std::logical_not()))
        throw DeviceError({"network", "", "has no device to reconstruct with",
                           "Use the processor (`backend=cpu`)."});
    const Backend& first = *devices.front();
    for (const auto& device : devices) {
        if (device->precision() == first.precision() &&
            device->model()->hash == first.model()->hash)
            continue;
        throw InputError({"several backends", device->description(),
                          fmt::format("computes other results than {}", first.description()),
                          "Give all of them one model and one precision."});
    }
}

}  // namespace

void ManagedDevice::refresh() {
    maxBatchSize = backend->maxBatchSize();
    memoryUse = backend->memoryUse();
}

DevicePool::DevicePool(NetworkOpener opener, Listener listener)
    : opener_(std::move(opener)), listener_(std::move(listener)) {
    devices_.push_back(std::make_unique<ManagedDevice>());
}

DevicePool::DevicePool(NetworkDevices devices, Listener listener)
    : DevicePool(NetworkOpener(), std::move(listener)) {
    requireEqualDevices(devices.backends);
    adopt(std::move(devices), *devices_.front());
}

NetworkInfo DevicePool::info() const {
    NetworkInfo info = info_;
    std::optional<std::size_t> smallest;
    for (const auto& device : devices_) {
        if (const auto& use = device->memoryUse) {
            if (!info.memoryUse) info.memoryUse.emplace();
            info.memoryUse->baselineBytes += use->baselineBytes;
            info.memoryUse->peakBytes += use->peakBytes;
            info.memoryUse->peakPoolBytes += use->peakPoolBytes;
            info.memoryUse->pools.reusedCount += use->pools.reusedCount;
            info.memoryUse->pools.freedCount += use->pools.freedCount;
            info.memoryUse->pools.lateAllocationCount += use->pools.lateAllocationCount;
        }
        if (device->lost) continue;
        if (!device->pciBusId.empty()) info.pciBusIds.push_back(device->pciBusId);
        smallest = std::min(device->maxBatchSize, smallest.value_or(device->maxBatchSize));
    }
    info.maxBatchSize = smallest.value_or(1);
    return info;
}

std::string DevicePool::describe() const {
    std::vector<std::pair<std::string, std::size_t>> kinds;
    for (const auto& device : devices_) {
        if (device->lost) continue;
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

bool DevicePool::anyWorking() const {
    return std::ranges::any_of(devices_, [](const auto& device) {
        return device->runsTask || device->unfinishedBatches > 0;
    });
}

bool DevicePool::anyIdle() const {
    return std::ranges::any_of(devices_, [](const auto& device) {
        return device->canBegin() && device->unfinishedBatches == 0;
    });
}

std::size_t DevicePool::fewestUnfinishedBatches() const {
    std::size_t batches = std::numeric_limits<std::size_t>::max();
    for (const auto& device : devices_) {
        if (device->canBegin()) batches = std::min(batches, device->unfinishedBatches);
    }
    return batches;
}

/// Takes over opened devices. Returns the previous back ends, which the caller destroys without the
/// lock.
std::vector<std::unique_ptr<Backend>> DevicePool::adopt(NetworkDevices opened,
                                                        ManagedDevice& first) {
    std::vector<std::unique_ptr<Backend>> previous;
    for (const auto& device : devices_) {
        previous.push_back(std::move(device->backend));
        device->memoryUse.reset();
        device->lost = true;
    }
    std::vector<std::unique_ptr<Backend>>& backends = opened.backends;
    while (devices_.size() < backends.size()) devices_.push_back(std::make_unique<ManagedDevice>());
    info_.maxBatchesInFlight = 0;
    for (std::size_t i = 0; i < backends.size(); ++i) {
        ManagedDevice& device = i == 0 ? first : *devices_[i];
        device.backend = std::move(backends[i]);
        device.description = device.backend->description();
        device.pciBusId = device.backend->pciBusId();
        device.maxUnfinishedBatches = device.backend->maxUnfinishedBatches();
        device.lost = false;
        device.refresh();
        info_.maxBatchesInFlight += 2 * device.maxUnfinishedBatches;
    }
    makeFallback_ = std::move(opened.makeFallback);
    info_.unusedGpu = std::move(opened.unusedGpu);
    info_.kind = opened.kind;
    info_.description = describe();
    info_.precision = first.backend->precision();
    info_.model = first.backend->model();
    lastLoss_ = nullptr;
    open_ = true;
    return previous;
}

Backend& DevicePool::openBackend(ManagedDevice& device, Lock& lock) {
    if (!device.backend) {
        open(opener_, device, lock);
    } else if (lastLoss_) {
        if (!makeFallback_) std::rethrow_exception(lastLoss_);
        const std::string previous = info_.description;
        openAndAdopt([this] { return oneDevice(makeFallback_()); }, device, lock);
        info_.onFallback = true;
        reportLoss(
            fmt::format("The GPU was lost; continuing on {}. ({})", info_.description, lossText_),
            previous, lock);
    }
    return *device.backend;
}

void DevicePool::openAndAdopt(const NetworkOpener& opener, ManagedDevice& first, Lock& lock) {
    NetworkDevices opened;
    {
        const UnlockGuard unlocked(lock);
        opened = opener();
        requireEqualDevices(opened.backends);
    }
    if (open_) ++info_.deviceChanges;
    auto previous = adopt(std::move(opened), first);
    const UnlockGuard unlocked(lock);
    previous.clear();
}

void DevicePool::open(const NetworkOpener& opener, ManagedDevice& device, Lock& lock) {
    const Stopwatch watch;
    openAndAdopt(opener, device, lock);
    info_.onFallback = false;
    const NetworkInfo now = info();
    const UnlockGuard unlocked(lock);
    if (listener_.log)
        listener_.log(LogLevel::info,
                      fmt::format("network ready after {:.0f} ms", watch.milliseconds()));
    if (listener_.onOpened) listener_.onOpened(now);
}

void DevicePool::markLost(ManagedDevice& device, const std::exception_ptr& loss, Lock& lock) {
    std::string text;
    try {
        std::rethrow_exception(loss);
    } catch (const std::exception& error) {
        text = error.what();
    }
    const bool isLast = std::ranges::none_of(
        devices_, [&](const auto& other) { return other.get() != &device && !other->lost; });
    if (isLast) {
        lastLoss_ = loss;
        lossText_ = std::move(text);
        return;
    }
    device.lost = true;
    ++info_.deviceChanges;
    const std::string previous = std::exchange(info_.description, describe());
    reportLoss(fmt::format("{} was lost; continuing on {}. ({})", device.description,
                           info_.description, text),
               previous, lock);
}

void DevicePool::replace(const NetworkOpener& opener, Lock& lock) {
    open(opener, *devices_.front(), lock);
    opener_ = opener;
}

void DevicePool::reportLoss(const std::string& line, const std::string& previous,
                            Lock& lock) const {
    const NetworkInfo now = info();
    const UnlockGuard unlocked(lock);
    if (listener_.log) listener_.log(LogLevel::warning, line);
    if (listener_.onTakenOver && now.description != previous) listener_.onTakenOver(previous, now);
}

}  // namespace threefold
