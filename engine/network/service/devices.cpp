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

/// Others take no more work for it while a backend is made.
class Busy {
  public:
    explicit Busy(Device& device) : device_(device), was_(std::exchange(device.busy, true)) {}
    ~Busy() { device_.busy = was_; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

  private:
    Device& device_;
    bool was_;
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

void Device::look() {
    largestBatch = backend->largestBatch();
    memoryUse = backend->memoryUse();
}

Devices::Devices(NetworkOpener opener, Listener listener)
    : opener_(std::move(opener)), listener_(std::move(listener)) {
    devices_.push_back(std::make_unique<Device>());
}

Devices::Devices(NetworkDevices devices, Listener listener)
    : Devices(NetworkOpener(), std::move(listener)) {
    check(devices.devices);
    spare_ = std::move(devices.spare);
    adopt(std::move(devices.devices), *devices_.front());
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
        }
        if (!device->lost)
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

bool Devices::othersLive(const Device& device) const {
    return std::ranges::any_of(
        devices_, [&](const auto& other) { return other.get() != &device && !other->lost; });
}

void Devices::put(Device& device, std::unique_ptr<Backend> backend) {
    device.backend = std::move(backend);
    device.description = device.backend->description();
    device.mostPending = device.backend->mostPending();
    device.lost = false;
    device.look();
}

std::vector<std::unique_ptr<Backend>> Devices::adopt(std::vector<std::unique_ptr<Backend>> made,
                                                     Device& first) {
    std::vector<std::unique_ptr<Backend>> before;
    for (const auto& device : devices_) {
        before.push_back(std::move(device->backend));
        device->memoryUse.reset();
        device->lost = true;
    }
    while (devices_.size() < made.size()) devices_.push_back(std::make_unique<Device>());
    put(first, std::move(made.front()));
    for (std::size_t i = 1; i < made.size(); ++i) put(*devices_[i], std::move(made[i]));
    info_.mostPending = 0;
    for (const auto& device : devices_) {
        if (!device->lost) info_.mostPending += 2 * device->mostPending;
    }
    info_.description = describe();
    info_.precision = first.backend->precision();
    info_.model = &first.backend->model();
    lastLoss_ = nullptr;
    open_ = true;
    return before;
}

Backend& Devices::ready(Device& device, Lock& lock) {
    if (!device.backend) {
        open(opener_, device, lock);
    } else if (lastLoss_) {
        useSpare(device, lock);
    }
    return *device.backend;
}

void Devices::open(const NetworkOpener& opener, Device& device, Lock& lock) {
    const Busy busy(device);
    const Stopwatch watch;
    NetworkDevices made;
    {
        const Unlocked unlocked(lock);
        made = opener();
        check(made.devices);
    }
    spare_ = std::move(made.spare);
    auto before = adopt(std::move(made.devices), device);
    info_.onSpare = false;
    const NetworkInfo now = info();
    const Unlocked unlocked(lock);
    before.clear();
    if (listener_.log)
        listener_.log(LogLevel::info,
                      fmt::format("network ready after {:.0f} ms", watch.milliseconds()));
    if (listener_.opened) listener_.opened(now);
}

void Devices::useSpare(Device& device, Lock& lock) {
    if (!spare_) std::rethrow_exception(lastLoss_);
    const Busy busy(device);
    std::vector<std::unique_ptr<Backend>> made(1);
    {
        const Unlocked unlocked(lock);
        made.front() = spare_();
        check(made);
    }
    spare_ = nullptr;
    const std::string description = info_.description;
    auto before = adopt(std::move(made), device);
    info_.onSpare = true;
    {
        const Unlocked unlocked(lock);
        before.clear();
    }
    tellOfLoss(fmt::format("The GPU was lost; going on with {}. ({})", info_.description, why_),
               description, lock);
}

void Devices::lose(Device& device, const std::exception_ptr& loss, Lock& lock) {
    std::string why;
    try {
        std::rethrow_exception(loss);
    } catch (const std::exception& error) {
        why = error.what();
    }
    if (!othersLive(device)) {
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
