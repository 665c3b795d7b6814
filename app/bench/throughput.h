#pragma once

#include <string>
#include <vector>

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

}  // namespace threefold
