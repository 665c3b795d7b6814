#pragma once

#include <filesystem>
#include <string>

#include "engine/mesh.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Points (and normals, where the file has them) of the true surface in the space of one view.
struct GroundTruth {
    Points points;
    Points normals;  ///< empty, or as many as points
    std::filesystem::path source;
};

/// Reads a pickle of METHOD.md §10 in either layout: bare N×6 (or N×3) array, or (image, array).
/// Throws IoError, NotThisFormat, FormatError, InputError (empty, not N×3/N×6, not finite).
GroundTruth readGroundTruth(const std::filesystem::path& file);

/// The sample's truth expressed in the space of view `firstView`, through the world with the two
/// cameras (METHOD.md §2). Throws as above; InputError where the sample has none.
GroundTruth loadGroundTruth(const Sample& sample, int firstView);

}  // namespace threefold
