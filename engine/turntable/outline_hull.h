#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/silhouettes/silhouette_query.h"

namespace threefold::turntable {

/// Corners of the convex hull of an outline, at focal length 1, x right, y up. Empty: no outline.
using OutlineHull = std::vector<glm::dvec2>;

/// Convex hull of a mask's outline, as the view's lens shows it; ignores the view's pose. Empty if
/// the mask is empty or reaches the picture's border. Thread-safe.
OutlineHull outlineHullOf(PosedMask view);

/// Number of outlines that are not empty.
std::size_t wholeOutlineCount(std::span<const OutlineHull> outlines);

}  // namespace threefold::turntable
