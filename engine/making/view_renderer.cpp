#include "engine/making/view_renderer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/making/chance.h"
#include "engine/sample/clip_space.h"

namespace threefold {
namespace {

/// Of things whose file names no colour.
constexpr glm::vec3 kPlain(0.72F, 0.72F, 0.73F);

// How the bundled samples are lit, in sRGB's own values: everywhere, from the light, from the eye.
constexpr float kAmbient = 0.35F;
constexpr float kFromLight = 0.45F;
constexpr float kFromEye = 0.3F;
constexpr float kGloss = 0.12F;

constexpr int kPoints = kSupersampling * kSupersampling;

std::uint8_t toByte(float share) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * 255.0F));
}

template <class Value>
Value between(const Value& a, const Value& b, const Value& c, const glm::vec3& weights) {
    return weights.x * a + weights.y * b + weights.z * c;
}

}  // namespace

glm::vec3 lightOf(std::uint64_t seed, std::string_view item) {
    Chance chance(~seed, item);
    const double turn = chance.between(0, 2 * 3.14159265358979);
    const double height = chance.between(0.35, 0.9);
    const double reach = std::sqrt(1 - height * height);
    return {reach * std::cos(turn), height, reach * std::sin(turn)};
}

ViewRenderer::ViewRenderer(const Subject& subject, int size, glm::vec3 light, int threads)
    : subject_(subject), size_(size), light_(light), threads_(threads) {}

Image ViewRenderer::render(const Camera& camera, const std::stop_token& cancel) {
    eye_ = glm::vec3(camera.origin);
    corners_ = toClipSpace(subject_.mesh.vertices, Camera{}, camera);
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(size_ * kSupersampling);
    options.threads = threads_;
    options.cancel = cancel;
    const std::span<const glm::vec4> view(corners_);
    rasterize({&view, 1}, subject_.mesh.faces, options, {&raster_, 1});
    Image image;
    image.width = image.height = size_;
    image.rgba.resize(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_) * 4);
    shade(image);
    return image;
}

void ViewRenderer::shade(Image& image) {
    const auto size = static_cast<std::size_t>(size_);
    const std::size_t stride = size * kSupersampling;
    for (std::size_t pixel = 0; pixel < size * size; ++pixel) {
        const std::size_t corner =
            pixel / size * kSupersampling * stride + pixel % size * kSupersampling;
        glm::vec3 sum(0.0F);
        int covered = 0;
        for (std::size_t y = 0; y < kSupersampling; ++y) {
            for (std::size_t x = 0; x < kSupersampling; ++x) {
                const std::size_t at = corner + y * stride + x;
                if (raster_.face[at] == 0) continue;
                sum += colourAt(raster_.face[at] - 1, raster_.barycentric[at]);
                ++covered;
            }
        }
        if (covered == 0) continue;
        std::uint8_t* rgba = &image.rgba[pixel * 4];
        for (int channel = 0; channel < 3; ++channel)
            rgba[channel] = toByte(sum[channel] / static_cast<float>(covered));
        rgba[3] = toByte(static_cast<float>(covered) / kPoints);
    }
}

glm::vec3 ViewRenderer::colourAt(std::uint32_t face, const glm::vec3& weights) const {
    const glm::u32vec3& corner = subject_.mesh.faces[face];
    const Points& vertices = subject_.mesh.vertices;
    const glm::vec3& a = vertices[corner.x];
    const glm::vec3& b = vertices[corner.y];
    const glm::vec3& c = vertices[corner.z];
    const glm::vec3 toEye = glm::normalize(eye_ - between(a, b, c, weights));
    const glm::vec3* normals = &subject_.normals[3 * std::size_t{face}];
    glm::vec3 normal = glm::normalize(between(normals[0], normals[1], normals[2], weights));
    // Files turn their faces either way: both sides look the same.
    if (glm::dot(glm::cross(b - a, c - a), toEye) < 0) normal = -normal;

    // In this order of arguments, what has no direction counts as unlit.
    const float lit = std::max(0.0F, glm::dot(normal, light_));
    const float seen = std::max(0.0F, glm::dot(normal, toEye));
    float gloss = std::max(0.0F, glm::dot(normal, glm::normalize(light_ + toEye)));
    for (int i = 0; i < 3; ++i) gloss *= gloss;
    const glm::vec3 colour =
        surfaceColour(face, weights) * (kAmbient + kFromLight * lit + kFromEye * seen) +
        kGloss * gloss;
    return glm::min(colour, glm::vec3(1.0F));
}

glm::vec3 ViewRenderer::surfaceColour(std::uint32_t face, const glm::vec3& weights) const {
    const std::uint32_t number =
        subject_.materialOfFace.empty() ? kNoMaterial : subject_.materialOfFace[face];
    if (number != kNoMaterial) {
        const Material& material = subject_.materials[number];
        if (material.texture == Material::kNoTexture || subject_.coordinates.empty())
            return material.colour;
        const Texture& texture = subject_.textures[static_cast<std::size_t>(material.texture)];
        const glm::vec2* at = &subject_.coordinates[3 * std::size_t{face}];
        return texture.at(between(at[0], at[1], at[2], weights), textureLevel(face, texture));
    }
    if (subject_.colours.empty()) return kPlain;
    const glm::u32vec3& corner = subject_.mesh.faces[face];
    return between(subject_.colours[corner.x], subject_.colours[corner.y],
                   subject_.colours[corner.z], weights);
}

/// By how much the texture's pixels are smaller than the points that are looked at, over the face.
float ViewRenderer::textureLevel(std::uint32_t face, const Texture& texture) const {
    const glm::u32vec3& corner = subject_.mesh.faces[face];
    const float half = static_cast<float>(size_ * kSupersampling) / 2;
    glm::vec2 place[3];
    for (int k = 0; k < 3; ++k) {
        const glm::vec4& clip = corners_[corner[k]];
        if (clip.w <= -clip.z) return 0;  // reaches behind the camera
        place[k] = glm::vec2(clip.x, clip.y) / clip.w * half;
    }
    const glm::vec2* at = &subject_.coordinates[3 * std::size_t{face}];
    const auto area = [](glm::vec2 one, glm::vec2 other) {
        return std::abs(one.x * other.y - one.y * other.x);
    };
    const glm::vec2 size = texture.size();
    const float texels = area((at[1] - at[0]) * size, (at[2] - at[0]) * size);
    const float points = area(place[1] - place[0], place[2] - place[0]);
    if (!(texels > 0) || !(points > 0)) return 0;
    return std::max(0.5F * std::log2(texels / points), 0.0F);
}

}  // namespace threefold
