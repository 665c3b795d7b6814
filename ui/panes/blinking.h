#pragma once

namespace threefold::ui {

class Viewport;
struct FeatureContext;

/// Adds blink comparison: the first two meshes swap panes while a key is held, until the window
/// loses the focus at the latest.
void addBlinking(const FeatureContext& context, Viewport& viewport);

}  // namespace threefold::ui
