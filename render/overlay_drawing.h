#pragma once

#include "render/overlay_layout.h"

struct ImDrawList;

namespace threefold::render {

/// Draws the panel into Dear ImGui's draw list, in device pixels, with the current font of the
/// current context. `scale`: device pixels per logical pixel.
void drawOverlay(ImDrawList& list, const OverlayView& view, const OverlayLayout& layout,
                 glm::vec2 picture, float scale);

}  // namespace threefold::render
