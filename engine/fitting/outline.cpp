#include "engine/fitting/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

constexpr std::array<glm::ivec2, 4> kSides = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

std::size_t indexOf(const Mask& mask, glm::ivec2 at) {
    return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(mask.width) +
           static_cast<std::size_t>(at.x);
}

bool holds(const Mask& mask, glm::ivec2 at) {
    return at.x >= 0 && at.y >= 0 && at.x < mask.width && at.y < mask.height;
}

/// The mask itself if it is square and small enough, else its pixels at the centres of a square's.
Mask squareMask(const Mask& mask) {
    if (mask.width == mask.height && mask.width <= Outline::kMostSide) return mask;
    const int side = std::clamp(std::max(mask.width, mask.height), kImageSize, Outline::kMostSide);
    Mask square{side, side, {}};
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const glm::i64vec2 middle(2 * x + 1, 2 * y + 1);
            const std::size_t from =
                indexOf(mask, glm::ivec2(middle * glm::i64vec2(mask.width, mask.height) /
                                         glm::i64vec2(2 * side)));
            square.inside.push_back(mask.inside[from]);
            if (!mask.known.empty()) square.known.push_back(mask.known[from]);
        }
    return square;
}

/// Binomial filter of 3×3: the outline between pixels no longer follows their corners.
std::vector<float> smoothed(const std::vector<float>& values, int size) {
    std::vector<float> result;
    result.reserve(values.size());
    const auto rowOf = [&](int y) {
        return values.data() + static_cast<std::size_t>(std::clamp(y, 0, size - 1)) *
                                   static_cast<std::size_t>(size);
    };
    for (int y = 0; y < size; ++y) {
        const float* above = rowOf(y - 1);
        const float* row = rowOf(y);
        const float* below = rowOf(y + 1);
        for (int x = 0; x < size; ++x) {
            const int before = std::max(x - 1, 0);
            const int after = std::min(x + 1, size - 1);
            const float sides = row[before] + row[after] + above[x] + below[x];
            const float corners = above[before] + above[after] + below[before] + below[after];
            result.push_back((4 * row[x] + 2 * sides + corners) / 16);
        }
    }
    return result;
}

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

std::optional<Outline> Outline::of(const Mask& mask, std::size_t mostPoints) {
    if (mask.width < 2 || mask.height < 2) return std::nullopt;
    Mask tidy = squareMask(mask);
    removeSpecks(tidy);
    const auto object = std::accumulate(tidy.inside.begin(), tidy.inside.end(), std::size_t{0});
    const auto unknown = std::count(tidy.known.begin(), tidy.known.end(), std::uint8_t{0});
    if (object == 0 || object + static_cast<std::size_t>(unknown) == tidy.inside.size())
        return std::nullopt;
    Outline outline(std::move(tidy));
    outline.collectPoints(mostPoints);
    return outline;
}

Outline::Outline(Mask mask)
    : mask_(std::move(mask)),
      size_(mask_.width),
      pixel_(static_cast<float>(kImageSize) / static_cast<float>(size_)),
      distance_(signedDistances(mask_)) {
    for (float& distance : distance_) distance *= pixel_;
    constexpr int kSmoothings = 2;
    for (int pass = 0; pass < kSmoothings; ++pass) distance_ = smoothed(distance_, size_);
}

OutlineDistanceAt Outline::at(glm::vec2 place) const {
    const auto last = static_cast<float>(size_ - 1);
    const glm::vec2 within = glm::clamp(place / pixel_ - 0.5F, glm::vec2(0), glm::vec2(last));
    const int x = std::min(static_cast<int>(within.x), size_ - 2);
    const int y = std::min(static_cast<int>(within.y), size_ - 2);
    const glm::vec2 part = within - glm::vec2(x, y);
    const auto size = static_cast<std::size_t>(size_);
    const float* corner =
        distance_.data() + static_cast<std::size_t>(y) * size + static_cast<std::size_t>(x);
    const float above = glm::mix(corner[0], corner[1], part.x);
    const float below = glm::mix(corner[size], corner[size + 1], part.x);
    const glm::vec2 slope(glm::mix(corner[1] - corner[0], corner[size + 1] - corner[size], part.y),
                          below - above);
    return {glm::mix(above, below, part.y), slope / pixel_};
}

void Outline::collectPoints(std::size_t most) {
    std::vector<glm::vec2> places;
    for (int y = 0; y < size_; ++y)
        for (int x = 0; x < size_; ++x) {
            if (mask_.inside[indexOf(mask_, {x, y})] == 0) continue;
            for (const glm::ivec2 side : kSides) {
                const glm::ivec2 next = glm::ivec2(x, y) + side;
                if (!holds(mask_, next) || mask_.inside[indexOf(mask_, next)] != 0 ||
                    !mask_.knows(indexOf(mask_, next)))
                    continue;
                places.push_back(pixel_ * (glm::vec2(x, y) + 0.5F + 0.5F * glm::vec2(side)));
            }
        }
    if (places.size() > most) {
        // The generator is fixed by the standard, std::shuffle is not.
        std::mt19937 random(1);
        for (std::size_t i = 0; i < most; ++i)
            std::swap(places[i], places[i + random() % (places.size() - i)]);
        places.resize(most);
    }
    for (const glm::vec2 place : places) {
        // Over two pixels each way, of the projection where the mask's are finer: nearer, the slope
        // is that of the pixels' edges, and of the cut-out's.
        const float reach = 2 * std::max(pixel_, 1.0F);
        const glm::vec2 slope(
            at(place + glm::vec2(reach, 0)).distance - at(place - glm::vec2(reach, 0)).distance,
            at(place + glm::vec2(0, reach)).distance - at(place - glm::vec2(0, reach)).distance);
        const float steepness = glm::length(slope);
        if (steepness == 0) continue;
        const glm::vec2 normal = slope / steepness;
        const float off = std::clamp(at(place).distance, -pixel_, pixel_);
        points_.push_back({place - off * normal, normal});
    }
}

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
