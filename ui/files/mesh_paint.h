#pragma once

#include <cstddef>

#include "engine/formats/meshes/mesh_files.h"
#include "ui/document/shown_values.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

/// Faces up to which a mesh's materials become a texture; larger meshes have colours at their
/// vertices.
inline constexpr std::size_t kMostTexturedFaces = 200'000;

/// The colours of a file's mesh: vertex colours and, where materials differ on the surface, a
/// texture with a patch for each face, as large as the file's own texture there (2 to 64 pixels a
/// side, all together 16 million at most). Transparency is left out. Nothing where the file has no
/// colours.
SurfacePaint paintOf(const TexturedMesh& textured);

}  // namespace threefold::ui
