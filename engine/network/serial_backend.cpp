#include "engine/network/serial_backend.h"

#include <utility>

namespace threefold {

void SerialBackend::begin(std::span<const NetworkInput> inputs, const BatchOptions& options) {
    if (hasBatch_) throw tooManyUnfinishedBatchesError();
    inputs_ = inputs;
    options_ = options;
    hasBatch_ = true;
}

std::vector<Reconstruction> SerialBackend::finish() {
    if (!std::exchange(hasBatch_, false)) throw noUnfinishedBatchError();
    const BatchOptions options = std::exchange(options_, {});
    std::vector<Reconstruction> results;
    results.reserve(inputs_.size());
    for (const NetworkInput& input : inputs_) results.push_back(compute(input, options));
    return results;
}

}  // namespace threefold
