#include "engine/network/batch_limit.h"

#include <algorithm>

#include "engine/error.h"

namespace threefold {

BatchLimit::BatchLimit(std::size_t largest) : largest_(largest), size_(largest) {
    if (largest == 0) throw InputError({"batch size", "", "is 0", "Choose 1 or more."});
}

void BatchLimit::ran(std::size_t samples) {
    if (samples < size_ || (size_ == largest_ && !onTrial_) || ++full_ < wait_) return;
    full_ = 0;
    if (onTrial_) wait_ = kFirstWait;
    onTrial_ = size_ < largest_;
    size_ = std::min(2 * size_, largest_);
}

void BatchLimit::outOfMemory(std::size_t samples) {
    size_ = std::max<std::size_t>(1, std::min(size_, samples / 2));
    if (onTrial_) wait_ = std::min(2 * wait_, kLongestWait);
    onTrial_ = false;
    full_ = 0;
}

}  // namespace threefold
