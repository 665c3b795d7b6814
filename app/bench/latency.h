#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/sample/sample.h"

namespace threefold {

struct LatencyOptions {
    int runs = 20;
    int warmup = 3;         ///< runs before the counted ones
    bool roofline = false;  ///< compare with oneDNN products on the processor
    int threads = 0;        ///< for the roofline's products; 0: all
    std::vector<int> views;
};

/// One line of the table: a stage, or the sum of the network's.
struct LatencyRow {
    std::string name;
    std::string_view description;
    double medianMs = 0;
    double p95Ms = 0;
    double multiplyAddFlop = 0;           ///< 0: nothing worth counting
    double leastBytes = 0;                ///< see leastBytes()
    std::optional<double> productsMs;     ///< the same work as oneDNN float32 products
    std::optional<double> ratio() const;  ///< median ÷ productsMs

    double teraflops() const;           ///< multiplyAddFlop ÷ median; 0 where there are none
    double gigabytesPerSecond() const;  ///< leastBytes ÷ median
};

struct LatencyResult {
    std::vector<LatencyRow> stages;  ///< `load` first
    /// All stages but `load`: their sum, or the time on the wall where the backend gives that.
    LatencyRow network;
    double gigaflops = 0;  ///< of the products; 0 without a roofline
};

/// Reconstructs the sample again and again, decoding its images each time. Throws what loadViews
/// and Backend::reconstruct throw, and Cancelled.
LatencyResult measureLatency(Backend& backend, const Sample& sample, const LatencyOptions& options,
                             const std::stop_token& cancel);

/// The value below which `share` (0…1) of the values lie, interpolated between neighbours.
/// `values` must not be empty.
double quantile(std::vector<double> values, double share);

}  // namespace threefold
