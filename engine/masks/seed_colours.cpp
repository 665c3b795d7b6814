#include "engine/masks/seed_colours.h"

#include <cstddef>
#include <cstdint>

namespace threefold {

void addSeedColours(CutoutSeeds& seeds, const Image& picture, const Mask& mask) {
    // Takes object colours at least kInner pixels inside of the outline, and background colours
    // from a ring that is kRing pixels wide and begins kOuter pixels outside of the outline.
    constexpr int kSide = 112, kInner = 1, kOuter = 2, kRing = 16;
    const Mask small = resized(mask, kSide, kSide);
    const Mask inner = eroded(small, kInner);
    const Mask outer = dilated(small, kOuter);
    const Mask ring = dilated(outer, kRing);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const auto at = static_cast<std::size_t>(y * kSide + x);
            const auto pixel =
                static_cast<std::size_t>((2 * y + 1) * picture.height / (2 * kSide)) *
                    static_cast<std::size_t>(picture.width) +
                static_cast<std::size_t>((2 * x + 1) * picture.width / (2 * kSide));
            const std::uint8_t* rgba = picture.rgba.data() + 4 * pixel;
            if (rgba[3] == 0) continue;
            if (inner.inside[at] != 0) seeds.objectColours.push_back({rgba[0], rgba[1], rgba[2]});
            if (ring.inside[at] != 0 && outer.inside[at] == 0)
                seeds.backgroundColours.push_back({rgba[0], rgba[1], rgba[2]});
        }
}

}  // namespace threefold
