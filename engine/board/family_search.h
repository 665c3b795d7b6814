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
    std::size_t idCount = 0;          ///< different ids that two photographs or more show
    std::size_t photographCount = 0;  ///< photographs with two of these ids or more
};

/// Finds the family of the markers on a sheet, from a few photographs of the sheet. A texture that
/// looks like a marker by chance mostly shows another id in each photograph, so only ids in two
/// photographs or more count: two such ids, four for families of 16 bits, which textures resemble
/// more often. Most markers must have such an id, or so many ids must be in half of the
/// photographs; and two photographs must show two of the ids each. nullopt: no family fulfils that.
/// Thread-safe. Throws InputError as detectMarkers() does.
std::optional<FamilyDetection> findFamily(std::span<const Image> photographs);

}  // namespace threefold::board
