#pragma once

#include <cstddef>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "ui/document/shown_document.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

/// Maximum number of faces for which materials become a texture; larger meshes get vertex colours.
inline constexpr std::size_t kMaxTexturedFaces = 200'000;

/// Colours of a file's mesh: vertex colours or, for a mesh with materials, a texture with a patch
/// for each face. A patch is about as large as the face in the file's own texture (2 to 64 pixels a
/// side, 16 million pixels in all). Ignores transparency. Empty if the file has no colours.
SurfacePaint paintOf(const TexturedMesh& textured);

}  // namespace threefold::ui
