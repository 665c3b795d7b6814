#include "render/pane_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace threefold::render {

int dividerWidth(float pixelRatio) {
    constexpr float kMostRatio = 64.0F;
    const float ratio = pixelRatio > 1.0F ? std::min(pixelRatio, kMostRatio) : 1.0F;
    return static_cast<int>(std::lround(ratio));
}

std::vector<PaneRect> paneLayout(int width, int height, int count, float pixelRatio) {
    std::vector<PaneRect> panes;
    if (count <= 0) return panes;
    const std::int64_t gap = dividerWidth(pixelRatio);
    const std::int64_t each = std::max<std::int64_t>(0, width - gap * (count - 1)) / count;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t x = std::min<std::int64_t>(i * (each + gap), width);
        panes.push_back({static_cast<int>(x), 0, static_cast<int>(each), height});
    }
    return panes;
}

}  // namespace threefold::render
