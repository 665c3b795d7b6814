#pragma once

namespace threefold::ui {

class Viewport;
struct FeatureContext;

/// Adds blink comparison: while a key is held, or for a moment after a menu command, the first two
/// meshes swap places, and an overlay shows only its lower mesh. Blinking ends at the latest when
/// the window loses the focus.
void addBlinking(const FeatureContext& context, Viewport& viewport);

}  // namespace threefold::ui
