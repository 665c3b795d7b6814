#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// What a place on an outline finds its vertex by: two in the image, three of the normal.
inline constexpr std::size_t kSearchAxes = 5;

/// Vertices are padded to a multiple of this with infinitely far ones.
inline constexpr std::size_t kSearchLanes = 16;

/// The search for one instruction set; vertex_search.inl is compiled once for each. All compute the
/// same bits: products and sums are rounded one by one.
struct VertexSearch {
    std::string_view name;

    /// For each of `places` (kSearchAxes values each) the vertex with the least squared distance,
    /// the lowest index among equals, 0 where none is finite. `vertices`: an array of `padded`
    /// values for each axis.
    void (*find)(const float* const* vertices, std::size_t padded, const float* places,
                 std::size_t count, std::uint32_t* where);
};

/// The implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(VertexSearch, availableVertexSearches)

}  // namespace threefold::simd
