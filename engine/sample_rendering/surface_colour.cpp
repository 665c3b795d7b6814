#include "engine/sample_rendering/surface_colour.h"

#include <algorithm>
#include <cmath>

#include "engine/formats/pictures/srgb.h"

namespace threefold {
namespace {

/// Default colour of surfaces without a colour.
constexpr glm::vec3 kPlain(0.72F, 0.72F, 0.73F);
constexpr glm::vec3 kWhite(1.0F);

float doubledArea(glm::vec2 one, glm::vec2 other) {
    return std::abs(one.x * other.y - one.y * other.x);
}

}  // namespace

SurfaceColour::SurfaceColour(const PreparedMesh& prepared) : prepared_(prepared) {
    hasTranslucentFactors_ = std::ranges::any_of(
        prepared.faceMaterials.linearColours, [](const glm::vec4& factor) { return factor.w < 1; });
    withoutMaterial_.uniform = prepared.colours.empty();
    withoutMaterial_.colour = glm::vec4(kPlain, 1);
    for (const Material& material : prepared.faceMaterials.materials) {
        linear_.push_back(linearFromSrgb(material.colour));
        traits_.push_back(materialTraits(material));
    }
}

SurfaceColour::MaterialTraits SurfaceColour::materialTraits(const Material& material) const {
    const bool mapped = isTextured(material.map);
    const bool opacityMapped = isTextured(material.opacityMap);
    const bool alpha = opacityMapped ? textureOf(material.opacityMap).hasAlpha()
                                     : mapped && textureOf(material.map).hasAlpha();
    const float opaqueFrom = material.alphaMode == AlphaMode::mask ? material.alphaCutoff : 1.0F;
    MaterialTraits traits;
    traits.mayBeTranslucent =
        material.alphaMode != AlphaMode::opaque && (material.opacity < opaqueFrom || alpha);
    traits.isUnlit = material.isUnlit;
    traits.textured = mapped || opacityMapped;
    traits.uniform = !traits.textured && prepared_.faceMaterials.linearColours.empty();
    traits.colour = withAlphaMode(material, glm::vec4(material.colour, material.opacity));
    return traits;
}

bool SurfaceColour::isTranslucent(std::uint32_t face) const {
    if (traitsOf(face).mayBeTranslucent) return true;
    const std::uint32_t materialIndex = materialOf(face);
    if (!hasTranslucentFactors_ || materialIndex == kNoMaterial ||
        prepared_.faceMaterials.materials[materialIndex].alphaMode == AlphaMode::opaque)
        return false;
    const glm::u32vec3& corner = prepared_.mesh.faces[face];
    return std::min({prepared_.faceMaterials.linearColours[corner.x].w,
                     prepared_.faceMaterials.linearColours[corner.y].w,
                     prepared_.faceMaterials.linearColours[corner.z].w}) < 1;
}

glm::vec4 SurfaceColour::withAlphaMode(const Material& material, glm::vec4 colour) {
    if (material.alphaMode == AlphaMode::opaque) colour.w = 1;
    if (material.alphaMode == AlphaMode::mask)
        colour.w = colour.w >= material.alphaCutoff ? 1.0F : 0.0F;
    return colour;
}

SurfaceColour::MipLevels SurfaceColour::mipLevelsOf(std::uint32_t face,
                                                    const glm::vec2 (&corners)[3]) const {
    const Material& material = prepared_.faceMaterials.materials[materialOf(face)];
    MipLevels levels;
    if (isTextured(material.map)) levels.map = mipLevelOf(material.map, face, corners);
    if (isTextured(material.opacityMap))
        levels.opacityMap = mipLevelOf(material.opacityMap, face, corners);
    return levels;
}

glm::vec4 SurfaceColour::at(std::uint32_t face, const glm::vec3& weights,
                            const MipLevels& levels) const {
    const std::uint32_t materialIndex = materialOf(face);
    if (materialIndex == kNoMaterial) return {vertexColour(face, weights), 1};
    const Material& material = prepared_.faceMaterials.materials[materialIndex];
    glm::vec4 seen(material.colour, material.opacity);
    const bool textured = isTextured(material.map);
    if (textured) {
        const glm::vec4 texel = sample(material.map, face, weights, levels.map);
        const glm::vec3 colour(texel);
        // Skips pow() in the common case: pow() takes as long as all the rest.
        seen = material.colour == kWhite
                   ? glm::vec4(colour, seen.w)
                   : glm::vec4(srgbFromLinear(linearFromSrgb(colour) * linear_[materialIndex]),
                               seen.w);
        if (!isTextured(material.opacityMap)) seen.w *= texel.w;
    }
    if (isTextured(material.opacityMap))
        seen.w *= sample(material.opacityMap, face, weights, levels.opacityMap).w;
    if (!prepared_.faceMaterials.linearColours.empty()) {
        const glm::vec4 factor = vertexFactor(face, weights);
        if (glm::vec3(factor) != kWhite) {
            const glm::vec3 linear =
                textured ? linearFromSrgb(glm::vec3(seen)) : linear_[materialIndex];
            seen = glm::vec4(srgbFromLinear(linear * glm::vec3(factor)), seen.w);
        }
        seen.w *= factor.w;
    }
    return withAlphaMode(material, seen);
}

glm::vec3 SurfaceColour::vertexColour(std::uint32_t face, const glm::vec3& weights) const {
    if (prepared_.colours.empty()) return kPlain;
    const glm::u32vec3& corner = prepared_.mesh.faces[face];
    return interpolate(prepared_.colours[corner.x], prepared_.colours[corner.y],
                       prepared_.colours[corner.z], weights);
}

glm::vec4 SurfaceColour::vertexFactor(std::uint32_t face, const glm::vec3& weights) const {
    const glm::u32vec3& corner = prepared_.mesh.faces[face];
    const glm::vec4& a = prepared_.faceMaterials.linearColours[corner.x];
    const glm::vec4& b = prepared_.faceMaterials.linearColours[corner.y];
    const glm::vec4& c = prepared_.faceMaterials.linearColours[corner.z];
    // Weights that add up to almost one must not make white less than white.
    return a == b && b == c ? a : interpolate(a, b, c, weights);
}

glm::vec4 SurfaceColour::sample(const TextureMap& map, std::uint32_t face, const glm::vec3& weights,
                                float level) const {
    const glm::vec2* corner = &prepared_.faceMaterials.textureCoordinates[3 * std::size_t{face}];
    const glm::vec2 texCoord =
        map.uvTransform * interpolate(corner[0], corner[1], corner[2], weights) + map.uvOffset;
    return textureOf(map).at(texCoord, level, map.wrapS, map.wrapT);
}

float SurfaceColour::mipLevelOf(const TextureMap& map, std::uint32_t face,
                                const glm::vec2 (&corners)[3]) const {
    const glm::vec2* texCoords = &prepared_.faceMaterials.textureCoordinates[3 * std::size_t{face}];
    const glm::vec2 size = textureOf(map).size();
    const float texels = doubledArea(map.uvTransform * (texCoords[1] - texCoords[0]) * size,
                                     map.uvTransform * (texCoords[2] - texCoords[0]) * size);
    const float points = doubledArea(corners[1] - corners[0], corners[2] - corners[0]);
    if (!(texels > 0) || !(points > 0)) return 0;
    return std::max(0.5F * std::log2(texels / points), 0.0F);
}

}  // namespace threefold
