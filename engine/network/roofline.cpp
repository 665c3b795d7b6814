#include "engine/network/roofline.h"

#include <algorithm>
#include <vector>

#include "engine/network/onednn.h"

namespace threefold {

double measureProductRate(int threads, int repeats) {
    const onednn::ThreadLimit limit(threads);
    std::vector<double> seconds =
        onednn::timeProduct({kProductRows, kProductInner, kProductOuter}, std::max(repeats, 1));
    std::ranges::sort(seconds);
    const double flop = 2.0 * kProductRows * kProductInner * kProductOuter;
    return flop / seconds[seconds.size() / 2] * 1e-9;
}

}  // namespace threefold
