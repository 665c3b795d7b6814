#pragma once

namespace threefold::ui {

class Viewport;
struct FeatureContext;

/// Adds the pane layouts: the segmented control in the tool bar, commands and keys, and the seam of
/// a wipe, moved by mouse or keys. In an overlay the same keys change the opacity.
void addPaneLayouts(const FeatureContext& context, Viewport& viewport);

}  // namespace threefold::ui
