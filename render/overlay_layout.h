#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "render/overlay_view.h"

namespace threefold::render {

inline constexpr std::size_t kMaxGraphFrames = 120;  ///< frames in the graph
inline constexpr std::size_t kMaxFlameRows = 6;      ///< maximum number of flame rows

/// A rectangle in logical pixels from the picture's top left.
struct OverlayBox {
    glm::vec2 from{0.0F};
    glm::vec2 to{0.0F};

    float width() const { return to.x - from.x; }
    float height() const { return to.y - from.y; }
    bool contains(glm::vec2 point) const {
        return point.x >= from.x && point.x < to.x && point.y >= from.y && point.y < to.y;
    }
};

/// Position of a segment of a flame row.
struct OverlaySegmentBox {
    std::size_t row = 0;      ///< index in FlameGraph::rows
    std::size_t segment = 0;  ///< index in that row
    OverlayBox box;
};

/// Positions of the panel and its rows, in logical pixels from the picture's top left.
struct OverlayLayout {
    OverlayBox panel;
    // Positions of the members of OverlayView with these names.
    OverlayBox heading;
    OverlayBox network;
    OverlayBox flames;  ///< all of `flameRows`
    OverlayBox legend;
    OverlayBox frame;
    OverlayBox overlay;
    OverlayBox facts;
    OverlayBox graph;                         ///< the text of the budget is to its right
    float laneHeight = 0;                     ///< of a lane in a flame row, logical pixels
    std::vector<OverlayBox> flameRows;        ///< the visible flame rows without lane names
    std::vector<OverlaySegmentBox> segments;  ///< widths relative to the longest visible run
    float graphTop = 0;                       ///< milliseconds at the graph's upper edge
};

/// Lays out the panel in a picture of a given size in logical pixels. A small picture has fewer
/// flame rows; in an even smaller one the panel is cut off.
OverlayLayout layoutOverlay(const OverlayView& view, glm::vec2 picture);

/// Size of the panel without margin, in logical pixels.
glm::vec2 overlaySize(const OverlayView& view);

/// The segment under the view's pointer, if any.
std::optional<OverlaySegmentBox> hoveredSegment(const OverlayLayout& layout,
                                                const OverlayView& view);

}  // namespace threefold::render
