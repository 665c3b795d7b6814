#pragma once

#include <string>

#include "engine/formats/pictures/image.h"
#include "engine/sample/surface_samples.h"

namespace threefold {

/// The pickle of METHOD.md §10: (image as the network gets it, RGB uint8 224×224×3; positions and
/// normals N×6 float32).
std::string formatTruthPickle(const Image& image, const SurfaceSamples& samples);

/// Positions and normals as a little-endian PLY of points.
std::string formatTruthPly(const SurfaceSamples& samples);

}  // namespace threefold
