#pragma once

#include "render/profile_panel_layout.h"

struct ImDrawList;

namespace threefold::render {

/// Draws the panel into Dear ImGui's draw list, in device pixels, with the current font of the
/// current context. `picture`: size of the picture in logical pixels. `scale`: device pixels per
/// logical pixel.
void drawProfilePanel(ImDrawList& list, const ProfilePanelView& view,
                      const ProfilePanelLayout& layout, glm::vec2 picture, float scale);

}  // namespace threefold::render
