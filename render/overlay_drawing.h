#pragma once

#include "render/overlay_layout.h"

struct ImDrawList;

namespace threefold::render {

/// Fills Dear ImGui's draw list with the panel, with the current font of its current context.
/// `scale`: device pixels a logical pixel; the list is in device pixels.
void drawOverlay(ImDrawList& list, const OverlayView& view, const OverlayLayout& layout,
                 glm::vec2 picture, float scale);

}  // namespace threefold::render
