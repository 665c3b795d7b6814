#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/foreground.h"

namespace threefold {

/// Label of a pixel from the other photographs alone, before its own colour is used.
enum class PriorLabel : std::uint8_t { background, object, maybeBackground, maybeObject };

/// Where other photographs show the object, and in which colours.
struct CutoutPrior {
    using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

    int width = 0;
    int height = 0;
    std::vector<PriorLabel> labels;  ///< width · height, rows top to bottom
    std::vector<Colour> object;      ///< samples of the object's colours; may be empty
    std::vector<Colour> background;  ///< samples of the colours beside the object; may be empty
};

/// Mask of the object in a picture, of the picture's size: GrabCut, as in cutOut(), of the pixels
/// that the prior leaves open. Learns colours from the prior's samples as well. Transparent pixels
/// are background and teach no colour. The prior has the picture's aspect ratio. Deterministic,
/// thread-safe. Throws InputError: a build without OpenCV.
Mask cutOutWithPrior(const Image& picture, const CutoutPrior& prior);

/// Whether this build has OpenCV, which cuts out.
bool canCutOut();

}  // namespace threefold
