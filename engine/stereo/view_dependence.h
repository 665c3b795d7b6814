#pragma once

#include <span>

#include "engine/mesh.h"
#include "engine/stereo/depth_maps.h"
#include "engine/stereo/stereo_view.h"

namespace threefold::stereo {

/// Fraction, 0…1, of a surface's changes of brightness between photographs that depends on the
/// view. Near 0: fixed light and a matt surface. Near 1: light that turns with the camera, as on a
/// turntable. Between: a glossy surface. 1 if there are too few observations. Computed as the
/// coefficient of determination of a linear fit: spherical harmonics up to degree 2, of the normal
/// and of the mirrored viewing direction in the camera's axes, explain logarithmic grey values, all
/// minus the means of each point and of each photograph. `surface`: world space, near the
/// photographed surface; `maps`: depthMaps() around `surface`. METHOD.md §7c.
double viewDependence(std::span<const StereoView> views, std::span<const DepthMap> maps,
                      const Mesh& surface);

}  // namespace threefold::stereo
