#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

struct ThroughputOptions {
    std::vector<int> batches;  ///< sizes to try, in this order
    double seconds = 2;        ///< counted time of each size, at least
    int warmup = 1;            ///< uncounted batches before that
};

/// One size of batch.
struct ThroughputRow {
    int batch = 0;
    int runs = 0;          ///< counted batches; 0: it could not be run
    double medianMs = 0;   ///< of a batch
    double perSecond = 0;  ///< meshes, over the whole counted time
    std::string problem;   ///< why it could not be run; empty: it was
};

struct ThroughputResult {
    std::vector<ThroughputRow> rows;
    /// The size with the most meshes a second; null where none could be run.
    const ThroughputRow* best() const;
};

/// Meshes a second through Backend::reconstructBatch, views already decoded: `inputs` are taken in
/// turn until a batch is full. A size for which the device has too little memory ends the sweep
/// with a row that says so. Throws what reconstructBatch throws otherwise, InputError without
/// inputs, and Cancelled.
ThroughputResult measureThroughput(Backend& backend, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options, const std::stop_token& cancel);

}  // namespace threefold
