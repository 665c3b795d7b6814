#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold {

/// Label of a pixel before its colour is used, as GrabCut takes it.
enum class SeedLabel : std::uint8_t { background, object, probableBackground, probableObject };

/// Where other photographs show the object, and in which colours: GrabCut's start.
struct CutoutSeeds {
    using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

    int width = 0;
    int height = 0;
    std::vector<SeedLabel> labels;      ///< width · height, rows top to bottom
    std::vector<Colour> objectColours;  ///< samples of the object's colours; may be empty
    /// Samples of the colours beside the object; may be empty.
    std::vector<Colour> backgroundColours;
};

/// Mask of the object in a picture, of the picture's size: GrabCut, as in cutOut(), of the pixels
/// that are probable only. Learns colours from the samples as well. Transparent pixels are
/// background and contribute no colours. `seeds` has the picture's aspect ratio. Deterministic,
/// thread-safe. Throws InputError: a build without OpenCV. `subject` names the picture in errors.
Mask cutOutWithSeeds(const Image& picture, const CutoutSeeds& seeds,
                     const std::filesystem::path& subject);

/// Whether this build has OpenCV, which cuts out.
bool canCutOut();

}  // namespace threefold
