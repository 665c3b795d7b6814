#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/making/subject.h"

namespace threefold {

/// What a subject's surface is like by itself, before any light falls on it. Thread-safe.
class SurfaceLook {
  public:
    /// `subject` must stay.
    explicit SurfaceLook(const Subject& subject);

    /// Whether anything can be seen through the face anywhere: through blended ones, and through
    /// masks where they are cut out.
    bool showsThrough(std::uint32_t face) const;
    bool isUnlit(std::uint32_t face) const;
    bool isTextured(std::uint32_t face) const;

    /// Colour, sRGB-encoded, and opacity, both 0…1. `weights`: of the face's corners. `places`: of
    /// those in the picture, in points, which says how coarse a texture may be; null for a face
    /// that reaches behind the camera, or has none.
    glm::vec4 at(std::uint32_t face, const glm::vec3& weights, const glm::vec2* places) const;

  private:
    std::uint32_t materialOf(std::uint32_t face) const {
        return subject_.materialOfFace.empty() ? kNoMaterial : subject_.materialOfFace[face];
    }
    bool isTextured(const TextureMap& map) const {
        return map.texture != TextureMap::kNoTexture && !subject_.coordinates.empty();
    }
    const Texture& textureOf(const TextureMap& map) const {
        return subject_.textures[static_cast<std::size_t>(map.texture)];
    }
    glm::vec3 vertexColour(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec4 tint(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec4 sample(const TextureMap& map, std::uint32_t face, const glm::vec3& weights,
                     const glm::vec2* places) const;

    const Subject& subject_;
    std::vector<bool> mayShowThrough_;  // by material
    std::vector<glm::vec3> linear_;     // the materials' colours
    bool tintsShowThrough_ = false;
};

}  // namespace threefold
