#pragma once

#include "engine/formats/bytes/named_files.h"
#include "engine/formats/meshes/obj_surface.h"
#include "engine/formats/meshes/textured_mesh.h"

namespace threefold {

/// Gives `mesh` the surface of its OBJ file: reads the libraries and the textures of the materials
/// that its faces have. What cannot be had goes to `mesh.missing`.
void addMaterials(ObjSurface surface, const NamedFiles& files, TexturedMesh& mesh);

}  // namespace threefold
