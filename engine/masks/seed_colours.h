#pragma once

#include "engine/cutout/seeded_cutout.h"
#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold {

/// Adds the colours of a photograph to the seeds: inside its mask, and in a ring around the mask.
/// The picture must have pixels (Image::isComplete()) and may have any size; its transparent pixels
/// contribute no colours.
void addSeedColours(CutoutSeeds& seeds, const Image& picture, const Mask& mask);

}  // namespace threefold
