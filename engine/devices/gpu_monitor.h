#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace threefold {

/// NVIDIA's management library (NVML), part of the driver.
inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

/// Current readings of one or several GPUs, as means and sums. A value that the driver does not
/// report is absent, such as the utilisation of a MIG instance.
struct GpuReading {
    std::optional<double> utilisationPercent;  ///< utilisation in %, mean
    std::optional<std::size_t> usedBytes;      ///< bytes in use by all processes, sum
    std::optional<std::size_t> freeBytes;      ///< free bytes, sum
    std::optional<double> clockMegahertz;      ///< clock rate of the multiprocessors, mean
    std::optional<double> powerWatts;          ///< electrical power, sum
    std::optional<double> temperatureCelsius;  ///< temperature, mean
};

/// "GPU 87 %, 12.3 of 79.6 GB, 1980 MHz, 412 W, 61 °C"; empty without values.
std::string gpuReadingText(const GpuReading& reading);

/// Utilisation over all readings that contain it.
struct GpuUtilisation {
    double meanPercent = 0;
    double minPercent = 0;
    std::size_t readingCount = 0;
};

/// Reads the GPUs' sensors at intervals, on its own thread, until it is destroyed. If the library
/// is missing or knows none of the GPUs, there are no readings. Thread-safe.
class GpuMonitor {
  public:
    /// `pciBusIds`: the GPUs' PCI bus ids (NetworkInfo::pciBusIds); empty: no thread. The first
    /// reading comes after one `interval`, so that idle time before the work does not count.
    explicit GpuMonitor(std::vector<std::string> pciBusIds,
                        std::filesystem::path library = kNvmlLibrary,
                        std::chrono::milliseconds interval = std::chrono::milliseconds(500));

    std::optional<GpuReading> last() const;
    std::optional<GpuUtilisation> utilisation() const;

  private:
    void poll(const std::stop_token& stop, const std::filesystem::path& library,
              const std::vector<std::string>& pciBusIds, std::chrono::milliseconds interval);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<GpuReading> last_;
    double utilisationSum_ = 0;  ///< over all readings
    double utilisationMin_ = 0;
    std::size_t readingCount_ = 0;
    std::jthread thread_;  ///< last: uses all members above
};

}  // namespace threefold
