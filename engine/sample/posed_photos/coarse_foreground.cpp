#include "engine/sample/posed_photos/coarse_foreground.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/views/foreground.h"

namespace threefold {

std::optional<CoarseForeground> coarseForeground(const Image& image) {
    const std::optional<Mask> foreground = foregroundOf(image);
    if (!foreground) return std::nullopt;
    constexpr int kMaxSide = 256;
    const int cell = (std::max(image.width, image.height) + kMaxSide - 1) / kMaxSide;
    Mask mask{(image.width + cell - 1) / cell, (image.height + cell - 1) / cell, {}};
    mask.inside.resize(static_cast<std::size_t>(mask.width) *
                       static_cast<std::size_t>(mask.height));
    int left = image.width;
    int right = -1;
    int top = image.height;
    int bottom = -1;
    const std::uint8_t* inside = foreground->inside.data();
    for (int y = 0; y < image.height; ++y) {
        const auto row = static_cast<std::size_t>(std::int64_t{y} * mask.height / image.height) *
                         static_cast<std::size_t>(mask.width);
        for (int x = 0; x < image.width; ++x, ++inside) {
            if (*inside == 0) continue;
            const auto column =
                static_cast<std::size_t>(std::int64_t{x} * mask.width / image.width);
            mask.inside[row + column] = 1;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = y;
        }
    }
    // An object that reaches every border may extend beyond them.
    if (left == 0 && top == 0 && right == image.width - 1 && bottom == image.height - 1)
        return std::nullopt;
    return CoarseForeground{{{left, top}, {right + 1, bottom + 1}},
                            dilated(mask, Connectivity::four)};
}

}  // namespace threefold
