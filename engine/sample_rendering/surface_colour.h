#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/sample_rendering/prepared_mesh.h"

namespace threefold {

/// Interpolates corner values of a face with barycentric weights.
template <class Value>
Value interpolate(const Value& a, const Value& b, const Value& c, const glm::vec3& weights) {
    return weights.x * a + weights.y * b + weights.z * c;
}

/// Colour and opacity of a mesh's surface before lighting. Thread-safe.
class SurfaceColour {
  public:
    /// `prepared` must outlive the object.
    explicit SurfaceColour(const PreparedMesh& prepared);

    /// Whether the face may have points that are not opaque: blended, or cut out by a mask.
    bool isTranslucent(std::uint32_t face) const;

    /// Properties common to all faces of a material.
    struct MaterialTraits {
        bool mayBeTranslucent = false;
        bool isUnlit = false;
        bool textured = false;
        bool uniform = false;    ///< whether the colour is the same everywhere
        glm::vec4 colour{1.0F};  ///< if uniform, the result of at()
    };
    const MaterialTraits& traitsOf(std::uint32_t face) const {
        const std::uint32_t materialIndex = materialOf(face);
        return materialIndex == kNoMaterial ? withoutMaterial_ : traits_[materialIndex];
    }

    /// Mip levels of the face's textures at which a texel is as large as a sample point. `corners`:
    /// the face's corners in the picture, in sample points.
    struct MipLevels {
        float map = 0;
        float opacityMap = 0;
    };
    MipLevels mipLevelsOf(std::uint32_t face, const glm::vec2 (&corners)[3]) const;

    /// Colour, sRGB-encoded, and opacity, both 0…1. `weights`: barycentric weights.
    glm::vec4 at(std::uint32_t face, const glm::vec3& weights, const MipLevels& levels) const;

  private:
    std::uint32_t materialOf(std::uint32_t face) const {
        return prepared_.faceMaterials.materialOfFace.empty()
                   ? kNoMaterial
                   : prepared_.faceMaterials.materialOfFace[face];
    }
    bool isTextured(const TextureMap& map) const {
        return map.texture != TextureMap::kNoTexture &&
               !prepared_.faceMaterials.textureCoordinates.empty();
    }
    const Texture& textureOf(const TextureMap& map) const {
        return prepared_.textures[static_cast<std::size_t>(map.texture)];
    }
    MaterialTraits materialTraits(const Material& material) const;
    static glm::vec4 withAlphaMode(const Material& material, glm::vec4 colour);
    glm::vec3 vertexColour(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec4 vertexFactor(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec4 sample(const TextureMap& map, std::uint32_t face, const glm::vec3& weights,
                     float level) const;
    float mipLevelOf(const TextureMap& map, std::uint32_t face,
                     const glm::vec2 (&corners)[3]) const;

    const PreparedMesh& prepared_;
    std::vector<MaterialTraits> traits_;  // one per material
    std::vector<glm::vec3> linear_;       // material colours, linear
    MaterialTraits withoutMaterial_;      // for faces without a material
    bool hasTranslucentFactors_ = false;
};

}  // namespace threefold
