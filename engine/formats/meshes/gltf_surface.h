#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/meshes/gltf_document.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

/// A material's colour seen face-on: the base colour of the metallic-roughness model, or, where the
/// material has it, the diffuse colour of KHR_materials_pbrSpecularGlossiness.
struct BaseColour {
    glm::vec4 factor{1.0F};  ///< linear
    bool hasFactor = false;
    const GltfDocument::Json* texture = nullptr;  ///< its textureInfo, part of the material
};
BaseColour baseColourOf(const GltfDocument::Json& material);

/// Gathers the surface while the primitives are read, one after the other. Textures that cannot be
/// read are listed as missing. Throws as GltfDocument.
class GltfLook {
  public:
    /// Both must outlive it.
    GltfLook(GltfDocument& document, MeshLook& look, Reach reach)
        : document_(document), look_(look), reach_(reach) {}

    struct Part {
        std::uint32_t material = kNoMaterial;
        std::optional<std::size_t> set;  ///< of its texture's coordinates
    };

    /// Begins a primitive, whose vertices begin at `base`.
    Part begin(const GltfDocument::Json& primitive, const std::optional<GltfAccessor>& colours,
               std::size_t base);
    /// Reserves room for the faces of this primitive.
    void expect(std::size_t faces, bool mapped);
    /// Adds a face, given by its vertices in the primitive and their texture coordinates.
    void addFace(const glm::u32vec3& corners, const std::optional<GltfAccessor>& coordinates);
    /// Fills in tints and coordinates that some primitives lack.
    void finish(std::size_t vertices, std::size_t faces);

  private:
    Part material(std::size_t number);
    std::optional<std::size_t> setTexture(const GltfDocument::Json& info, TextureMap& map);
    void setWraps(const GltfDocument::Json& texture, TextureMap& map) const;
    std::int32_t texture(std::size_t number);
    std::int32_t image(std::size_t number);
    Image readImage(const GltfDocument::Json& json, const std::string& place);

    GltfDocument& document_;
    MeshLook& look_;
    Reach reach_;                                 ///< of textures
    std::map<std::size_t, Part> parts_;           // by the number of the material
    std::map<std::size_t, std::int32_t> images_;  // in `textures`
    Part white_;
    Part current_;
};

}  // namespace threefold
