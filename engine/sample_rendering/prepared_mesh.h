#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/raster/rasterize.h"

namespace threefold {

/// Texture image with all its mip levels, so that distant surfaces do not flicker.
class Texture {
  public:
    /// `image` must not be empty.
    explicit Texture(Image image);

    /// Width and height of the image, texels.
    glm::vec2 size() const { return {levels_.front().width, levels_.front().height}; }
    /// Whether any pixel has an alpha below 255.
    bool hasAlpha() const { return hasAlpha_; }

    /// Samples bilinearly; returns sRGB-encoded colour and straight alpha, 0…1. Pixels are weighted
    /// by alpha, so that transparent ones add no colour. Any coordinate is valid; (0, 0) is the
    /// lower left corner. `level` 0 is the whole image; each further level is half as wide.
    glm::vec4 at(glm::vec2 coordinate, float level, Wrap wrapS = Wrap::repeat,
                 Wrap wrapT = Wrap::repeat) const;

  private:
    std::vector<Image> levels_;
    bool hasAlpha_ = false;
};

/// Computes a unit normal for each corner of each face (three per face): the angle-weighted mean of
/// adjacent faces at less than 40° to the corner's own face. Edges stay sharp, round surfaces
/// become smooth. Vertices at the same position count as one. Ignores normals from files, which are
/// often wrong. All faces must have area. Throws Cancelled.
std::vector<glm::vec3> creaseNormals(const Mesh& mesh, const std::stop_token& cancel = {});

/// Conversion of a file's coordinates to object space.
struct MeshConversion {
    bool isZUp = false;  ///< the file's z axis points up, as CAD programs and printers have it
    bool keepsCoordinates = false;  ///< already in object space: do not centre or scale
};

/// Mesh prepared for rendering.
struct PreparedMesh : FaceMaterials {
    Mesh mesh;                       ///< object space; every vertex in use, every face with area
    std::vector<glm::vec3> normals;  ///< three for each face, of length 1
    std::vector<glm::vec3> colours;  ///< sRGB; as many as vertices, or none
    std::vector<Texture> textures;
    std::size_t degenerateFaceCount = 0;  ///< faces dropped, as they have no area
    /// RasterOptions::facesCacheKey of the opaque faces, shared by all renderers.
    FacesCacheKey opaqueFacesKey = std::make_shared<FacesIdentity>();
};

/// Centres the bounding box of the face corners, scales its diagonal to 0.57 (METHOD.md §2), and
/// drops faces without area and unused vertices. Throws InputError, naming `textured.mesh.source`:
/// no faces, or none with area; Cancelled.
PreparedMesh prepareMesh(TexturedMesh textured, const MeshConversion& conversion = {},
                         const std::stop_token& cancel = {});

}  // namespace threefold
