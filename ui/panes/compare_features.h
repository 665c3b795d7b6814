#pragma once

namespace threefold::ui {

struct FeatureContext;
struct WindowPanes;

/// Adds all features that compare meshes: pane layouts, blinking, stages, hovered, worst and
/// measured vertices, and the cameras of the slots.
void addComparison(const FeatureContext& context, const WindowPanes& panes);

}  // namespace threefold::ui
