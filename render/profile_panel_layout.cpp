#include "render/profile_panel_layout.h"

#include <algorithm>

namespace threefold::render {
namespace {

// Logical pixels.
constexpr float kWidth = 328;
constexpr float kMinWidth = 200;
constexpr float kPadding = 12;
constexpr float kLine = 16;
constexpr float kGap = 8;
constexpr float kGraphHeight = 32;
constexpr float kRowGap = 3;
constexpr float kLaneNamesWidth = 44;
constexpr float kBudgetWidth = 40;  // width of the budget's text beside the graph
constexpr float kLaneHeight = 12, kSoleLaneHeight = 9;
constexpr std::size_t kTextRows = 5;  // heading, network, legend, frame, panelCost

struct Heights {
    float lane;
    float row;  // including the gap below
    float fixed;
};

std::size_t laneCount(const ProfilePanelView& view) {
    return view.flames ? std::max<std::size_t>(1, view.flames->lanes.size()) : 1;
}

std::size_t preferredRuns(const ProfilePanelView& view) {
    // Reserves one row even while there is no run, so that the panel does not jump when the first
    // run ends.
    return view.flames ? std::clamp<std::size_t>(view.flames->rows.size(), 1, kMaxFlameRows) : 1;
}

Heights heightsOf(const ProfilePanelView& view) {
    const auto lanes = static_cast<float>(laneCount(view));
    const float lane = lanes > 1 ? kLaneHeight : kSoleLaneHeight;
    const std::size_t factLines = (view.facts.size() + 1) / 2;
    const float texts = static_cast<float>(kTextRows + factLines) * kLine;
    return {lane, lanes * lane + kRowGap, 2 * kPadding + texts + kGraphHeight + 3 * kGap};
}

void placeSegments(const ProfilePanelView& view, ProfilePanelLayout& layout) {
    float maxEnd = 0;
    for (std::size_t run = 0; run < layout.flameRows.size(); ++run)
        for (const FlameSegment& segment : view.flames->rows[run])
            maxEnd = std::max(maxEnd, segment.begin + segment.duration);
    if (!(maxEnd > 0)) return;
    for (std::size_t run = 0; run < layout.flameRows.size(); ++run) {
        const PanelBox& row = layout.flameRows[run];
        const float scale = row.width() / maxEnd;
        for (std::size_t i = 0; i < view.flames->rows[run].size(); ++i) {
            const FlameSegment& segment = view.flames->rows[run][i];
            const float top = row.from.y + static_cast<float>(segment.lane) * layout.laneHeight;
            const float left = row.from.x + segment.begin * scale;
            layout.segments.push_back(
                {run,
                 i,
                 {{left, top}, {left + segment.duration * scale, top + layout.laneHeight - 1}}});
        }
    }
}

float graphMaximum(const ProfilePanelView& view) {
    float maximum = 1.5F * view.budget;
    for (const float frame : view.frames) maximum = std::max(maximum, frame * 1.05F);
    return std::min(maximum, 4 * view.budget);
}

}  // namespace

ProfilePanelLayout layoutProfilePanel(const ProfilePanelView& view, glm::vec2 picture) {
    const Heights heights = heightsOf(view);
    std::size_t runs = preferredRuns(view);
    const float maxHeight = picture.y - 2 * view.margin;
    while (runs > 1 && heights.fixed + static_cast<float>(runs) * heights.row > maxHeight) --runs;

    ProfilePanelLayout layout;
    layout.laneHeight = heights.lane;
    const float width = std::clamp(picture.x - 2 * view.margin, kMinWidth, kWidth);
    const float height = heights.fixed + static_cast<float>(runs) * heights.row;
    layout.panel.from = {std::max(0.0F, picture.x - view.margin - width),
                         std::max(0.0F, picture.y - view.margin - height)};
    layout.panel.to = {layout.panel.from.x + width, layout.panel.from.y + height};

    const float left = layout.panel.from.x + kPadding;
    const float right = layout.panel.to.x - kPadding;
    float y = layout.panel.from.y + kPadding;
    const auto addRow = [&](float size, float gap = 0) {
        const PanelBox box{{left, y}, {right, y + size}};
        y += size + gap;
        return box;
    };
    layout.heading = addRow(kLine);
    layout.network = addRow(kLine, kGap / 2);
    layout.flames = addRow(static_cast<float>(runs) * heights.row, kGap / 2);
    layout.legend = addRow(kLine, kGap);
    layout.frame = addRow(kLine);
    layout.graph = addRow(kGraphHeight, kGap);
    layout.graph.to.x -= kBudgetWidth;
    layout.panelCost = addRow(kLine);
    layout.facts = {{left, y}, {right, layout.panel.to.y - kPadding}};

    if (view.flames) {
        const float namesWidth = laneCount(view) > 1 ? kLaneNamesWidth : 0;
        for (std::size_t run = 0; run < std::min(runs, view.flames->rows.size()); ++run) {
            const float top = layout.flames.from.y + static_cast<float>(run) * heights.row;
            layout.flameRows.push_back(
                {{left + namesWidth, top}, {right, top + heights.row - kRowGap}});
        }
        placeSegments(view, layout);
    }
    layout.graphTop = graphMaximum(view);
    return layout;
}

glm::vec2 profilePanelSize(const ProfilePanelView& view) {
    const Heights heights = heightsOf(view);
    return {kWidth, heights.fixed + static_cast<float>(preferredRuns(view)) * heights.row};
}

std::optional<FlameSegmentBox> hoveredSegment(const ProfilePanelLayout& layout,
                                              const ProfilePanelView& view) {
    if (!view.pointer) return std::nullopt;
    for (const FlameSegmentBox& segment : layout.segments)
        if (segment.box.contains(*view.pointer)) return segment;
    return std::nullopt;
}

}  // namespace threefold::render
