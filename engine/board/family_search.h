#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/board/markers.h"

namespace threefold::board {

/// Family that most of the markers in photographs belong to.
struct FamilyDetection {
    const MarkerFamily* family = nullptr;
    std::size_t markerCount = 0;      ///< different ids that two photographs or more show
    std::size_t photographCount = 0;  ///< photographs with two of these ids or more
};

/// Finds the family of the markers on a sheet, from a few photographs of the sheet. A texture that
/// looks like a marker by chance shows another id in each photograph: ids count that two
/// photographs show. nullopt: no family has enough of these ids, two, or four of a family of 16
/// bits, which chance meets more often. Same threads and exceptions as detectMarkers().
std::optional<FamilyDetection> findFamily(std::span<const Image> photographs);

}  // namespace threefold::board
