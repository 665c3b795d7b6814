#include "tests/cuda/emulation/ready_threads.h"

#include <algorithm>
#include <utility>

namespace threefold::cuda::emulation {

void ReadyThreads::begin(const std::vector<std::unique_ptr<Block>>& blocks) {
    std::vector<std::pair<Block*, unsigned>> warps;
    for (const auto& block : blocks) {
        for (unsigned w = 0; w < block->warps.size(); ++w) warps.emplace_back(block.get(), w);
    }
    if (seed_ > 1) random_.shuffle(warps);
    for (const auto& [block, w] : warps) {
        const auto end = std::min<std::size_t>(block->threads.size(), (w + 1) * kLanes);
        std::vector<Thread*> lanes;
        for (std::size_t t = w * kLanes; t < end; ++t) lanes.push_back(&block->threads[t]);
        if (seed_ > 1) random_.shuffle(lanes);
        threads_.insert(threads_.end(), lanes.begin(), lanes.end());
    }
    if (seed_ == 1) std::reverse(threads_.begin(), threads_.end());
}

Thread* ReadyThreads::take() {
    // Odd seeds above 1 take the newest ready thread, so that a warp runs as far as it can. Even
    // seeds above 1 take any ready thread.
    if (seed_ > 1 && seed_ % 2 == 1) {
        Thread* const newest = threads_.back();
        threads_.pop_back();
        return newest;
    }
    if (seed_ > 1) {
        std::swap(threads_[first_], threads_[first_ + random_.below(threads_.size() - first_)]);
    }
    Thread* const next = threads_[first_++];
    if (first_ == threads_.size()) {
        threads_.clear();
        first_ = 0;
    }
    return next;
}

}  // namespace threefold::cuda::emulation
