#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/sample_rendering/prepared_mesh.h"

namespace threefold {

/// A value within a face: those of its corners, weighted.
template <class Value>
Value between(const Value& a, const Value& b, const Value& c, const glm::vec3& weights) {
    return weights.x * a + weights.y * b + weights.z * c;
}

/// The colour and opacity of a mesh's surface before lighting. Thread-safe.
class SurfaceColour {
  public:
    /// `prepared` must outlive it.
    explicit SurfaceColour(const PreparedMesh& prepared);

    /// Whether the face shows what is behind it anywhere: blended, or a mask that is cut out.
    bool showsThrough(std::uint32_t face) const;

    /// Properties common to all faces of a material.
    struct Kind {
        bool mayShowThrough = false;
        bool unlit = false;
        bool textured = false;
        bool uniform = false;    ///< the same everywhere
        glm::vec4 colour{1.0F};  ///< if uniform, the result of at()
    };
    const Kind& kindOf(std::uint32_t face) const {
        const std::uint32_t number = materialOf(face);
        return number == kNoMaterial ? bare_ : kinds_[number];
    }

    /// How often to halve the face's textures so that their pixels are as large as the sample
    /// points. `places`: the face's corners in the picture, in sample points.
    struct Levels {
        float map = 0;
        float opacityMap = 0;
    };
    Levels levelsOf(std::uint32_t face, const glm::vec2 (&places)[3]) const;

    /// Colour, sRGB-encoded, and opacity, both 0…1. `weights`: of the face's corners.
    glm::vec4 at(std::uint32_t face, const glm::vec3& weights, const Levels& levels) const;

  private:
    std::uint32_t materialOf(std::uint32_t face) const {
        return prepared_.materialOfFace.empty() ? kNoMaterial : prepared_.materialOfFace[face];
    }
    bool isTextured(const TextureMap& map) const {
        return map.texture != TextureMap::kNoTexture && !prepared_.coordinates.empty();
    }
    const Texture& textureOf(const TextureMap& map) const {
        return prepared_.textures[static_cast<std::size_t>(map.texture)];
    }
    Kind kindOfMaterial(const Material& material) const;
    static glm::vec4 finished(const Material& material, glm::vec4 seen);
    glm::vec3 vertexColour(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec4 tint(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec4 sample(const TextureMap& map, std::uint32_t face, const glm::vec3& weights,
                     float level) const;
    float levelOf(const TextureMap& map, std::uint32_t face, const glm::vec2 (&places)[3]) const;

    const PreparedMesh& prepared_;
    std::vector<Kind> kinds_;        // by material
    std::vector<glm::vec3> linear_;  // the materials' colours
    Kind bare_;                      // without a material
    bool tintsShowThrough_ = false;
};

}  // namespace threefold
