#include "ui/document/histogram.h"

#include <algorithm>

#include "ui/document/value_range.h"

namespace threefold::ui {

std::vector<float> histogram(const std::vector<float>& sorted, const render::ValueColours& axis,
                             std::size_t bins) {
    std::vector<float> counts(bins, 0.0F);
    auto from = std::lower_bound(sorted.begin(), sorted.end(), axis.lowest);
    float fullest = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const bool last = bin + 1 == bins;
        const float end = valueAt(static_cast<float>(bin + 1) / static_cast<float>(bins), axis);
        const auto to = last ? std::upper_bound(from, sorted.end(), axis.highest)
                             : std::lower_bound(from, sorted.end(), end);
        counts[bin] = static_cast<float>(to - from);
        fullest = std::max(fullest, counts[bin]);
        from = to;
    }
    if (fullest > 0) {
        for (float& count : counts) count /= fullest;
    }
    return counts;
}

}  // namespace threefold::ui
