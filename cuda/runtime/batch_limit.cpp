#include "cuda/runtime/batch_limit.h"

#include <algorithm>
#include <stdexcept>

namespace threefold::cuda {

BatchLimit::BatchLimit(std::size_t maxSize) : maxSize_(maxSize), size_(maxSize) {
    if (maxSize == 0) throw std::logic_error("BatchLimit: the maximum batch size is 0");
}

void BatchLimit::recordSuccess(std::size_t samples) {
    if (samples < size_ || (size_ == maxSize_ && !isProbing_) || ++fullBatchCount_ < batchesToGrow_)
        return;
    fullBatchCount_ = 0;
    if (isProbing_) batchesToGrow_ = kFirstWait;
    isProbing_ = size_ < maxSize_;
    size_ = std::min(2 * size_, maxSize_);
}

void BatchLimit::recordOutOfMemory(std::size_t samples) {
    size_ = std::max<std::size_t>(1, std::min(size_, samples / 2));
    if (isProbing_) batchesToGrow_ = std::min(2 * batchesToGrow_, kMaxWait);
    isProbing_ = false;
    fullBatchCount_ = 0;
}

}  // namespace threefold::cuda
