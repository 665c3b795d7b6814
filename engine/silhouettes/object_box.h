#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "engine/silhouettes/hull_box.h"
#include "engine/silhouettes/silhouette_query.h"

namespace threefold {

/// Estimates the object's bounding box from its silhouettes. Upper bound: the box of the visual
/// hull. Lower bound: the smallest box that touches, on every ray through a silhouette's outline,
/// the segment inside the hull, since the object touches each of these rays. The result is 0.9 ×
/// lower bound + 0.1 × upper bound. `standsOnGround`: the object stands on z = 0. A silhouette at
/// the photograph's border says nothing about points outside the photograph. nullopt: fewer than
/// two silhouettes, parallel views, or no common point. Throws Cancelled.
std::optional<Box3d> objectBox(std::span<const PosedMask> silhouettes, bool standsOnGround,
                               const std::stop_token& cancel = {});

}  // namespace threefold
