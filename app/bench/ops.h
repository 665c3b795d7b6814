#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

struct OpsOptions {
    int runs = 20;
    int warmup = 3;
    std::size_t first = 2466;   ///< points: vertices of a mesh
    std::size_t second = 6500;  ///< points: a truth
    int batch = 1;              ///< pairs of clouds in one call
};

/// One operation on such clouds.
struct OpRow {
    std::string name;
    std::string description;
    double medianMs = 0;  ///< of the work alone, see NearestBatch
    double p95Ms = 0;
    double callMs = 0;     ///< median with all around it: transfers, waiting
    double flop = 0;       ///< additions and multiplications on all pairs, exponentials and roots 1
    double bytes = 0;      ///< clouds in and results out, once
    double error = 0;      ///< largest difference from the processor's result, relative to the
                           ///< squared extent (nearest) or the extent (matching)
    double gapOfCost = 0;  ///< matching: gap ÷ cost, the largest of the batch

    double teraflops() const;
    double gigabytesPerSecond() const;
};

/// Nearest neighbours both ways and the matching, through the backend's services, on shells of
/// points that are the same every time. Throws what the services throw, and Cancelled.
std::vector<OpRow> measureOps(Backend& backend, const OpsOptions& options,
                              const std::stop_token& cancel);

}  // namespace threefold
