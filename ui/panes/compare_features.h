#pragma once

class QBoxLayout;

namespace threefold::ui {

class Viewport;
struct FeatureContext;
struct ShownDocument;

/// Adds all features that compare meshes: pane layouts, blinking, stages, hovered, worst and
/// measured vertices, and the cameras of the slots. `belowPanes`: rows under the panes.
void addComparison(const FeatureContext& context, const ShownDocument& shown, Viewport& viewport,
                   QBoxLayout& belowPanes);

}  // namespace threefold::ui
