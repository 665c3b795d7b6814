#include "render/overlay_layout.h"

#include <algorithm>

namespace threefold::render {
namespace {

constexpr float kWidth = 328;
constexpr float kLeastWidth = 200;
constexpr float kPadding = 12;
constexpr float kLine = 16;
constexpr float kGap = 8;
constexpr float kGraph = 32;
constexpr float kRowGap = 3;
constexpr float kLaneNames = 44;
constexpr float kBudget = 40;  // beside the graph

struct Heights {
    float lane;
    float run;  // with the gap below it
    float fixed;
};

std::size_t laneCount(const OverlayView& view) {
    return view.runs ? std::max<std::size_t>(1, view.runs->lanes.size()) : 1;
}

std::size_t wantedRuns(const OverlayView& view) {
    // One empty row before the first run, so that the panel does not jump when it ends.
    return view.runs ? std::clamp<std::size_t>(view.runs->runs.size(), 1, kOverlayRuns) : 1;
}

Heights heightsOf(const OverlayView& view) {
    const auto lanes = static_cast<float>(laneCount(view));
    const float lane = lanes > 1 ? 12 : 9;
    const std::size_t factLines = (view.facts.size() + 1) / 2;
    const float texts = static_cast<float>(5 + factLines) * kLine;
    return {lane, lanes * lane + kRowGap, 2 * kPadding + texts + kGraph + 3 * kGap};
}

void placeSegments(const OverlayView& view, OverlayLayout& layout) {
    float longest = 0;
    for (std::size_t run = 0; run < layout.runs.size(); ++run) {
        for (const OverlaySegment& segment : view.runs->runs[run]) {
            longest = std::max(longest, segment.begin + segment.duration);
        }
    }
    if (!(longest > 0)) return;
    for (std::size_t run = 0; run < layout.runs.size(); ++run) {
        const OverlayBox& row = layout.runs[run];
        const float scale = row.width() / longest;
        for (std::size_t i = 0; i < view.runs->runs[run].size(); ++i) {
            const OverlaySegment& segment = view.runs->runs[run][i];
            const float top = row.from.y + static_cast<float>(segment.lane) * layout.laneHeight;
            const float left = row.from.x + segment.begin * scale;
            layout.segments.push_back(
                {run,
                 i,
                 {{left, top}, {left + segment.duration * scale, top + layout.laneHeight - 1}}});
        }
    }
}

float topOfGraph(const OverlayView& view) {
    float highest = 1.5F * view.budget;
    for (const float frame : view.frames) highest = std::max(highest, frame * 1.05F);
    return std::min(highest, 4 * view.budget);
}

}  // namespace

OverlayLayout layoutOverlay(const OverlayView& view, glm::vec2 picture) {
    const Heights heights = heightsOf(view);
    std::size_t runs = wantedRuns(view);
    const float room = picture.y - 2 * view.margin;
    while (runs > 1 && heights.fixed + static_cast<float>(runs) * heights.run > room) --runs;

    OverlayLayout layout;
    layout.laneHeight = heights.lane;
    const float width = std::clamp(picture.x - 2 * view.margin, kLeastWidth, kWidth);
    const float height = heights.fixed + static_cast<float>(runs) * heights.run;
    layout.panel.from = {std::max(0.0F, picture.x - view.margin - width),
                         std::max(0.0F, picture.y - view.margin - height)};
    layout.panel.to = {layout.panel.from.x + width, layout.panel.from.y + height};

    const float left = layout.panel.from.x + kPadding;
    const float right = layout.panel.to.x - kPadding;
    float y = layout.panel.from.y + kPadding;
    const auto place = [&](float size, float gap = 0) {
        const OverlayBox box{{left, y}, {right, y + size}};
        y += size + gap;
        return box;
    };
    layout.heading = place(kLine);
    layout.network = place(kLine, kGap / 2);
    layout.flames = place(static_cast<float>(runs) * heights.run, kGap / 2);
    layout.keys = place(kLine, kGap);
    layout.frame = place(kLine);
    layout.graph = place(kGraph, kGap);
    layout.graph.to.x -= kBudget;
    layout.cost = place(kLine);
    layout.facts = {{left, y}, {right, layout.panel.to.y - kPadding}};

    if (view.runs) {
        const float names = laneCount(view) > 1 ? kLaneNames : 0;
        for (std::size_t run = 0; run < std::min(runs, view.runs->runs.size()); ++run) {
            const float top = layout.flames.from.y + static_cast<float>(run) * heights.run;
            layout.runs.push_back({{left + names, top}, {right, top + heights.run - kRowGap}});
        }
        placeSegments(view, layout);
    }
    layout.graphTop = topOfGraph(view);
    return layout;
}

glm::vec2 overlaySize(const OverlayView& view) {
    const Heights heights = heightsOf(view);
    return {kWidth, heights.fixed + static_cast<float>(wantedRuns(view)) * heights.run};
}

std::optional<OverlaySegmentBox> hoveredSegment(const OverlayLayout& layout,
                                                const OverlayView& view) {
    if (!view.pointer) return std::nullopt;
    for (const OverlaySegmentBox& segment : layout.segments) {
        if (segment.box.contains(*view.pointer)) return segment;
    }
    return std::nullopt;
}

}  // namespace threefold::render
