#include "render/profile_panel_drawing.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <imgui.h>

namespace threefold::render {
namespace {

// Logical pixels.
constexpr float kColumn = 54;  // width of a column of numbers
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

    void box(const PanelBox& area, ImU32 colour, float rounding = 0) const {
        list_.AddRectFilled(at(area.from), at(area.to), colour, rounding * scale_);
    }
    void frame(const PanelBox& area, ImU32 colour) const {
        list_.AddRect(at(area.from), at(area.to), colour, 0, 0, scale_);
    }
    // Rounds the position to whole device pixels, where glyphs are sharp.
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

void drawRow(const Pen& pen, const PanelBox& line, const PanelRow& row, ImU32 label, ImU32 values) {
    pen.text(line.from, row.label, label);
    float right = line.to.x;
    for (auto value = row.values.rbegin(); value != row.values.rend(); ++value) {
        pen.textEndingAt({right, line.from.y}, *value, values);
        right -= kColumn;
    }
}

void drawFlames(const Pen& pen, const ProfilePanelView& view, const ProfilePanelLayout& layout) {
    const PanelColours& colours = view.colours;
    if (layout.flameRows.empty()) return;
    const std::vector<std::string>& lanes = view.flames->lanes;
    for (std::size_t lane = 0; lanes.size() > 1 && lane < lanes.size(); ++lane) {
        const float y = layout.flames.from.y + static_cast<float>(lane) * layout.laneHeight - 3;
        pen.text({layout.flames.from.x, y}, lanes[lane], packed(colours.muted));
    }
    constexpr float kOlder = 0.62F;
    for (const FlameSegmentBox& segment : layout.segments) {
        PanelBox box = segment.box;
        // A gap of one device pixel between neighbours of the same colour.
        if (box.width() > 3 * pen.devicePixel()) box.to.x -= pen.devicePixel();
        const glm::vec3 colour = view.flames->rows[segment.row][segment.segment].colour;
        pen.box(box, packed(colour, segment.row == 0 ? 1.0F : kOlder));
    }
    if (const auto hovered = hoveredSegment(layout, view))
        pen.frame(hovered->box, packed(colours.text));
}

void drawLegend(const Pen& pen, const ProfilePanelView& view, const PanelBox& line) {
    constexpr float kSquare = 7;
    float texts = 0;
    for (const PanelLegendEntry& entry : view.legend) texts += kSquare + pen.width(entry.text);
    // An entry takes 1.5 gaps: the gap before its text is half as wide. Gaps shrink if a wide font
    // fills the line.
    const float gaps = 1.5F * static_cast<float>(view.legend.size());
    const float gap = std::clamp((line.width() - texts) / std::max(gaps, 1.0F), 4.0F, 11.0F);
    float x = line.from.x;
    for (const PanelLegendEntry& entry : view.legend) {
        const float text = x + kSquare + gap / 2;
        const float end = text + pen.width(entry.text);
        if (end > line.to.x) break;
        const float top = line.from.y + 5;
        pen.box({{x, top}, {x + kSquare, top + kSquare}}, packed(entry.colour), 1.5F);
        pen.text({text, line.from.y}, entry.text, packed(view.colours.muted));
        x = end + gap;
    }
}

void drawGraph(const Pen& pen, const ProfilePanelView& view, const ProfilePanelLayout& layout) {
    const PanelColours& colours = view.colours;
    const PanelBox& graph = layout.graph;
    const float bar = graph.width() / static_cast<float>(kMaxGraphFrames);
    const std::size_t shown = std::min(view.frames.size(), kMaxGraphFrames);
    const auto heightOf = [&](float frame) {
        return graph.height() * std::min(1.0F, frame / layout.graphTop);
    };
    float left = graph.to.x - bar * static_cast<float>(shown);
    for (std::size_t i = view.frames.size() - shown; i < view.frames.size(); ++i) {
        const float frame = view.frames[i];
        const glm::vec3 colour = frame <= view.budget       ? colours.accent
                                 : frame <= 2 * view.budget ? colours.overBudget
                                                            : colours.farOverBudget;
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

void drawFacts(const Pen& pen, const ProfilePanelView& view, const ProfilePanelLayout& layout) {
    const PanelBox& area = layout.facts;
    constexpr float kBetween = 24;
    const float half = (area.width() - kBetween) / 2;
    const float line = layout.panelCost.height();
    for (std::size_t i = 0; i < view.facts.size(); ++i) {
        const float x = area.from.x + static_cast<float>(i % 2) * (half + kBetween);
        const std::size_t row = i / 2;
        const float y = area.from.y + static_cast<float>(row) * line;
        pen.text({x, y}, view.facts[i].label, packed(view.colours.muted));
        pen.textEndingAt({x + half, y}, view.facts[i].value, packed(view.colours.text));
    }
}

void drawTip(const Pen& pen, const ProfilePanelView& view, const ProfilePanelLayout& layout,
             glm::vec2 picture) {
    const auto hovered = hoveredSegment(layout, view);
    if (!hovered) return;
    const auto& tip = view.flames->rows[hovered->row][hovered->segment].tip;
    constexpr float kInset = 8, kLineHeight = 16;
    constexpr float kRightOfPointer = 12, kAbovePointer = 8, kPictureMargin = 4;
    constexpr float kAscentGap = 2;  // empty part of a line above its letters
    const glm::vec2 size(std::max(pen.width(tip[0]), pen.width(tip[1])) + 2 * kInset,
                         2 * kLineHeight + 2 * kInset - 2 * kAscentGap);
    glm::vec2 from(view.pointer->x + kRightOfPointer, view.pointer->y - size.y - kAbovePointer);
    from.x = std::max(0.0F, std::min(from.x, picture.x - size.x - kPictureMargin));
    from.y = std::max(0.0F, from.y);
    glm::vec4 background = view.colours.panel;
    background.w = 1;
    const PanelBox box{from, {from.x + size.x, from.y + size.y}};
    pen.box({{box.from.x - 1, box.from.y - 1}, {box.to.x + 1, box.to.y + 1}},
            packed(view.colours.line), kRounding);
    pen.box(box, packed(background), kRounding);
    const float top = from.y + kInset - kAscentGap;
    pen.text({from.x + kInset, top}, tip[0], packed(view.colours.text));
    pen.text({from.x + kInset, top + kLineHeight}, tip[1], packed(view.colours.muted));
}

}  // namespace

void drawProfilePanel(ImDrawList& list, const ProfilePanelView& view,
                      const ProfilePanelLayout& layout, glm::vec2 picture, float scale) {
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
    drawRow(pen, layout.panelCost, view.panelCost, muted, text);
    drawFacts(pen, view, layout);
    drawTip(pen, view, layout, picture);
}

}  // namespace threefold::render
