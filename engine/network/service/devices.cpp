#include "engine/network/service/devices.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

/// Releases a lock for a while.
class Unlocked {
  public:
    explicit Unlocked(Devices::Lock& lock) : lock_(lock) { lock_.unlock(); }
    ~Unlocked() { lock_.lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    Devices::Lock& lock_;
};

/// Throws DeviceError where one is missing, InputError where they would give different results.
void check(const std::vector<std::unique_ptr<Backend>>& devices) {
    if (devices.empty() || std::ranges::any_of(devices, std::logical_not()))
        throw DeviceError({"", "", "there is no backend to reconstruct with", ""});
    const Backend& first = *devices.front();
    for (const auto& device : devices) {
        if (device->precision() == first.precision() && device->model().hash == first.model().hash)
            continue;
        throw InputError({"several backends", device->description(),
                          fmt::format("computes other results than {}", first.description()),
                          "Give all of them one model and one precision."});
    }
}

}  // namespace

void DeviceSlot::refresh() {
    largestBatch = backend->largestBatch();
    memoryUse = backend->memoryUse();
}

Devices::Devices(NetworkOpener opener, Listener listener)
    : opener_(std::move(opener)), listener_(std::move(listener)) {
    devices_.push_back(std::make_unique<DeviceSlot>());
}

Devices::Devices(NetworkDevices devices, Listener listener)
    : Devices(NetworkOpener(), std::move(listener)) {
    check(devices.devices);
    adopt(std::move(devices), *devices_.front());
}

NetworkInfo Devices::info() const {
    NetworkInfo info = info_;
    std::optional<std::size_t> least;
    for (const auto& device : devices_) {
        if (const auto& use = device->memoryUse) {
            if (!info.memoryUse) info.memoryUse.emplace();
            info.memoryUse->before += use->before;
            info.memoryUse->peak += use->peak;
            info.memoryUse->peakPool += use->peakPool;
            info.memoryUse->pools.hits += use->pools.hits;
            info.memoryUse->pools.frees += use->pools.frees;
            info.memoryUse->pools.lateAllocations += use->pools.lateAllocations;
        }
        if (device->lost) continue;
        if (!device->bus.empty()) info.buses.push_back(device->bus);
        least = std::min(device->largestBatch, least.value_or(device->largestBatch));
    }
    info.largestBatch = least.value_or(1);
    return info;
}

std::string Devices::describe() const {
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

bool Devices::anyBusy() const {
    return std::ranges::any_of(
        devices_, [](const auto& device) { return device->busy || device->batches > 0; });
}

bool Devices::anyIdle() const {
    return std::ranges::any_of(
        devices_, [](const auto& device) { return device->hasRoom() && device->batches == 0; });
}

std::size_t Devices::fewestBatches() const {
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const auto& device : devices_) {
        if (device->hasRoom()) fewest = std::min(fewest, device->batches);
    }
    return fewest;
}

/// Returns the backends so far, which are to be destroyed without the lock.
std::vector<std::unique_ptr<Backend>> Devices::adopt(NetworkDevices made, DeviceSlot& first) {
    std::vector<std::unique_ptr<Backend>> before;
    for (const auto& device : devices_) {
        before.push_back(std::move(device->backend));
        device->memoryUse.reset();
        device->lost = true;
    }
    std::vector<std::unique_ptr<Backend>>& backends = made.devices;
    while (devices_.size() < backends.size()) devices_.push_back(std::make_unique<DeviceSlot>());
    info_.mostPending = 0;
    for (std::size_t i = 0; i < backends.size(); ++i) {
        DeviceSlot& device = i == 0 ? first : *devices_[i];
        device.backend = std::move(backends[i]);
        device.description = device.backend->description();
        device.bus = device.backend->bus();
        device.mostPending = device.backend->mostPending();
        device.lost = false;
        device.refresh();
        info_.mostPending += 2 * device.mostPending;
    }
    spare_ = std::move(made.spare);
    info_.unusedGpu = std::move(made.unusedGpu);
    info_.description = describe();
    info_.precision = first.backend->precision();
    info_.model = &first.backend->model();
    lastLoss_ = nullptr;
    open_ = true;
    return before;
}

Backend& Devices::ready(DeviceSlot& device, Lock& lock) {
    if (!device.backend) {
        open(opener_, device, lock);
    } else if (lastLoss_) {
        if (!spare_) std::rethrow_exception(lastLoss_);
        const std::string before = info_.description;
        makeAndAdopt([this] { return NetworkDevices(spare_()); }, device, lock);
        info_.onSpare = true;
        tellOfLoss(fmt::format("The GPU was lost; going on with {}. ({})", info_.description, why_),
                   before, lock);
    }
    return *device.backend;
}

void Devices::makeAndAdopt(const NetworkOpener& opener, DeviceSlot& first, Lock& lock) {
    NetworkDevices made;
    {
        const Unlocked unlocked(lock);
        made = opener();
        check(made.devices);
    }
    auto before = adopt(std::move(made), first);
    const Unlocked unlocked(lock);
    before.clear();
}

void Devices::open(const NetworkOpener& opener, DeviceSlot& device, Lock& lock) {
    const Stopwatch watch;
    makeAndAdopt(opener, device, lock);
    info_.onSpare = false;
    const NetworkInfo now = info();
    const Unlocked unlocked(lock);
    if (listener_.log)
        listener_.log(LogLevel::info,
                      fmt::format("network ready after {:.0f} ms", watch.milliseconds()));
    if (listener_.opened) listener_.opened(now);
}

void Devices::lose(DeviceSlot& device, const std::exception_ptr& loss, Lock& lock) {
    std::string why;
    try {
        std::rethrow_exception(loss);
    } catch (const std::exception& error) {
        why = error.what();
    }
    const bool isLast = std::ranges::none_of(
        devices_, [&](const auto& other) { return other.get() != &device && !other->lost; });
    if (isLast) {
        lastLoss_ = loss;
        why_ = std::move(why);
        return;
    }
    device.lost = true;
    const std::string before = std::exchange(info_.description, describe());
    tellOfLoss(fmt::format("{} was lost; going on with {}. ({})", device.description,
                           info_.description, why),
               before, lock);
}

void Devices::replace(const NetworkOpener& opener, Lock& lock) {
    open(opener, *devices_.front(), lock);
    opener_ = opener;
}

void Devices::tellOfLoss(const std::string& line, const std::string& before, Lock& lock) const {
    const NetworkInfo now = info();
    const Unlocked unlocked(lock);
    if (listener_.log) listener_.log(LogLevel::warning, line);
    if (listener_.takenOver && now.description != before) listener_.takenOver(before, now);
}

}  // namespace threefold
