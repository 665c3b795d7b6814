#include "engine/fitting/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/views/bilinear.h"
#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

constexpr std::array<glm::ivec2, 4> kSides = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

std::size_t pixelIndex(const Mask& mask, glm::ivec2 pixel) {
    return static_cast<std::size_t>(pixel.y) * static_cast<std::size_t>(mask.width) +
           static_cast<std::size_t>(pixel.x);
}

bool contains(const Mask& mask, glm::ivec2 pixel) {
    return pixel.x >= 0 && pixel.y >= 0 && pixel.x < mask.width && pixel.y < mask.height;
}

/// Returns a square mask of at most kMaxSide unchanged; resamples any other to a square, by nearest
/// neighbour.
Mask squareMask(const Mask& mask) {
    if (mask.width == mask.height && mask.width <= Outline::kMaxSide) return mask;
    const int side = std::clamp(std::max(mask.width, mask.height), kInputSide, Outline::kMaxSide);
    Mask square{side, side, {}};
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const glm::i64vec2 doubledCentre(2 * x + 1, 2 * y + 1);
            const std::size_t from =
                pixelIndex(mask, glm::ivec2(doubledCentre * glm::i64vec2(mask.width, mask.height) /
                                            glm::i64vec2(2 * side)));
            square.inside.push_back(mask.inside[from]);
            if (!mask.known.empty()) square.known.push_back(mask.known[from]);
        }
    return square;
}

/// 3×3 binomial filter. Without it, the line of distance 0 would follow the corners of the pixels.
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

/// A row of `side` pixels is divided into cells of `width` pixels. Calls add(pixel, coverage) for
/// each pixel that cell number `cell` overlaps; `coverage`: the overlapped fraction of the pixel.
template <class Add>
void forCoveredPixels(std::size_t cell, double width, std::size_t side, const Add& add) {
    const double begin = width * static_cast<double>(cell);
    const double end = width * static_cast<double>(cell + 1);
    const auto last = std::min(static_cast<std::size_t>(std::ceil(end)), side);
    for (auto i = static_cast<std::size_t>(begin); i < last; ++i) {
        const auto left = static_cast<double>(i);
        add(i, static_cast<float>(std::min(left + 1, end) - std::max(left, begin)));
    }
}

/// Sums of `side`×`side` pixel values over `cells`×`cells` squares, each value weighted by the
/// fraction of its pixel that the square covers.
std::vector<float> cellSums(const std::vector<std::uint8_t>& values, std::size_t side,
                            std::size_t cells) {
    const double width = static_cast<double>(side) / static_cast<double>(cells);
    std::vector<float> sums(cells * cells);
    std::vector<float> row(side);
    for (std::size_t y = 0; y < cells; ++y) {
        std::fill(row.begin(), row.end(), 0.0F);
        forCoveredPixels(y, width, side, [&](std::size_t from, float coverage) {
            const std::uint8_t* source = values.data() + from * side;
            for (std::size_t x = 0; x < side; ++x)
                row[x] += coverage * static_cast<float>(source[x]);
        });
        for (std::size_t x = 0; x < cells; ++x)
            forCoveredPixels(x, width, side, [&](std::size_t from, float coverage) {
                sums[y * cells + x] += coverage * row[from];
            });
    }
    return sums;
}

/// Means of 2×2 values each, for `side`×`side` results.
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

std::optional<Outline> Outline::of(const Mask& mask, std::size_t maxPoints) {
    if (mask.width < 2 || mask.height < 2) return std::nullopt;
    Mask tidy = squareMask(mask);
    removeSpecksAndHoles(tidy);
    const auto objectPixels =
        std::accumulate(tidy.inside.begin(), tidy.inside.end(), std::size_t{0});
    const auto unknownPixels = std::count(tidy.known.begin(), tidy.known.end(), std::uint8_t{0});
    if (objectPixels == 0 ||
        objectPixels + static_cast<std::size_t>(unknownPixels) == tidy.inside.size())
        return std::nullopt;
    Outline outline(std::move(tidy));
    outline.collectPoints(maxPoints);
    return outline;
}

Outline::Outline(Mask mask)
    : mask_(std::move(mask)),
      side_(mask_.width),
      pixelSize_(static_cast<float>(kInputSide) / static_cast<float>(side_)),
      distances_(signedDistances(mask_)) {
    for (float& distance : distances_) distance *= pixelSize_;
    constexpr int kSmoothings = 2;
    for (int pass = 0; pass < kSmoothings; ++pass) distances_ = smoothed(distances_, side_);
}

OutlineSample Outline::sample(glm::vec2 position) const {
    const auto [distance, gradient] =
        interpolated(distances_.data(), side_, bilinearCell(position / pixelSize_, side_));
    return {distance, gradient / pixelSize_};
}

void Outline::collectPoints(std::size_t maxPoints) {
    std::vector<glm::vec2> positions;
    for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) {
            if (mask_.inside[pixelIndex(mask_, {x, y})] == 0) continue;
            for (const glm::ivec2 side : kSides) {
                const glm::ivec2 neighbour = glm::ivec2(x, y) + side;
                if (!contains(mask_, neighbour) ||
                    mask_.inside[pixelIndex(mask_, neighbour)] != 0 ||
                    !mask_.isKnown(pixelIndex(mask_, neighbour)))
                    continue;
                positions.push_back(pixelSize_ * (glm::vec2(x, y) + 0.5F + 0.5F * glm::vec2(side)));
            }
        }
    if (positions.size() > maxPoints) {
        // The generator is fixed by the standard, std::shuffle is not.
        std::mt19937 random(1);
        for (std::size_t i = 0; i < maxPoints; ++i)
            std::swap(positions[i], positions[i + random() % (positions.size() - i)]);
        positions.resize(maxPoints);
    }
    for (const glm::vec2 position : positions) {
        // Differences over two pixels to each side: pixels of the mask, or of the 224×224
        // projection where the mask is finer. Across a shorter span the gradient follows the edges
        // of pixels and the errors of the cut-out.
        const float offset = 2 * std::max(pixelSize_, 1.0F);
        const glm::vec2 gradient(sample(position + glm::vec2(offset, 0)).distance -
                                     sample(position - glm::vec2(offset, 0)).distance,
                                 sample(position + glm::vec2(0, offset)).distance -
                                     sample(position - glm::vec2(0, offset)).distance);
        const float length = glm::length(gradient);
        if (length == 0) continue;
        const glm::vec2 normal = gradient / length;
        const float distance = std::clamp(sample(position).distance, -pixelSize_, pixelSize_);
        points_.push_back({position - distance * normal, normal});
    }
}

CoverageGrid::CoverageGrid(const Mask& mask)
    : side_(std::min(mask.width, kInputSide)),
      samplesPerSide_(mask.width > kInputSide ? 2 : 1),
      cellSize_(static_cast<float>(kInputSide) / static_cast<float>(side_)),
      known_(mask.known) {
    if (samplesPerSide_ == 1) {
        coverage_.assign(mask.inside.begin(), mask.inside.end());
        return;
    }
    const auto side = static_cast<std::size_t>(mask.width);
    const auto cells = static_cast<std::size_t>(side_ * samplesPerSide_);
    coverage_ = cellSums(mask.inside, side, cells);
    const float area = static_cast<float>(side * side) / static_cast<float>(cells * cells);
    if (known_.empty()) {
        for (float& coverage : coverage_) coverage /= area;
    } else {
        const std::vector<float> knownArea = cellSums(mask.known, side, cells);
        known_.clear();
        for (std::size_t i = 0; i < coverage_.size(); ++i) {
            known_.push_back(2 * knownArea[i] > area ? 1 : 0);
            coverage_[i] = known_[i] != 0 ? coverage_[i] / knownArea[i] : 0;
        }
    }
    const std::vector<float> known = known_.empty()
                                         ? std::vector<float>(coverage_.size(), 1)
                                         : std::vector<float>(known_.begin(), known_.end());
    cellCoverage_ = meansOfFour(coverage_, static_cast<std::size_t>(side_));
    cellKnown_ = meansOfFour(known, static_cast<std::size_t>(side_));
}

bool CoverageGrid::isKnown(glm::vec2 position) const {
    if (known_.empty()) return true;
    const auto row = static_cast<std::size_t>(static_cast<float>(samplesPerSide_) * position.y);
    const auto column = static_cast<std::size_t>(static_cast<float>(samplesPerSide_) * position.x);
    return known_[row * static_cast<std::size_t>(side_ * samplesPerSide_) + column] != 0;
}

std::vector<float> CoverageGrid::difference(const Mask& rendered) const {
    if (rendered.width == side_ && samplesPerSide_ > 1) {
        std::vector<float> cells(cellCoverage_);
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] -= cellKnown_[i] * static_cast<float>(rendered.inside[i]);
        return cells;
    }
    std::vector<float> samples(coverage_);
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] -= static_cast<float>(rendered.inside[i]);
    for (std::size_t i = 0; i < known_.size(); ++i) samples[i] = known_[i] != 0 ? samples[i] : 0;
    return samplesPerSide_ == 1 ? samples : meansOfFour(samples, static_cast<std::size_t>(side_));
}

}  // namespace threefold::fitting
