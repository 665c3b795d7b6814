#include "render/overlay_layout.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

namespace threefold::render {
namespace {

constexpr float kWidth = 328;
constexpr float kMinWidth = 200;
constexpr float kPadding = 12;
constexpr float kLine = 16;
constexpr float kGap = 8;
constexpr float kGraphHeight = 32;
constexpr float kRowGap = 3;
constexpr float kLaneNamesWidth = 44;
constexpr float kBudgetWidth = 40;  // of the budget's text beside the graph

struct Heights {
    float lane;
    float row;  // including the gap below
    float fixed;
};

std::size_t laneCount(const OverlayView& view) {
    return view.flames ? std::max<std::size_t>(1, view.flames->lanes.size()) : 1;
}

std::size_t preferredRuns(const OverlayView& view) {
    // Reserve one row before the first run, so that the panel does not jump when the run ends.
    return view.flames ? std::clamp<std::size_t>(view.flames->rows.size(), 1, kMaxFlameRows) : 1;
}

Heights heightsOf(const OverlayView& view) {
    const auto lanes = static_cast<float>(laneCount(view));
    const float lane = lanes > 1 ? 12 : 9;
    const std::size_t factLines = (view.facts.size() + 1) / 2;
    const float texts = static_cast<float>(5 + factLines) * kLine;
    return {lane, lanes * lane + kRowGap, 2 * kPadding + texts + kGraphHeight + 3 * kGap};
}

void placeSegments(const OverlayView& view, OverlayLayout& layout) {
    float longest = 0;
    for (std::size_t run = 0; run < layout.flameRows.size(); ++run)
        for (const OverlaySegment& segment : view.flames->rows[run])
            longest = std::max(longest, segment.begin + segment.duration);
    if (!(longest > 0)) return;
    for (std::size_t run = 0; run < layout.flameRows.size(); ++run) {
        const OverlayBox& row = layout.flameRows[run];
        const float scale = row.width() / longest;
        for (std::size_t i = 0; i < view.flames->rows[run].size(); ++i) {
            const OverlaySegment& segment = view.flames->rows[run][i];
            const float top = row.from.y + static_cast<float>(segment.lane) * layout.laneHeight;
            const float left = row.from.x + segment.begin * scale;
            layout.segments.push_back(
                {run,
                 i,
                 {{left, top}, {left + segment.duration * scale, top + layout.laneHeight - 1}}});
        }
    }
}

float graphMaximum(const OverlayView& view) {
    float highest = 1.5F * view.budget;
    for (const float frame : view.frames) highest = std::max(highest, frame * 1.05F);
    return std::min(highest, 4 * view.budget);
}

constexpr float kColumn = 54;  // width of a column of numbers, logical pixels
constexpr float kRounding = 4;

ImU32 packed(glm::vec4 colour) {
    return ImGui::ColorConvertFloat4ToU32({colour.x, colour.y, colour.z, colour.w});
}

ImU32 packed(glm::vec3 colour, float alpha = 1.0F) {
    return packed(glm::vec4(colour, alpha));
}

/// Draws shapes given in logical pixels.
class Pen {
  public:
    Pen(ImDrawList& list, float scale) : list_(list), scale_(scale) {}

    void box(const OverlayBox& area, ImU32 colour, float rounding = 0) const {
        list_.AddRectFilled(at(area.from), at(area.to), colour, rounding * scale_);
    }
    void frame(const OverlayBox& area, ImU32 colour) const {
        list_.AddRect(at(area.from), at(area.to), colour, 0, 0, scale_);
    }
    // Rounds to whole device pixels, where glyphs are sharp.
    void text(glm::vec2 from, const std::string& string, ImU32 colour) const {
        list_.AddText({std::round(from.x * scale_), std::round(from.y * scale_)}, colour,
                      string.data(), string.data() + string.size());
    }
    float width(const std::string& string) const {
        return ImGui::CalcTextSize(string.data(), string.data() + string.size()).x / scale_;
    }
    void textEndingAt(glm::vec2 end, const std::string& string, ImU32 colour) const {
        text({end.x - width(string), end.y}, string, colour);
    }
    float devicePixel() const { return 1.0F / scale_; }

  private:
    ImVec2 at(glm::vec2 point) const { return {point.x * scale_, point.y * scale_}; }

    ImDrawList& list_;
    float scale_;
};

void drawRow(const Pen& pen, const OverlayBox& line, const OverlayRow& row, ImU32 label,
             ImU32 values) {
    pen.text(line.from, row.label, label);
    float right = line.to.x;
    for (auto value = row.values.rbegin(); value != row.values.rend(); ++value) {
        pen.textEndingAt({right, line.from.y}, *value, values);
        right -= kColumn;
    }
}

void drawFlames(const Pen& pen, const OverlayView& view, const OverlayLayout& layout) {
    const OverlayColours& colours = view.colours;
    if (layout.flameRows.empty()) return;
    const std::vector<std::string>& lanes = view.flames->lanes;
    for (std::size_t lane = 0; lanes.size() > 1 && lane < lanes.size(); ++lane) {
        const float y = layout.flames.from.y + static_cast<float>(lane) * layout.laneHeight - 3;
        pen.text({layout.flames.from.x, y}, lanes[lane], packed(colours.muted));
    }
    constexpr float kOlder = 0.62F;
    for (const OverlaySegmentBox& segment : layout.segments) {
        OverlayBox box = segment.box;
        // A gap of one device pixel between neighbours of the same colour.
        if (box.width() > 3 * pen.devicePixel()) box.to.x -= pen.devicePixel();
        const glm::vec3 colour = view.flames->rows[segment.row][segment.segment].colour;
        pen.box(box, packed(colour, segment.row == 0 ? 1.0F : kOlder));
    }
    if (const auto hovered = hoveredSegment(layout, view))
        pen.frame(hovered->box, packed(colours.text));
}

void drawLegend(const Pen& pen, const OverlayView& view, const OverlayBox& line) {
    constexpr float kSquare = 7;
    float texts = 0;
    for (const OverlayLegendEntry& entry : view.legend) texts += kSquare + pen.width(entry.text);
    // 1.5 gaps per entry, as the gap before its text is half as wide; narrower if a wide font needs
    // it.
    const float gaps = 1.5F * static_cast<float>(view.legend.size());
    const float gap = std::clamp((line.width() - texts) / std::max(gaps, 1.0F), 4.0F, 11.0F);
    float x = line.from.x;
    for (const OverlayLegendEntry& entry : view.legend) {
        const float text = x + kSquare + gap / 2;
        const float end = text + pen.width(entry.text);
        if (end > line.to.x) break;
        const float top = line.from.y + 5;
        pen.box({{x, top}, {x + kSquare, top + kSquare}}, packed(entry.colour), 1.5F);
        pen.text({text, line.from.y}, entry.text, packed(view.colours.muted));
        x = end + gap;
    }
}

void drawGraph(const Pen& pen, const OverlayView& view, const OverlayLayout& layout) {
    const OverlayColours& colours = view.colours;
    const OverlayBox& graph = layout.graph;
    const float bar = graph.width() / static_cast<float>(kMaxGraphFrames);
    const std::size_t shown = std::min(view.frames.size(), kMaxGraphFrames);
    const auto heightOf = [&](float frame) {
        return graph.height() * std::min(1.0F, frame / layout.graphTop);
    };
    float left = graph.to.x - bar * static_cast<float>(shown);
    for (std::size_t i = view.frames.size() - shown; i < view.frames.size(); ++i) {
        const float frame = view.frames[i];
        const glm::vec3 colour = frame <= view.budget       ? colours.accent
                                 : frame <= 2 * view.budget ? colours.warm
                                                            : colours.hot;
        const float top = std::min(graph.to.y - heightOf(frame), graph.to.y - 1);
        pen.box({{left, top}, {left + std::max(bar - 0.5F, 1.0F), graph.to.y}}, packed(colour));
        left += bar;
    }
    pen.box({{graph.from.x, graph.to.y}, {graph.to.x, graph.to.y + pen.devicePixel()}},
            packed(colours.line));
    const float budget = graph.to.y - heightOf(view.budget);
    constexpr float kDash = 4;
    const auto dashes = static_cast<int>(std::ceil((graph.to.x - graph.from.x) / (2 * kDash)));
    for (int i = 0; i < dashes; ++i) {
        const float x = graph.from.x + 2 * kDash * static_cast<float>(i);
        pen.box({{x, budget}, {std::min(x + kDash, graph.to.x), budget + pen.devicePixel()}},
                packed(colours.text, 0.6F));
    }
    pen.textEndingAt({layout.frame.to.x, budget - 8}, view.budgetText, packed(colours.muted));
}

void drawFacts(const Pen& pen, const OverlayView& view, const OverlayLayout& layout) {
    const OverlayBox& area = layout.facts;
    constexpr float kBetween = 24;
    const float half = (area.width() - kBetween) / 2;
    const float line = layout.overlay.height();
    for (std::size_t i = 0; i < view.facts.size(); ++i) {
        const float x = area.from.x + static_cast<float>(i % 2) * (half + kBetween);
        const std::size_t row = i / 2;
        const float y = area.from.y + static_cast<float>(row) * line;
        pen.text({x, y}, view.facts[i].label, packed(view.colours.muted));
        pen.textEndingAt({x + half, y}, view.facts[i].value, packed(view.colours.text));
    }
}

void drawTip(const Pen& pen, const OverlayView& view, const OverlayLayout& layout,
             glm::vec2 picture) {
    const auto hovered = hoveredSegment(layout, view);
    if (!hovered) return;
    const auto& tip = view.flames->rows[hovered->row][hovered->segment].tip;
    constexpr float kInset = 8;
    constexpr float kTipLine = 16;
    const glm::vec2 size(std::max(pen.width(tip[0]), pen.width(tip[1])) + 2 * kInset,
                         2 * kTipLine + 2 * kInset - 4);
    glm::vec2 from(view.pointer->x + 12, view.pointer->y - size.y - 8);
    from.x = std::max(0.0F, std::min(from.x, picture.x - size.x - 4));
    from.y = std::max(0.0F, from.y);
    glm::vec4 background = view.colours.panel;
    background.w = 1;
    const OverlayBox box{from, {from.x + size.x, from.y + size.y}};
    pen.box({{box.from.x - 1, box.from.y - 1}, {box.to.x + 1, box.to.y + 1}},
            packed(view.colours.line), kRounding);
    pen.box(box, packed(background), kRounding);
    pen.text({from.x + kInset, from.y + kInset - 2}, tip[0], packed(view.colours.text));
    pen.text({from.x + kInset, from.y + kInset - 2 + kTipLine}, tip[1], packed(view.colours.muted));
}

}  // namespace

OverlayLayout layoutOverlay(const OverlayView& view, glm::vec2 picture) {
    const Heights heights = heightsOf(view);
    std::size_t runs = preferredRuns(view);
    const float maxHeight = picture.y - 2 * view.margin;
    while (runs > 1 && heights.fixed + static_cast<float>(runs) * heights.row > maxHeight) --runs;

    OverlayLayout layout;
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
        const OverlayBox box{{left, y}, {right, y + size}};
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
    layout.overlay = addRow(kLine);
    layout.facts = {{left, y}, {right, layout.panel.to.y - kPadding}};

    if (view.flames) {
        const float names = laneCount(view) > 1 ? kLaneNamesWidth : 0;
        for (std::size_t run = 0; run < std::min(runs, view.flames->rows.size()); ++run) {
            const float top = layout.flames.from.y + static_cast<float>(run) * heights.row;
            layout.flameRows.push_back({{left + names, top}, {right, top + heights.row - kRowGap}});
        }
        placeSegments(view, layout);
    }
    layout.graphTop = graphMaximum(view);
    return layout;
}

glm::vec2 overlaySize(const OverlayView& view) {
    const Heights heights = heightsOf(view);
    return {kWidth, heights.fixed + static_cast<float>(preferredRuns(view)) * heights.row};
}

std::optional<OverlaySegmentBox> hoveredSegment(const OverlayLayout& layout,
                                                const OverlayView& view) {
    if (!view.pointer) return std::nullopt;
    for (const OverlaySegmentBox& segment : layout.segments)
        if (segment.box.contains(*view.pointer)) return segment;
    return std::nullopt;
}

void drawOverlay(ImDrawList& list, const OverlayView& view, const OverlayLayout& layout,
                 glm::vec2 picture, float scale) {
    const Pen pen(list, scale);
    const ImU32 muted = packed(view.colours.muted);
    const ImU32 text = packed(view.colours.text);
    pen.box(layout.panel, packed(view.colours.panel), kRounding);
    drawRow(pen, layout.heading, view.heading, text, muted);
    drawRow(pen, layout.network, view.network, muted, text);
    drawFlames(pen, view, layout);
    drawLegend(pen, view, layout.legend);
    drawRow(pen, layout.frame, view.frame, muted, text);
    drawGraph(pen, view, layout);
    drawRow(pen, layout.overlay, view.overlay, muted, text);
    drawFacts(pen, view, layout);
    drawTip(pen, view, layout, picture);
}

}  // namespace threefold::render
