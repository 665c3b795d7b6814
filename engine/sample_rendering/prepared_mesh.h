#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/texture.h"

namespace threefold {

/// Conversion of a file's coordinates to object space.
struct MeshConversion {
    bool isZUp = false;  ///< the file's z axis points up, as CAD programs and printers have it
    bool keepsCoordinates = false;  ///< already in object space: do not centre or scale
};

/// Mesh prepared for rendering.
struct PreparedMesh {
    Mesh mesh;                       ///< object space; every vertex in use, every face with area
    std::vector<glm::vec3> normals;  ///< three for each face, of length 1
    std::vector<glm::vec3> colours;  ///< sRGB; as many as vertices, or none
    FaceMaterials faceMaterials;
    std::vector<Texture> textures;
    std::size_t degenerateFaceCount = 0;  ///< faces dropped, as they have no area
    /// RasterOptions::facesCacheKey of the opaque faces, shared by all renderers.
    FacesCacheKey opaqueFacesKey = std::make_shared<FacesIdentity>();
};

/// Turns the mesh so that y points up. Unless its coordinates are kept, centres the bounding box of
/// the face corners and scales the box's diagonal to 0.57 (METHOD.md §2). Drops faces without area
/// and unused vertices. Throws InputError, naming `textured.mesh.source`: no faces, or none with
/// area; Cancelled.
PreparedMesh prepareMesh(TexturedMesh textured, const MeshConversion& conversion = {},
                         const std::stop_token& cancel = {});

}  // namespace threefold
