#include "engine/network/backend.h"

#include <utility>

namespace threefold {

std::vector<Reconstruction> Backend::reconstructBatch(std::span<const NetworkInput> inputs,
                                                      const BatchOptions& options) {
    begin(inputs, options);
    return finish();
}

Reconstruction Backend::reconstruct(const NetworkInput& input, const BatchOptions& options) {
    return std::move(reconstructBatch({&input, 1}, options).front());
}

InputError noUnfinishedBatchError() {
    return InputError({"batch", "", "none is begun", "Begin one before."});
}

}  // namespace threefold
