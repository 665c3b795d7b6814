#pragma once

#include <vector>

#include "render/orbit_camera.h"
#include "render/pane_layout.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// The strokes that show the directions of x (red), y (green) and z (blue) in the bottom left
/// corner of a pane, each with its letter; the farthest axis first. In device pixels of the target;
/// `ratio`: of them to a logical one.
std::vector<shared::DecorationConstants> axesOf(const OrbitCamera& camera, const PaneRect& pane,
                                                float ratio);

}  // namespace threefold::render
