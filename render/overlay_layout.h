#pragma once

#include <cstddef>

#include "render/overlay_view.h"

struct ImDrawList;

namespace threefold::render {

inline constexpr std::size_t kOverlayFrames = 120;  ///< in the graph
inline constexpr std::size_t kOverlayRuns = 6;      ///< most flame rows

/// In logical pixels from the picture's top left.
struct OverlayBox {
    glm::vec2 from{0.0F};
    glm::vec2 to{0.0F};

    float width() const { return to.x - from.x; }
    float height() const { return to.y - from.y; }
    bool contains(glm::vec2 point) const {
        return point.x >= from.x && point.x < to.x && point.y >= from.y && point.y < to.y;
    }
};

struct OverlaySegmentBox {
    std::size_t run = 0;
    std::size_t segment = 0;
    OverlayBox box;
};

struct OverlayLayout {
    OverlayBox panel;
    OverlayBox heading, network, flames, keys, frame, cost, facts;
    OverlayBox graph;  ///< the budget's text is to its right
    float laneHeight = 0;
    std::vector<OverlayBox> runs;             ///< the visible flame rows without lane names
    std::vector<OverlaySegmentBox> segments;  ///< widths relative to the longest visible run
    float graphTop = 0;                       ///< milliseconds at the graph's upper edge
};

/// For a picture of this size in logical pixels. If it is too small, flame rows are left out, then
/// the panel is cut off.
OverlayLayout layoutOverlay(const OverlayView& view, glm::vec2 picture);

/// The size of the panel without margin.
glm::vec2 overlaySize(const OverlayView& view);

/// The segment under the view's pointer.
std::optional<OverlaySegmentBox> hoveredSegment(const OverlayLayout& layout,
                                                const OverlayView& view);

/// Fills Dear ImGui's draw list with the panel, with the current font of its current context.
/// `scale`: device pixels a logical pixel; the list is in device pixels.
void drawOverlay(ImDrawList& list, const OverlayView& view, const OverlayLayout& layout,
                 glm::vec2 picture, float scale);

}  // namespace threefold::render
