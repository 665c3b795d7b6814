#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/meshes/textured_mesh.h"
#include "engine/mesh.h"
#include "engine/sample_rendering/texture.h"

namespace threefold {

/// A unit normal for each corner of each face (three per face): the mean, weighted by angle, of the
/// adjacent faces at less than 40° to its own. Edges stay sharp, round surfaces become smooth.
/// Vertices at the same position count as one. Normals in files are ignored: they are often wrong.
/// All faces must have area.
std::vector<glm::vec3> creaseNormals(const Mesh& mesh);

/// How a file's coordinates are converted to ShapeNet's world.
struct MeshPlacement {
    bool zUp = false;   ///< the file's z axis points up, as CAD programs and printers have it
    bool asIs = false;  ///< already in ShapeNet's world: neither centred nor scaled
};

/// A mesh ready to be rendered.
struct PreparedMesh {
    Mesh mesh;                       ///< world space; every vertex in use, every face with area
    std::vector<glm::vec3> normals;  ///< three for each face, of length 1
    std::vector<glm::vec3> colours;  ///< sRGB; as many as vertices, or none
    std::vector<std::uint32_t> materialOfFace;  ///< as TexturedMesh has it; may be empty
    std::vector<Material> materials;
    std::vector<glm::vec2> coordinates;  ///< three for each face, or none
    std::vector<glm::vec4> tints;        ///< as TexturedMesh has them; as many as vertices, or none
    std::vector<Texture> textures;
    std::size_t withoutArea = 0;  ///< faces that were left out
};

/// Centres the box of the faces' corners, scales its diagonal to 0.57 (METHOD.md §2), and leaves
/// out faces without area and vertices that no face has. Throws InputError, which names
/// `textured.mesh.source`: no faces, none with area.
PreparedMesh prepareMesh(TexturedMesh textured, const MeshPlacement& placing = {});

}  // namespace threefold
