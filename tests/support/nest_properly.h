#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/profile/span.h"

namespace threefold::test {

/// Whether every two spans of a lane are disjoint or nested, within a nanosecond. Viewers of traces
/// draw overlapping spans wrongly.
inline bool nestProperly(const Spans& spans) {
    constexpr double kRounding = 1e-6;  // milliseconds
    Spans sorted = spans;
    std::sort(sorted.begin(), sorted.end(), [](const Span& a, const Span& b) {
        return std::tuple(a.lane, a.begin, -a.duration) < std::tuple(b.lane, b.begin, -b.duration);
    });
    std::vector<double> ends;  // ends of the spans around the current one
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const Span& span = sorted[i];
        if (span.duration < 0) return false;
        if (i > 0 && sorted[i - 1].lane != span.lane) ends.clear();
        while (!ends.empty() && ends.back() <= span.begin + kRounding) ends.pop_back();
        if (!ends.empty() && span.end() > ends.back() + kRounding) return false;
        ends.push_back(span.end());
    }
    return true;
}

}  // namespace threefold::test
