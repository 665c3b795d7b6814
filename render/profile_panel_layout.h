#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "render/profile_panel_view.h"

namespace threefold::render {

inline constexpr std::size_t kMaxGraphFrames = 120;  ///< maximum number of frames in the graph
inline constexpr std::size_t kMaxFlameRows = 6;      ///< maximum number of flame rows

/// A rectangle in logical pixels from the picture's top left.
struct PanelBox {
    glm::vec2 from{0.0F};
    glm::vec2 to{0.0F};

    float width() const { return to.x - from.x; }
    float height() const { return to.y - from.y; }
    bool contains(glm::vec2 point) const {
        return point.x >= from.x && point.x < to.x && point.y >= from.y && point.y < to.y;
    }
};

/// Position of a segment of a flame row.
struct FlameSegmentBox {
    std::size_t row = 0;      ///< index in FlameGraph::rows
    std::size_t segment = 0;  ///< index in that row
    PanelBox box;
};

/// Positions of the panel and its rows, in logical pixels from the picture's top left.
struct ProfilePanelLayout {
    PanelBox panel;
    // Positions of the members of ProfilePanelView with these names.
    PanelBox heading;
    PanelBox network;
    PanelBox flames;  ///< all of `flameRows`
    PanelBox legend;
    PanelBox frame;
    PanelBox panelCost;
    PanelBox facts;
    PanelBox graph;                         ///< the text of the budget is to its right
    float laneHeight = 0;                   ///< height of a lane in a flame row, logical pixels
    std::vector<PanelBox> flameRows;        ///< the visible flame rows without lane names
    std::vector<FlameSegmentBox> segments;  ///< widths relative to the longest visible run
    float graphTop = 0;                     ///< milliseconds at the graph's upper edge
};

/// Lays out the panel in a picture of a given size in logical pixels. A small picture has fewer
/// flame rows; in an even smaller one the panel is cut off.
ProfilePanelLayout layoutProfilePanel(const ProfilePanelView& view, glm::vec2 picture);

/// Size of the panel without margin, in logical pixels.
glm::vec2 profilePanelSize(const ProfilePanelView& view);

/// The segment under the view's pointer, if any.
std::optional<FlameSegmentBox> hoveredSegment(const ProfilePanelLayout& layout,
                                              const ProfilePanelView& view);

}  // namespace threefold::render
