#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/meshes/gltf_document.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// Base colour of a material: of the metallic-roughness model, or the diffuse colour of
/// KHR_materials_pbrSpecularGlossiness if the material has it.
struct BaseColour {
    glm::vec4 factor{1.0F};  ///< linear
    bool hasFactor = false;
    const GltfDocument::Json* texture = nullptr;  ///< textureInfo, part of the material
};
/// Base colour of a material, white if the material has none.
BaseColour baseColourOf(const GltfDocument::Json& material);

/// Collects the appearance while primitives are read, one after the other. Lists textures that
/// cannot be read in MeshAppearance::missing. Throws as GltfDocument.
class GltfAppearanceReader {
  public:
    /// `document` and `appearance` must outlive the object.
    GltfAppearanceReader(GltfDocument& document, MeshAppearance& appearance, AllowedFolders allowed)
        : document_(document), appearance_(appearance), allowed_(allowed) {}

    /// Material of a primitive and the texture coordinates that it needs.
    struct PrimitiveMaterial {
        std::uint32_t materialIndex = kNoMaterial;
        std::optional<std::size_t> texCoordSet;  ///< of the texture; nullopt: no texture
    };

    /// Begins a primitive whose first vertex is `base`.
    PrimitiveMaterial begin(const GltfDocument::Json& primitive,
                            const std::optional<GltfAccessor>& colours, std::size_t base);
    /// Reserves room for a number of further faces, with texture coordinates if `hasTexCoords`.
    void reserve(std::size_t faces, bool hasTexCoords);
    /// Adds a face by its vertices' indices in the primitive, with their texture coordinates.
    void addFace(const glm::u32vec3& corners, const std::optional<GltfAccessor>& coordinates);
    /// Fills in vertex colours and texture coordinates that some primitives lack.
    void finish(std::size_t vertices, std::size_t faces);

  private:
    PrimitiveMaterial material(std::size_t materialIndex);
    std::optional<std::size_t> setTexture(const GltfDocument::Json& info, TextureMap& map);
    void setWraps(const GltfDocument::Json& texture, TextureMap& map) const;
    std::int32_t texture(std::size_t textureIndex);
    std::int32_t image(std::size_t imageIndex);
    Image readImage(const GltfDocument::Json& json, const std::string& place);

    GltfDocument& document_;
    MeshAppearance& appearance_;
    AllowedFolders allowed_;                              ///< of textures
    std::map<std::size_t, PrimitiveMaterial> materials_;  // by material index
    std::map<std::size_t, std::int32_t> images_;          // image index → index in `textures`
    PrimitiveMaterial defaultMaterial_;
    PrimitiveMaterial current_;
};

}  // namespace threefold
