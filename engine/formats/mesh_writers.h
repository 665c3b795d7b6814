#pragma once

#include <filesystem>
#include <string>

#include "engine/mesh.h"

namespace threefold {

/// Wavefront OBJ text exactly as the seed's scripts write it (METHOD.md §10): `v %.6f %.6f %.6f`
/// then `f` with 1-based indices, '\n' line ends, independent of the locale. Throws InputError when
/// a face names a missing vertex or a coordinate is not finite.
std::string formatObj(const Mesh& mesh);

/// One `x y z` line a point in numpy.savetxt's default format, `%.18e` of the float32 value.
/// Throws InputError when a coordinate is not finite.
std::string formatXyz(const Points& points);

/// Write whole or not at all. Throw IoError; InputError as above (nothing is written then).
void writeObj(const std::filesystem::path& file, const Mesh& mesh);
void writeXyz(const std::filesystem::path& file, const Points& points);

}  // namespace threefold
