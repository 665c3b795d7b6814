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

/// NVIDIA's management library, which comes with its driver.
inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

/// What the driver says of GPUs just now: of several, means and sums. What it does not say is
/// absent, such as the utilisation of a part of a GPU (MIG).
struct GaugeReading {
    std::optional<double> utilisation;      ///< %, mean
    std::optional<std::size_t> memoryUsed;  ///< bytes by all processes, sum
    std::optional<std::size_t> memoryFree;  ///< bytes, sum
    std::optional<double> megahertz;        ///< of the multiprocessors, mean
    std::optional<double> watts;            ///< sum
    std::optional<double> celsius;          ///< mean
};

/// "GPU 87 %, 12.3 of 79.6 GB, 1980 MHz, 412 W, 61 °C"; empty where nothing is known.
std::string gaugesText(const GaugeReading& reading);

/// Of all readings of a run that told it; in %.
struct GpuUtilisation {
    double mean = 0;
    double lowest = 0;
    std::size_t readings = 0;
};

/// Reads the gauges of GPUs again and again, on a thread of its own, until it is destroyed. Where
/// there is no such library, or no such GPU, there are no readings. Thread-safe.
class GaugeWatch {
  public:
    /// `buses`: the GPUs' places on the PCI bus (NetworkInfo::buses); none: no thread. The first
    /// reading comes after one `interval`, so that idle time before the work does not count.
    explicit GaugeWatch(std::vector<std::string> buses,
                        std::filesystem::path library = kNvmlLibrary,
                        std::chrono::milliseconds interval = std::chrono::milliseconds(500));

    std::optional<GaugeReading> last() const;
    std::optional<GpuUtilisation> utilisation() const;

  private:
    void watch(const std::stop_token& stop, const std::filesystem::path& library,
               const std::vector<std::string>& buses, std::chrono::milliseconds interval);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<GaugeReading> last_;
    GpuUtilisation utilisation_;  ///< its mean is a sum
    std::jthread thread_;         ///< last: it uses all above
};

}  // namespace threefold
