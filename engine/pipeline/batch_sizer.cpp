#include "engine/pipeline/batch_sizer.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace threefold {
namespace {

/// Fraction of a single sample's time that a batch of two saves per sample, if half of that time is
/// a fixed time per batch.
constexpr double kExpectedFirstSaving = 0.25;

}  // namespace

std::size_t BatchSizer::nextSize(std::size_t remaining, std::size_t limit) const {
    const std::size_t bound = std::max<std::size_t>(1, std::min({maxSize_, limit, remaining}));
    const auto largest = static_cast<std::size_t>(std::bit_width(bound)) - 1;
    std::size_t doublings = 0;
    while (doublings < largest && timings_[doublings].isComplete()) {
        const Timing& larger = timings_[doublings + 1];
        if (larger.batchCount == 0 && !isWorthwhile(doublings + 1, remaining)) break;
        if (larger.isComplete() &&
            sampleMilliseconds(doublings + 1) > (1.0 - kMinGain) * sampleMilliseconds(doublings))
            break;
        ++doublings;
    }
    return std::size_t{1} << doublings;
}

void BatchSizer::record(std::size_t size, double milliseconds) {
    if (!std::has_single_bit(size)) return;
    const auto doublings = static_cast<std::size_t>(std::bit_width(size)) - 1;
    Timing& timing = timings_[doublings];
    if (timing.isComplete()) {
        if (++batchesSinceCheck_ >= batchesBetweenChecks_) timeAgain(doublings);
        return;
    }
    if (timing.batchCount == 0)
        timing.firstMilliseconds = milliseconds;
    else
        timing.milliseconds[timing.batchCount - 1] = milliseconds;
    ++timing.batchCount;
    // The device's preparation for a size (a graph capture) is measured only when a size above 1 is
    // first timed: for size 1 the device may have prepared before the list began, and for a size
    // that is timed again it has prepared already.
    if (timing.isComplete() && size > 1 && !std::exchange(timing.prepared, true))
        preparationMilliseconds_ =
            std::max(0.0, timing.firstMilliseconds - timing.batchMilliseconds());
}

void BatchSizer::timeAgain(std::size_t doublings) {
    batchesSinceCheck_ = 0;
    batchesBetweenChecks_ *= 2;
    timings_[doublings].batchCount = 1;
    if (doublings + 1 == timings_.size()) return;
    std::size_t& larger = timings_[doublings + 1].batchCount;
    larger = std::min<std::size_t>(larger, 1);
}

double BatchSizer::Timing::batchMilliseconds() const {
    std::array<double, kTimedBatches> sorted = milliseconds;
    std::ranges::sort(sorted);
    return std::accumulate(sorted.begin() + 1, sorted.end() - 1, 0.0) /
           static_cast<double>(sorted.size() - 2);
}

double BatchSizer::sampleMilliseconds(std::size_t doublings) const {
    return timings_[doublings].batchMilliseconds() /
           static_cast<double>(std::size_t{1} << doublings);
}

bool BatchSizer::isWorthwhile(std::size_t doublings, std::size_t remaining) const {
    // Assumes a fixed time per batch plus a time per sample: then each doubling saves half as much
    // per sample as the one before.
    const double smaller = sampleMilliseconds(doublings - 1);
    const double saving = doublings == 1 ? kExpectedFirstSaving * smaller
                                         : (sampleMilliseconds(doublings - 2) - smaller) / 2;
    return saving * static_cast<double>(remaining) > preparationMilliseconds_;
}

}  // namespace threefold
