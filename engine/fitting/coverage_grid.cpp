#include "engine/fitting/outline.h"

#include <algorithm>
#include <cmath>

#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

/// What a part of a line covers of its pixels: calls add(pixel, share) for each.
template <class Add>
void forPixelsOf(std::size_t part, double step, std::size_t side, const Add& add) {
    const double begin = step * static_cast<double>(part);
    const double end = step * static_cast<double>(part + 1);
    const auto last = std::min(static_cast<std::size_t>(std::ceil(end)), side);
    for (auto i = static_cast<std::size_t>(begin); i < last; ++i) {
        const auto at = static_cast<double>(i);
        add(i, static_cast<float>(std::min(at + 1, end) - std::max(at, begin)));
    }
}

/// Sums of `side`×`side` values over `parts`×`parts` squares, by the parts of pixels within.
std::vector<float> sumsOf(const std::vector<std::uint8_t>& values, std::size_t side,
                          std::size_t parts) {
    const double step = static_cast<double>(side) / static_cast<double>(parts);
    std::vector<float> sums(parts * parts);
    std::vector<float> row(side);
    for (std::size_t y = 0; y < parts; ++y) {
        std::fill(row.begin(), row.end(), 0.0F);
        forPixelsOf(y, step, side, [&](std::size_t from, float share) {
            const std::uint8_t* line = values.data() + from * side;
            for (std::size_t x = 0; x < side; ++x) row[x] += share * static_cast<float>(line[x]);
        });
        for (std::size_t x = 0; x < parts; ++x)
            forPixelsOf(x, step, side, [&](std::size_t from, float share) {
                sums[y * parts + x] += share * row[from];
            });
    }
    return sums;
}

/// Of 2×2 values each, for `side`×`side` results.
std::vector<float> meansOfFour(const std::vector<float>& values, std::size_t side) {
    std::vector<float> means(side * side);
    for (std::size_t y = 0; y < side; ++y) {
        const float* above = values.data() + 4 * side * y;
        const float* below = above + 2 * side;
        for (std::size_t x = 0; x < side; ++x)
            means[y * side + x] =
                (above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]) / 4;
    }
    return means;
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
    } else {
        const std::vector<float> reached = sumsOf(mask.known, side, parts);
        known_.clear();
        for (std::size_t i = 0; i < share_.size(); ++i) {
            known_.push_back(2 * reached[i] > area ? 1 : 0);
            share_[i] = known_[i] != 0 ? share_[i] / reached[i] : 0;
        }
    }
    const std::vector<float> known = known_.empty()
                                         ? std::vector<float>(share_.size(), 1)
                                         : std::vector<float>(known_.begin(), known_.end());
    cellShare_ = meansOfFour(share_, static_cast<std::size_t>(side_));
    cellKnown_ = meansOfFour(known, static_cast<std::size_t>(side_));
}

bool CoverageGrid::knows(glm::vec2 place) const {
    if (known_.empty()) return true;
    const auto row = static_cast<std::size_t>(static_cast<float>(samples_) * place.y);
    const auto column = static_cast<std::size_t>(static_cast<float>(samples_) * place.x);
    return known_[row * static_cast<std::size_t>(side_ * samples_) + column] != 0;
}

std::vector<float> CoverageGrid::less(const Mask& drawn) const {
    if (drawn.width == side_ && samples_ > 1) {
        std::vector<float> cells(cellShare_);
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] -= cellKnown_[i] * static_cast<float>(drawn.inside[i]);
        return cells;
    }
    std::vector<float> each(share_);
    for (std::size_t i = 0; i < each.size(); ++i) each[i] -= static_cast<float>(drawn.inside[i]);
    for (std::size_t i = 0; i < known_.size(); ++i) each[i] = known_[i] != 0 ? each[i] : 0;
    return samples_ == 1 ? each : meansOfFour(each, static_cast<std::size_t>(side_));
}

}  // namespace threefold::fitting
