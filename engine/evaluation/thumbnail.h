#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample_steps/fitted_reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Side of each picture of a thumbnail, in pixels.
inline constexpr int kThumbnailSide = 128;

/// Makes a thumbnail: the first input image and, from its camera, the network's published meshes,
/// the fitted one if any, and the truth if it has points; side by side, each kThumbnailSide wide.
/// Takes a few milliseconds; needs no display. Write the result with writePng() to thumbnailFile().
/// Throws InputError without an image.
Image makeThumbnail(const NetworkInput& input, const FittedReconstruction& reconstruction,
                    const GroundTruth& truth = {});

}  // namespace threefold
