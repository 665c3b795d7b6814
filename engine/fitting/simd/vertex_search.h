#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Coordinates by which an outline point finds its vertex: two in the image, three of the normal.
inline constexpr std::size_t kSearchDimensions = 5;

/// Infinitely far vertices pad the number of vertices to a multiple of this number.
inline constexpr std::size_t kVertexPadding = 16;

/// Nearest-vertex search for one instruction set; vertex_search.inl is compiled once for each. All
/// variants compute the same bits: products and sums are rounded one by one.
struct VertexSearch {
    std::string_view name;

    /// Finds the vertex nearest to each of `count` points (kSearchDimensions values each): least
    /// squared distance, lowest index among equals, 0 if no distance is finite. `vertices`: an
    /// array of `paddedCount` values for each axis; `nearest`: out, `count` indices.
    void (*find)(const float* const* vertices, std::size_t paddedCount, const float* points,
                 std::size_t count, std::uint32_t* nearest);
};

/// Implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(VertexSearch, runnableVertexSearches)

}  // namespace threefold::simd
