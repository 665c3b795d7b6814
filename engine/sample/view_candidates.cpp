#include "engine/sample/view_candidates.h"

#include <algorithm>
#include <utility>

#include "engine/error.h"

namespace threefold {
namespace {

Mask shrunk(Mask mask) {
    if (mask.width <= kImageSize && mask.height <= kImageSize) return mask;
    Mask small{std::min(mask.width, kImageSize), std::min(mask.height, kImageSize), {}};
    for (int y = 0; y < small.height; ++y) {
        const auto row = static_cast<std::size_t>((2 * y + 1) * mask.height / (2 * small.height));
        for (int x = 0; x < small.width; ++x) {
            const auto column =
                static_cast<std::size_t>((2 * x + 1) * mask.width / (2 * small.width));
            small.inside.push_back(
                mask.inside[row * static_cast<std::size_t>(mask.width) + column]);
        }
    }
    return small;
}

}  // namespace

std::vector<ViewCandidate> viewCandidates(const Sample& sample, const ViewReader& read,
                                          const std::stop_token& cancel) {
    std::vector<ViewCandidate> candidates;
    for (std::size_t i = 0; i < sample.viewCount(); ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        if (sample.images[i].empty()) continue;
        if (sample.photos && !sample.photos->views[i].problem.empty()) continue;
        ViewCandidate candidate{static_cast<int>(i), sample.cameraRows[i], {}};
        try {
            candidate.mask = foregroundOf(read(sample, candidate.view));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            continue;
        }
        if (candidate.mask) candidate.mask = shrunk(std::move(*candidate.mask));
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

}  // namespace threefold
