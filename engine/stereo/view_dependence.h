#pragma once

#include <span>

#include "engine/mesh.h"
#include "engine/stereo/depth_maps.h"
#include "engine/stereo/stereo_view.h"

namespace threefold::stereo {

/// View-dependent share of the changes of a surface's brightness between photographs, 0…1: the
/// coefficient of determination of logarithmic grey values, less each point's and each photograph's
/// mean, by spherical harmonics up to degree 2 of the normal and of the mirrored viewing direction
/// in the camera's axes. Near 1 where the light turns with the camera, as on a turntable, between
/// where the surface shines, near 0 where the light is fixed and the surface matt; 1 where too
/// little is seen. `surface` is in world space and near the photographed one, `maps` are
/// depthMaps() around that surface. METHOD.md §7c.
double viewDependence(std::span<const StereoView> views, std::span<const DepthMap> maps,
                      const Mesh& surface);

}  // namespace threefold::stereo
