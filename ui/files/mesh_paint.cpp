#include "ui/files/mesh_paint.h"
#include "ui/document/shown_document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/sample_rendering/surface_colour.h"

namespace threefold::ui {
namespace {

using render::SceneTexture;
using render::SceneValues;

constexpr int kMinSide = 2, kMaxSide = 64;  // of a face's patch, pixels
constexpr int kWidth = 4096;                // of the texture, pixels
constexpr double kMaxPixels = 16e6;         // of the texture

PreparedMesh preparedOf(const TexturedMesh& textured) {
    PreparedMesh prepared;
    prepared.mesh = {textured.mesh.vertices, textured.mesh.faces};
    prepared.colours = textured.mesh.colours;
    prepared.faceMaterials = textured.appearance;
    for (const Image& image : textured.appearance.textures) prepared.textures.emplace_back(image);
    return prepared;
}

bool hasMaterials(const TexturedMesh& textured) {
    return std::ranges::any_of(textured.appearance.materialOfFace,
                               [](std::uint32_t material) { return material != kNoMaterial; });
}

SceneValues packed(const std::vector<glm::vec3>& colours) {
    SceneValues values(colours.size());
    std::ranges::transform(colours, values.begin(), render::packedColour);
    return values;
}

// Mean colours of the adjacent faces at each vertex; NaN at vertices without faces.
SceneValues atVertices(const PreparedMesh& prepared, const SurfaceColour& surface) {
    std::vector<glm::vec4> sums(prepared.mesh.vertices.size(), glm::vec4(0.0F));
    for (std::size_t face = 0; face < prepared.mesh.faces.size(); ++face) {
        for (int corner = 0; corner < 3; ++corner) {
            glm::vec3 weights(0.0F);
            weights[corner] = 1.0F;
            const glm::vec4 colour = surface.at(static_cast<std::uint32_t>(face), weights, {});
            sums[prepared.mesh.faces[face][corner]] += glm::vec4(glm::vec3(colour), 1.0F);
        }
    }
    SceneValues values(sums.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i].w > 0.0F) values[i] = render::packedColour(glm::vec3(sums[i]) / sums[i].w);
    return values;
}

// Side of a face's patch, in pixels: one more than the face's longest edge in its texture, clamped
// to kMinSide…kMaxSide; kMinSide without a texture.
float sideOf(const PreparedMesh& prepared, const SurfaceColour& surface, std::size_t face) {
    const auto index = static_cast<std::uint32_t>(face);
    if (!surface.traitsOf(index).textured || prepared.faceMaterials.textureCoordinates.empty())
        return kMinSide;
    const Material& material =
        prepared.faceMaterials.materials[prepared.faceMaterials.materialOfFace[face]];
    if (material.map.texture == TextureMap::kNoTexture) return kMinSide;
    const glm::vec2 size = prepared.textures[static_cast<std::size_t>(material.map.texture)].size();
    float longest = 0.0F;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::vec2 edge = prepared.faceMaterials.textureCoordinates[3 * face + (i + 1) % 3] -
                               prepared.faceMaterials.textureCoordinates[3 * face + i];
        longest = std::max(longest, glm::length(material.map.uvTransform * edge * size));
    }
    return std::clamp(std::isfinite(longest) ? std::ceil(longest) + 1 : 0.0F,
                      static_cast<float>(kMinSide), static_cast<float>(kMaxSide));
}

std::vector<int> sidesOf(const PreparedMesh& prepared, const SurfaceColour& surface) {
    std::vector<float> ideal(prepared.mesh.faces.size());
    double area = 0;
    for (std::size_t face = 0; face < ideal.size(); ++face) {
        ideal[face] = sideOf(prepared, surface, face);
        area += static_cast<double>(ideal[face]) * static_cast<double>(ideal[face]);
    }
    const auto shrink = static_cast<float>(std::min(1.0, std::sqrt(0.8 * kMaxPixels / area)));
    std::vector<int> sides(ideal.size());
    std::ranges::transform(ideal, sides.begin(), [shrink](float side) {
        return std::max(kMinSide, static_cast<int>(side * shrink));
    });
    return sides;
}

// Paints the square patch of a face. The face's corners are the centres of the first pixel, the
// last pixel of the first row and the first pixel of the last row. A margin of one pixel around the
// square continues the colours for interpolation.
void paintFace(SceneTexture& texture, const SurfaceColour& surface, std::size_t face, int left,
               int top, int side) {
    const auto last = static_cast<float>(side - 1);
    for (int y = -1; y <= side; ++y) {
        for (int x = -1; x <= side; ++x) {
            glm::vec2 uv(static_cast<float>(std::max(x, 0)) / last,
                         static_cast<float>(std::max(y, 0)) / last);
            const float sum = uv.x + uv.y;
            if (sum > 1.0F) uv /= sum;
            const glm::vec3 weights(std::max(0.0F, 1.0F - uv.x - uv.y), uv.x, uv.y);
            const glm::vec4 colour = surface.at(static_cast<std::uint32_t>(face), weights, {});
            std::uint8_t* pixel = &texture.pixels[4 * (static_cast<std::size_t>(top + y) * kWidth +
                                                       static_cast<std::size_t>(left + x))];
            for (int i = 0; i < 3; ++i) {
                pixel[i] = static_cast<std::uint8_t>(
                    std::lround(255.0F * glm::clamp(colour[i], 0.0F, 1.0F)));
            }
            pixel[3] = 255;
        }
    }
    const auto texCoord = [&](int x, int y) {
        return glm::vec2((static_cast<float>(left + x) + 0.5F) / kWidth,
                         static_cast<float>(top + y) + 0.5F);
    };
    texture.texCoords[3 * face] = texCoord(0, 0);
    texture.texCoords[3 * face + 1] = texCoord(side - 1, 0);
    texture.texCoords[3 * face + 2] = texCoord(0, side - 1);
}

// Packs the patches side by side into strips of the texture, the highest patches first.
render::SceneTextureRef baked(const PreparedMesh& prepared, const SurfaceColour& surface) {
    const std::vector<int> sides = sidesOf(prepared, surface);
    std::vector<std::size_t> order(sides.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t face) { return sides[face]; });
    auto texture = std::make_shared<SceneTexture>();
    texture->width = kWidth;
    texture->texCoords.resize(3 * sides.size());
    int left = 0, top = 0;
    for (const std::size_t face : order) {
        const int side = sides[face];
        const int padded = side + 2;
        if (left + padded > kWidth) {
            left = 0;
            top = texture->height;
        }
        if (top + padded > texture->height) {
            texture->height = top + padded;
            texture->pixels.resize(4 * std::size_t{kWidth} *
                                   static_cast<std::size_t>(texture->height));
        }
        paintFace(*texture, surface, face, left + 1, top + 1, side);
        left += padded;
    }
    for (glm::vec2& corner : texture->texCoords) corner.y /= static_cast<float>(texture->height);
    return texture;
}

}  // namespace

SurfacePaint paintOf(const TexturedMesh& textured) {
    SurfacePaint paint;
    if (!textured.mesh.colours.empty())
        paint.colours = std::make_shared<const SceneValues>(packed(textured.mesh.colours));
    if (textured.mesh.faces.empty() || !hasMaterials(textured)) return paint;
    const PreparedMesh prepared = preparedOf(textured);
    const SurfaceColour surface(prepared);
    if (prepared.mesh.faces.size() > kMaxTexturedFaces)
        paint.colours = std::make_shared<const SceneValues>(atVertices(prepared, surface));
    else
        paint.texture = baked(prepared, surface);
    return paint;
}

}  // namespace threefold::ui
