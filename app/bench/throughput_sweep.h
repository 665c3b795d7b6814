#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/network/service/network_service.h"

namespace threefold {

/// Measurement of one batch size.
struct ThroughputRow {
    int batch = 0;
    int runs = 0;                   ///< counted batches; 0: the size could not be run
    double medianMilliseconds = 0;  ///< of a batch
    double meshesPerSecond = 0;     ///< over the whole counted time
    std::string problem;            ///< why the size could not be run; empty: no problem
};

/// Measured throughput of several batch sizes.
struct ThroughputResult {
    std::vector<ThroughputRow> rows;
    /// Row with the most meshes a second; null if none could be run.
    const ThroughputRow* best() const;
};

/// Batch sizes to measure, and how long.
struct ThroughputOptions {
    std::vector<int> batches;  ///< sizes to try, in this order
    double seconds = 2;        ///< minimum counted time of each size
    int warmup = 1;            ///< warm-up batches, not counted
    /// Batches begun before the first is collected; 0: the network's maximum.
    std::size_t pending = 0;
};

/// Batch sizes to measure: up to 64 on a GPU, else 1 and 2.
std::vector<int> defaultBatchSizes(bool onGpu);

/// Measures meshes a second from decoded views to meshes in main memory. Fills batches from the
/// inputs in turn. If the device runs out of memory, the sweep ends with a row that says so. Calls
/// `measured` with each row. Throws as BatchFuture::collect().
ThroughputResult measureThroughput(NetworkService& network, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options, const std::stop_token& cancel,
                                   const std::function<void(const ThroughputRow&)>& measured);

}  // namespace threefold
