#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold {

/// Initial label of a pixel for GrabCut.
enum class SeedLabel : std::uint8_t { background, object, probableBackground, probableObject };

/// Start of GrabCut: initial labels, and colours of object and background in other photographs.
struct CutoutSeeds {
    using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

    int width = 0;
    int height = 0;
    std::vector<SeedLabel> labels;      ///< width · height, rows top to bottom
    std::vector<Colour> objectColours;  ///< samples of the object's colours; may be empty
    /// Samples of the colours beside the object; may be empty.
    std::vector<Colour> backgroundColours;
};

/// Mask of the object in a picture, of the picture's size: GrabCut (see cutOut()) decides on the
/// pixels whose labels are only probable, and also learns colours from the samples. Transparent
/// pixels are background and contribute no colours. `seeds` has the picture's aspect ratio.
/// Deterministic, thread-safe. Throws InputError: OpenCV failed, or a build without OpenCV.
/// `subject` names the picture in errors.
Mask cutOutWithSeeds(const Image& picture, const CutoutSeeds& seeds,
                     const std::filesystem::path& subject);

/// Whether this build has OpenCV, which cutOut() and cutOutWithSeeds() need.
bool canCutOut();

}  // namespace threefold
