#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Returns why the size of the photograph's mask makes readPhotograph() throw; empty if it does
/// not, or if there is no mask. Reads only the headers of the two pictures. Throws as
/// readImageInfo().
std::string maskSizeProblem(const std::filesystem::path& file,
                            const std::filesystem::path& namedMask = {});

/// Reads the photograph, upright. Its maskFileOf(), if there is one, limits its opacity to the
/// mask's grey, or to the mask's alpha if the mask has transparent pixels. Throws as readImage(),
/// also for the mask, and InputError for a mask of another aspect ratio.
Image readPhotograph(const std::filesystem::path& file,
                     const std::filesystem::path& namedMask = {});

}  // namespace threefold
