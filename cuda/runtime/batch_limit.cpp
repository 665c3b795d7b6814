#include "cuda/runtime/batch_limit.h"

#include <algorithm>

#include "engine/error.h"

namespace threefold::cuda {

BatchLimit::BatchLimit(std::size_t largest) : largest_(largest), size_(largest) {
    if (largest == 0) throw InputError({"batch size", "", "is 0", "Choose 1 or more."});
}

void BatchLimit::recordSuccess(std::size_t samples) {
    if (samples < size_ || (size_ == largest_ && !onTrial_) || ++fullBatches_ < waitBatches_)
        return;
    fullBatches_ = 0;
    if (onTrial_) waitBatches_ = kFirstWait;
    onTrial_ = size_ < largest_;
    size_ = std::min(2 * size_, largest_);
}

void BatchLimit::recordOutOfMemory(std::size_t samples) {
    size_ = std::max<std::size_t>(1, std::min(size_, samples / 2));
    if (onTrial_) waitBatches_ = std::min(2 * waitBatches_, kMaxWait);
    onTrial_ = false;
    fullBatches_ = 0;
}

}  // namespace threefold::cuda
