#include "engine/stereo/semi_global.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/error.h"

namespace threefold::stereo {
namespace {

constexpr std::int16_t kFar = 0x3FFF;  ///< above all path costs, and far from overflow
constexpr float kPaths = 8;

/// Costs of one path at one pixel, padded with large values.
class PathCosts {
  public:
    explicit PathCosts(std::size_t stride) : costs_(stride + 2 * simd::kLabelLanes, kFar) {}

    std::int16_t* costsOfLabels() { return costs_.data() + simd::kLabelLanes; }
    std::int16_t minimum = 0;
    bool isActive = false;  ///< whether the path passes through this pixel

  private:
    std::vector<std::int16_t> costs_;
};

class Aggregation {
  public:
    Aggregation(const CostVolume& volume, std::span<const float> searchDepths,
                double maxSearchDepthStep, const SmoothnessOptions& options,
                const simd::SweepKernels& kernels, const std::stop_token& cancel)
        : volume_(volume),
          searchDepths_(searchDepths),
          maxSearchDepthStep_(maxSearchDepthStep),
          options_(options),
          kernels_(kernels),
          cancel_(cancel),
          start_(volume.stride),
          sums_(volume.cost.size()) {
        std::fill_n(start_.costsOfLabels(), volume.stride, std::int16_t{0});
    }

    Labelling run() {
        sweepRows(1);
        sweepRows(-1);
        return labelling();
    }

  private:
    /// Aggregates four paths: along the rows in `direction` (±1), and from the previous row,
    /// straight and along both diagonals.
    void sweepRows(int direction) {
        const int side = volume_.side;
        const auto columns = static_cast<std::size_t>(side) + 2;  // one more at each end
        std::vector<std::array<PathCosts, 3>> previousRow(columns, {start_, start_, start_});
        std::vector<std::array<PathCosts, 3>> current = previousRow;
        for (int i = 0; i < side; ++i) {
            if (cancel_.stop_requested()) throw Cancelled();
            const int row = direction > 0 ? i : side - 1 - i;
            std::array<PathCosts, 2> along{start_, start_};
            along[0].isActive = false;
            for (int j = 0; j < side; ++j) {
                const int column = direction > 0 ? j : side - 1 - j;
                const auto cell = static_cast<std::size_t>(column) + 1;
                PathCosts& next = along[static_cast<std::size_t>(j) % 2];
                PathCosts& previous = along[static_cast<std::size_t>(j + 1) % 2];
                const std::size_t pixel = index(column, row);
                if (volume_.costRowOfPixel[pixel] < 0) {
                    next.isActive = false;
                    for (PathCosts& path : current[cell]) path.isActive = false;
                    continue;
                }
                advance(previous, pixel, column - direction, row, next);
                for (std::size_t path = 0; path < 3; ++path) {
                    const int from = column + static_cast<int>(path) - 1;
                    advance(previousRow[static_cast<std::size_t>(from) + 1][path], pixel, from,
                            row - direction, current[cell][path]);
                }
            }
            std::swap(previousRow, current);
        }
    }

    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(volume_.side) +
               static_cast<std::size_t>(column);
    }

    void advance(PathCosts& previous, std::size_t pixel, int fromColumn, int fromRow,
                 PathCosts& next) {
        const std::size_t offset =
            static_cast<std::size_t>(volume_.costRowOfPixel[pixel]) * volume_.stride;
        PathCosts& from = previous.isActive ? previous : start_;
        int p1 = options_.p1;
        int p2 = options_.p2;
        if (previous.isActive) {
            const float difference =
                searchDepths_[pixel] - searchDepths_[index(fromColumn, fromRow)];
            if (std::abs(difference) > maxSearchDepthStep_) p2 /= 4;
            p1 = std::min(p1, p2);
        }
        next.minimum =
            kernels_.aggregatePathStep(&volume_.cost[offset], from.costsOfLabels(), from.minimum,
                                       static_cast<std::int16_t>(p1), static_cast<std::int16_t>(p2),
                                       next.costsOfLabels(), &sums_[offset], volume_.stride);
        next.isActive = true;
    }

    Labelling labelling() const {
        const std::size_t pixels = volume_.costRowOfPixel.size();
        Labelling result{std::vector<float>(pixels, -1.0F), std::vector<float>(pixels),
                         std::vector<float>(pixels)};
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            if (volume_.costRowOfPixel[pixel] >= 0) choose(pixel, result);
        return result;
    }

    void choose(std::size_t pixel, Labelling& result) const {
        const std::size_t offset =
            static_cast<std::size_t>(volume_.costRowOfPixel[pixel]) * volume_.stride;
        const std::int16_t* cost = &volume_.cost[offset];
        const std::int16_t* sum = &sums_[offset];
        const auto argmin = [&](int excluded) {
            int best = -1;
            for (int k = 0; k < volume_.labelCount; ++k) {
                if (excluded >= 0 && std::abs(k - excluded) <= 2) continue;
                if (cost[k] == CostVolume::kImpossible) continue;
                if (best < 0 || sum[k] < sum[best]) best = k;
            }
            return best;
        };
        const int best = argmin(-1);
        if (best < 0) return;
        float fraction = 0;
        if (best > 0 && best + 1 < volume_.labelCount) {
            const int left = sum[best - 1];
            const int right = sum[best + 1];
            const int curvature = left + right - 2 * sum[best];
            if (curvature > 0)
                fraction = std::clamp(
                    0.5F * static_cast<float>(left - right) / static_cast<float>(curvature), -0.5F,
                    0.5F);
        }
        constexpr auto kScale = static_cast<float>(CostVolume::kScale);
        const int second = argmin(best);
        result.label[pixel] = static_cast<float>(best) + fraction;
        result.score[pixel] = std::max(0.0F, 1 - static_cast<float>(cost[best]) / kScale);
        result.margin[pixel] =
            second < 0 ? 1 : static_cast<float>(sum[second] - sum[best]) / (kPaths * kScale);
    }

    const CostVolume& volume_;
    std::span<const float> searchDepths_;
    double maxSearchDepthStep_;
    const SmoothnessOptions& options_;
    const simd::SweepKernels& kernels_;
    const std::stop_token& cancel_;
    PathCosts start_;  // start of a path: no label costs anything yet
    std::vector<std::int16_t> sums_;
};

}  // namespace

Labelling semiGlobalMatching(const CostVolume& volume, std::span<const float> searchDepths,
                             double maxSearchDepthStep, const SmoothnessOptions& options,
                             const simd::SweepKernels& kernels, const std::stop_token& cancel) {
    return Aggregation(volume, searchDepths, maxSearchDepthStep, options, kernels, cancel).run();
}

}  // namespace threefold::stereo
