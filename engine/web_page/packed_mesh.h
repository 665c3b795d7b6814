#pragma once

#include <optional>
#include <string>

#include "engine/web_page/web_page.h"

namespace threefold {

/// Range that packed 16-bit values span, linearly.
struct PackedRange {
    float min = 0;  ///< value packed as 0
    float max = 0;  ///< value packed as kMaxPackedValue
};

/// A mesh as bytes for a page. Numbers are little-endian. The bytes hold, in this order: positions,
/// three 16-bit numbers for each vertex, as fractions of the box; values and differences, each one
/// 16-bit number for each vertex, if any; texture coordinates, two 16-bit numbers for each corner
/// of each face, if textured; faces, three index deltas each: the first corner minus the previous
/// face's first corner, and the second and third corner minus the first, zigzag-coded in groups of
/// seven bits, lowest first.
struct PackedMesh {
    std::string bytes;
    Box3f box;
    std::optional<PackedRange> values = {};
    std::optional<PackedRange> differences = {};
};

inline constexpr int kMaxPackedValue = 65534;  ///< maximum of a packed value
inline constexpr int kPackedMissing = 65535;   ///< missing value or texture coordinate

/// Packs a mesh. Throws as webPageHtml().
PackedMesh packMesh(const WebMesh& mesh);

}  // namespace threefold
