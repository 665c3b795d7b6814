#include "engine/fitting/blur.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace threefold::fitting {
namespace {

constexpr int kPasses = 3;

/// Box filter of fractional width: 2 · whole_ + 1 full pixels, and fraction_ of one more on each
/// side.
class BoxFilter {
  public:
    explicit BoxFilter(float sigma) {
        // The mean over a width w has the variance (w² − 1) / 12.
        const float width = std::sqrt(1 + 12 * sigma * sigma / kPasses);
        whole_ = static_cast<std::size_t>((width - 1) / 2);
        // Weight of the next pixel on each side that gives exactly the variance sigma² / kPasses.
        const auto n = static_cast<float>(whole_);
        const float inner = n * (n + 1) * (2 * n + 1) / 3;
        const float variance = sigma * sigma / kPasses;
        const float next = (n + 1) * (n + 1);
        fraction_ = (variance * (2 * n + 1) - inner) / (2 * (next - variance));
        norm_ = 1 / (2 * n + 1 + 2 * fraction_);
    }

    void apply(float* row, std::size_t count) {
        const std::size_t offset = whole_ + 1;
        padded_.assign(count + 2 * offset, 0);
        std::copy(row, row + count, padded_.begin() + static_cast<std::ptrdiff_t>(offset));
        float sum = 0;
        for (std::size_t i = 1; i < 2 * offset; ++i) sum += padded_[i];
        for (std::size_t x = 0; x < count; ++x) {
            const float before = padded_[x];
            const float after = padded_[x + 2 * offset];
            row[x] = norm_ * (sum + fraction_ * (before + after));
            sum += after - padded_[x + 1];
        }
    }

  private:
    std::size_t whole_;
    float fraction_, norm_;
    std::vector<float> padded_;
};

void transpose(std::vector<float>& values, std::size_t side) {
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < y; ++x) std::swap(values[y * side + x], values[x * side + y]);
}

}  // namespace

void gaussianBlur(std::vector<float>& values, int side, float sigma) {
    if (!(sigma > 0)) return;
    const auto size = static_cast<std::size_t>(side);
    BoxFilter filter(sigma);
    for (int axis = 0; axis < 2; ++axis) {
        for (std::size_t y = 0; y < size; ++y)
            for (int pass = 0; pass < kPasses; ++pass) filter.apply(values.data() + y * size, size);
        transpose(values, size);
    }
}

}  // namespace threefold::fitting
