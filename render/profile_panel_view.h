#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace threefold::render {

/// A run step, in its run's flame row.
struct FlameSegment {
    float begin = 0;     ///< milliseconds since the run began
    float duration = 0;  ///< milliseconds
    int lane = 0;        ///< index into FlameGraph::lanes
    glm::vec3 colour{1.0F};
    std::array<std::string, 2> tip;  ///< lines of the tooltip
};

/// One run.
using FlameRow = std::vector<FlameSegment>;

/// Runs of the profile. Only a new run changes them, so the views of many frames share one graph.
struct FlameGraph {
    std::vector<FlameRow> rows;      ///< newest first
    std::vector<std::string> lanes;  ///< "CPU", "GPU 1": each has its own line in every row
};

/// Row of three numbers, as text.
struct PanelRow {
    std::string label;
    std::array<std::string, 3> values;  ///< last, median, p95
};

/// Entry of the flame rows' legend.
struct PanelLegendEntry {
    glm::vec3 colour{1.0F};
    std::string text;
};

/// One of the numbers below the graph, as text.
struct PanelFact {
    std::string label;
    std::string value;
};

/// Colours of the panel, sRGB-encoded.
struct PanelColours {
    glm::vec4 panel{0.06F, 0.065F, 0.075F, 0.86F};  ///< straight alpha
    glm::vec3 text{0.89F};
    glm::vec3 muted{0.57F};
    glm::vec3 line{0.18F};                         ///< border, and base line of the graph
    glm::vec3 accent{0.29F, 0.51F, 0.93F};         ///< bars of frames within the budget
    glm::vec3 overBudget{0.88F, 0.65F, 0.27F};     ///< bars up to twice the budget
    glm::vec3 farOverBudget{0.91F, 0.46F, 0.24F};  ///< longer bars
};

using PanelFont = std::vector<unsigned char>;  ///< bytes of a TrueType or OpenType file

/// The live profile of one frame. Immutable; equal views give equal pixels. Texts are UTF-8,
/// already translated.
struct ProfilePanelView {
    PanelRow heading;  ///< title and column names
    PanelRow network;
    PanelRow frame;
    PanelRow panelCost;                        ///< time to make and draw the panel itself
    std::shared_ptr<const FlameGraph> flames;  ///< null: none
    std::vector<PanelLegendEntry> legend;
    std::vector<float> frames;    ///< milliseconds of the last frames, oldest first
    float budget = 1000.0F / 60;  ///< milliseconds per frame at the screen's rate; > 0
    std::string budgetText;
    std::vector<PanelFact> facts;  ///< two per line

    PanelColours colours;
    std::shared_ptr<const PanelFont> font;  ///< null: the built-in one
    float margin = 16;                      ///< logical pixels to the picture's edges
    std::optional<glm::vec2> pointer;       ///< logical pixels from the picture's top left
};
using ProfilePanelViewRef = std::shared_ptr<const ProfilePanelView>;

}  // namespace threefold::render
