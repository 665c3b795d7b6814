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

std::logic_error tooManyUnfinishedBatchesError() {
    return std::logic_error("a back end's caller began a batch before it finished an earlier one");
}

std::logic_error noUnfinishedBatchError() {
    return std::logic_error("a back end's caller finished a batch without having begun one");
}

}  // namespace threefold
