#include "engine/fitting/coverage_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

/// Sums of `side`×`side` values over `parts`×`parts` equal squares, by the parts of the values'
/// pixels within them. Along rows, then with rows and columns exchanged once more.
std::vector<float> sumsOf(const std::vector<std::uint8_t>& values, std::size_t side,
                          std::size_t parts) {
    const auto along = [&](const auto& from, std::size_t rows) {
        std::vector<float> sums(parts * rows);
        const double step = static_cast<double>(side) / static_cast<double>(parts);
        for (std::size_t part = 0; part < parts; ++part) {
            const double begin = step * static_cast<double>(part);
            const double end = step * static_cast<double>(part + 1);
            const auto last = std::min(static_cast<std::size_t>(std::ceil(end)), side);
            for (auto x = static_cast<std::size_t>(begin); x < last; ++x) {
                const auto at = static_cast<double>(x);
                const auto weight = static_cast<float>(std::min(at + 1, end) - std::max(at, begin));
                for (std::size_t y = 0; y < rows; ++y)
                    sums[part * rows + y] += weight * static_cast<float>(from[y * side + x]);
            }
        }
        return sums;  // (parts, rows)
    };
    return along(along(values, side), parts);
}

}  // namespace

CoverageGrid::CoverageGrid(const Mask& mask)
    : side_(std::min(mask.width, kImageSize)),
      samples_(mask.width > kImageSize ? 2 : 1),
      pixel_(static_cast<float>(kImageSize) / static_cast<float>(side_)),
      known_(mask.known) {
    if (samples_ == 1) {
        share_.assign(mask.inside.begin(), mask.inside.end());
        return;
    }
    const auto side = static_cast<std::size_t>(mask.width);
    const auto parts = static_cast<std::size_t>(side_ * samples_);
    share_ = sumsOf(mask.inside, side, parts);
    const float area = static_cast<float>(side * side) / static_cast<float>(parts * parts);
    if (known_.empty()) {
        for (float& share : share_) share /= area;
        return;
    }
    const std::vector<float> reached = sumsOf(mask.known, side, parts);
    known_.clear();
    for (std::size_t i = 0; i < share_.size(); ++i) {
        known_.push_back(2 * reached[i] > area ? 1 : 0);
        share_[i] = known_[i] != 0 ? share_[i] / reached[i] : 0;
    }
}

std::vector<float> CoverageGrid::less(const Mask& drawn) const {
    const auto side = static_cast<std::size_t>(side_);
    const auto samples = static_cast<std::size_t>(samples_);
    const auto each = 1 / static_cast<float>(samples * samples);
    std::vector<float> difference(side * side, 0);
    for (std::size_t y = 0; y < side * samples; ++y) {
        for (std::size_t x = 0; x < side * samples; ++x) {
            const std::size_t i = y * side * samples + x;
            if (!knows(i)) continue;
            difference[y / samples * side + x / samples] +=
                each * (share_[i] - static_cast<float>(drawn.inside[i]));
        }
    }
    return difference;
}

}  // namespace threefold::fitting
