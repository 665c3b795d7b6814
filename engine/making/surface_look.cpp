#include "engine/making/surface_look.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

#include "engine/formats/srgb.h"

namespace threefold {
namespace {

/// Of things whose file names no colour.
constexpr glm::vec3 kPlain(0.72F, 0.72F, 0.73F);
constexpr glm::vec3 kWhite(1.0F);

template <class Value>
Value between(const Value& a, const Value& b, const Value& c, const glm::vec3& weights) {
    return weights.x * a + weights.y * b + weights.z * c;
}

float doubledArea(glm::vec2 one, glm::vec2 other) {
    return std::abs(one.x * other.y - one.y * other.x);
}

}  // namespace

SurfaceLook::SurfaceLook(const Subject& subject) : subject_(subject) {
    tintsShowThrough_ = std::any_of(subject.tints.begin(), subject.tints.end(),
                                    [](const glm::vec4& tint) { return tint.w < 1; });
    for (const Material& material : subject.materials) {
        const bool textureShows = isTextured(material.map) && !isTextured(material.opacityMap) &&
                                  textureOf(material.map).hasAlpha();
        const bool mapShows =
            isTextured(material.opacityMap) && textureOf(material.opacityMap).hasAlpha();
        const float most = material.kind == Opacity::mask ? material.cutoff : 1.0F;
        const bool shows = material.opacity < most || textureShows || mapShows;
        mayShowThrough_.push_back(material.kind != Opacity::opaque && shows);
        linear_.push_back(linearFromSrgb(material.colour));
    }
}

bool SurfaceLook::showsThrough(std::uint32_t face) const {
    const std::uint32_t number = materialOf(face);
    if (number == kNoMaterial) return false;
    if (mayShowThrough_[number]) return true;
    if (!tintsShowThrough_ || subject_.materials[number].kind == Opacity::opaque) return false;
    const glm::u32vec3& corner = subject_.mesh.faces[face];
    return std::min({subject_.tints[corner.x].w, subject_.tints[corner.y].w,
                     subject_.tints[corner.z].w}) < 1;
}

bool SurfaceLook::isUnlit(std::uint32_t face) const {
    const std::uint32_t number = materialOf(face);
    return number != kNoMaterial && subject_.materials[number].unlit;
}

bool SurfaceLook::isTextured(std::uint32_t face) const {
    const std::uint32_t number = materialOf(face);
    return number != kNoMaterial && (isTextured(subject_.materials[number].map) ||
                                     isTextured(subject_.materials[number].opacityMap));
}

glm::vec4 SurfaceLook::at(std::uint32_t face, const glm::vec3& weights,
                          const glm::vec2* places) const {
    const std::uint32_t number = materialOf(face);
    if (number == kNoMaterial) return {vertexColour(face, weights), 1};
    const Material& material = subject_.materials[number];
    glm::vec4 seen(material.colour, material.opacity);
    const bool textured = isTextured(material.map);
    if (textured) {
        const glm::vec4 texel = sample(material.map, face, weights, places);
        const glm::vec3 colour(texel);
        // The usual case, and pow() takes as long as all the rest.
        seen = material.colour == kWhite
                   ? glm::vec4(colour, seen.w)
                   : glm::vec4(srgbFromLinear(linearFromSrgb(colour) * linear_[number]), seen.w);
        if (!isTextured(material.opacityMap)) seen.w *= texel.w;
    }
    if (isTextured(material.opacityMap))
        seen.w *= sample(material.opacityMap, face, weights, places).w;
    if (!subject_.tints.empty()) {
        const glm::vec4 by = tint(face, weights);
        if (glm::vec3(by) != kWhite) {
            const glm::vec3 linear = textured ? linearFromSrgb(glm::vec3(seen)) : linear_[number];
            seen = glm::vec4(srgbFromLinear(linear * glm::vec3(by)), seen.w);
        }
        seen.w *= by.w;
    }
    if (material.kind == Opacity::opaque) seen.w = 1;
    if (material.kind == Opacity::mask) seen.w = seen.w >= material.cutoff ? 1.0F : 0.0F;
    return seen;
}

glm::vec3 SurfaceLook::vertexColour(std::uint32_t face, const glm::vec3& weights) const {
    if (subject_.colours.empty()) return kPlain;
    const glm::u32vec3& corner = subject_.mesh.faces[face];
    return between(subject_.colours[corner.x], subject_.colours[corner.y],
                   subject_.colours[corner.z], weights);
}

glm::vec4 SurfaceLook::tint(std::uint32_t face, const glm::vec3& weights) const {
    const glm::u32vec3& corner = subject_.mesh.faces[face];
    const glm::vec4& a = subject_.tints[corner.x];
    const glm::vec4& b = subject_.tints[corner.y];
    const glm::vec4& c = subject_.tints[corner.z];
    // Weights that add up to almost one must not make white less than white.
    return a == b && b == c ? a : between(a, b, c, weights);
}

/// By how much the texture's pixels are smaller than the points that are looked at, over the face,
/// is how often it is halved.
glm::vec4 SurfaceLook::sample(const TextureMap& map, std::uint32_t face, const glm::vec3& weights,
                              const glm::vec2* places) const {
    const Texture& texture = textureOf(map);
    const glm::vec2* at = &subject_.coordinates[3 * std::size_t{face}];
    const glm::vec2 place = map.turn * between(at[0], at[1], at[2], weights) + map.move;
    float level = 0;
    if (places != nullptr) {
        const glm::vec2 size = texture.size();
        const float texels =
            doubledArea(map.turn * (at[1] - at[0]) * size, map.turn * (at[2] - at[0]) * size);
        const float points = doubledArea(places[1] - places[0], places[2] - places[0]);
        if (texels > 0 && points > 0) level = std::max(0.5F * std::log2(texels / points), 0.0F);
    }
    return texture.at(place, level, map.across, map.up);
}

}  // namespace threefold
