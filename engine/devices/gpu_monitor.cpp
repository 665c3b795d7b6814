#include "engine/devices/gpu_monitor.h"

#include <dlfcn.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace threefold {
namespace {

// Excerpt of nvml.h, a header of the CUDA toolkit. Names, numbers and layouts are part of NVML's
// stable ABI.
using NvmlDevice = void*;
struct NvmlUtilization {
    unsigned gpu = 0;
    unsigned memory = 0;
};
struct NvmlMemory {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};
constexpr int kNvmlSuccess = 0;
constexpr int kNvmlClockSm = 1;
constexpr int kNvmlTemperatureGpu = 0;

/// The initialised library and the devices found.
class Nvml {
  public:
    Nvml(const std::filesystem::path& library, const std::vector<std::string>& pciBusIds)
        : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), closeLibrary) {
        if (!library_ || call("nvmlInit_v2") != kNvmlSuccess) return;
        initialised_ = true;
        for (const std::string& pciBusId : pciBusIds) {
            NvmlDevice device = nullptr;
            if (call("nvmlDeviceGetHandleByPciBusId_v2", pciBusId.c_str(), &device) == kNvmlSuccess)
                devices_.push_back(device);
        }
    }
    ~Nvml() {
        if (initialised_) call("nvmlShutdown");
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    bool hasDevices() const { return !devices_.empty(); }

    GpuReading read() const {
        const double milliwattsPerWatt = 1000;
        const auto count = static_cast<double>(devices_.size());
        const auto bytes = [this](unsigned long long NvmlMemory::*member) {
            return sumOver<NvmlMemory, std::size_t>("nvmlDeviceGetMemoryInfo", 1, member);
        };
        const auto number = [this](const char* function, double divisor, auto... kind) {
            return sumOver<unsigned, double>(function, divisor, std::identity(), kind...);
        };
        return {sumOver<NvmlUtilization, double>("nvmlDeviceGetUtilizationRates", count,
                                                 &NvmlUtilization::gpu),
                bytes(&NvmlMemory::used),
                bytes(&NvmlMemory::free),
                number("nvmlDeviceGetClockInfo", count, kNvmlClockSm),
                number("nvmlDeviceGetPowerUsage", milliwattsPerWatt),
                number("nvmlDeviceGetTemperature", count, kNvmlTemperatureGpu)};
    }

  private:
    static void closeLibrary(void* library) {
        if (library != nullptr) dlclose(library);
    }

    /// Calls a function of NVML; returns a failure if the library lacks it.
    template <class... Arguments>
    int call(const char* name, Arguments... arguments) const {
        using Function = int (*)(Arguments...);
        const auto function = reinterpret_cast<Function>(dlsym(library_.get(), name));
        return function == nullptr ? kNvmlSuccess + 1 : function(arguments...);
    }

    /// Sums member(result) of a function over all devices, divided by `divisor`; nullopt if the
    /// function fails for any device.
    template <class Result, class Value, class Member, class... Kind>
    std::optional<Value> sumOver(const char* function, Value divisor, Member member,
                                 Kind... kind) const {
        Value total = 0;
        for (NvmlDevice device : devices_) {
            Result result{};
            if (call(function, device, kind..., &result) != kNvmlSuccess) return std::nullopt;
            total += static_cast<Value>(std::invoke(member, result));
        }
        return total / divisor;
    }

    std::unique_ptr<void, void (*)(void*)> library_;
    bool initialised_ = false;
    std::vector<NvmlDevice> devices_;
};

}  // namespace

std::string gpuReadingText(const GpuReading& reading) {
    constexpr double kGigabyte = 1e9;
    std::vector<std::string> parts;
    if (reading.utilisationPercent)
        parts.push_back(fmt::format("{:.0f} %", *reading.utilisationPercent));
    if (reading.usedBytes && reading.freeBytes) {
        const auto used = static_cast<double>(*reading.usedBytes);
        parts.push_back(fmt::format("{:.1f} of {:.1f} GB", used / kGigabyte,
                                    (used + static_cast<double>(*reading.freeBytes)) / kGigabyte));
    }
    if (reading.clockMegahertz) parts.push_back(fmt::format("{:.0f} MHz", *reading.clockMegahertz));
    if (reading.powerWatts) parts.push_back(fmt::format("{:.0f} W", *reading.powerWatts));
    if (reading.temperatureCelsius)
        parts.push_back(fmt::format("{:.0f} °C", *reading.temperatureCelsius));
    return parts.empty() ? "" : fmt::format("GPU {}", fmt::join(parts, ", "));
}

GpuMonitor::GpuMonitor(std::vector<std::string> pciBusIds, std::filesystem::path library,
                       std::chrono::milliseconds interval) {
    if (pciBusIds.empty()) return;
    thread_ = std::jthread(
        [this, pciBusIds = std::move(pciBusIds), library = std::move(library),
         interval](const std::stop_token& stop) { poll(stop, library, pciBusIds, interval); });
}

void GpuMonitor::poll(const std::stop_token& stop, const std::filesystem::path& library,
                      const std::vector<std::string>& pciBusIds,
                      std::chrono::milliseconds interval) {
    const Nvml nvml(library, pciBusIds);
    std::unique_lock lock(mutex_);
    while (nvml.hasDevices()) {
        changed_.wait_for(lock, stop, interval, [] { return false; });
        if (stop.stop_requested()) return;
        lock.unlock();
        const GpuReading reading = nvml.read();
        lock.lock();
        last_ = reading;
        if (!reading.utilisationPercent) continue;
        const double percent = *reading.utilisationPercent;
        utilisationSum_ += percent;
        utilisationMin_ = readingCount_ == 0 ? percent : std::min(utilisationMin_, percent);
        ++readingCount_;
    }
}

std::optional<GpuReading> GpuMonitor::last() const {
    const std::scoped_lock lock(mutex_);
    return last_;
}

std::optional<GpuUtilisation> GpuMonitor::utilisation() const {
    const std::scoped_lock lock(mutex_);
    if (readingCount_ == 0) return std::nullopt;
    return GpuUtilisation{utilisationSum_ / static_cast<double>(readingCount_), utilisationMin_,
                          readingCount_};
}

}  // namespace threefold
