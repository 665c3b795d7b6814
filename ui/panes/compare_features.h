#pragma once

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// All that has to do with comparing meshes: layouts, blinking, the way of the mesh, looking from
/// the photos, the vertex under the pointer, and the worst ones.
void addComparing(const WindowParts& parts);

}  // namespace threefold::ui
