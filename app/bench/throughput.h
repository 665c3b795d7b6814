#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/network/service/network_service.h"

namespace threefold {

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

struct ThroughputOptions {
    std::vector<int> batches;  ///< sizes to try, in this order
    double seconds = 2;        ///< counted time of each size, at least
    int warmup = 1;            ///< uncounted batches before that
    /// Batches given before the first is taken; 0: as many as the network takes.
    std::size_t pending = 0;
};

/// The batch sizes worth measuring: on a device up to 64, else 1 and 2.
std::vector<int> usualBatches(bool device);

/// Meshes a second from decoded views to meshes in main memory. Takes the inputs in turn until a
/// batch is full. A size for which the device has too little memory ends the sweep with a row that
/// notes it. `measured` gets each row as it is measured. Throws as Ticket::collect() does.
ThroughputResult measureThroughput(NetworkService& network, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options, const std::stop_token& cancel,
                                   const std::function<void(const ThroughputRow&)>& measured);

}  // namespace threefold
