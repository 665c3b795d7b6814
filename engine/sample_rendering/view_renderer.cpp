#include "engine/sample_rendering/view_renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "engine/error.h"
#include "engine/random_numbers.h"

namespace threefold {
namespace {

// Lighting of the bundled samples, on sRGB-encoded values: ambient, diffuse from the light, diffuse
// from the camera, specular.
constexpr float kAmbient = 0.35F;
constexpr float kDiffuse = 0.45F;
constexpr float kHeadlight = 0.3F;
constexpr float kSpecular = 0.12F;

constexpr int kSamplesPerPixel = kSupersampling * kSupersampling;
/// A transmittance below this value, an eighth of an 8-bit step, counts as 0.
constexpr float kMinTransmittance = 1.0F / 2048;

std::uint8_t toByte(float fraction) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(fraction, 0.0F, 1.0F) * 255.0F));
}

/// `sum`: colours × the fraction of the background that they hide, summed over the sample points of
/// a pixel; `hidden`: sum of these fractions.
void setPixel(const glm::vec3& sum, float hidden, std::uint8_t* rgba) {
    const std::uint8_t alpha = toByte(hidden / kSamplesPerPixel);
    if (alpha == 0) return;
    for (int channel = 0; channel < 3; ++channel) rgba[channel] = toByte(sum[channel] / hidden);
    rgba[3] = alpha;
}

std::vector<std::uint32_t> translucentFaces(const PreparedMesh& prepared,
                                            const SurfaceColour& surface) {
    std::vector<std::uint32_t> faces;
    for (std::uint32_t face = 0; face < prepared.mesh.faces.size(); ++face)
        if (surface.isTranslucent(face)) faces.push_back(face);
    return faces;
}

}  // namespace

glm::vec3 lightDirection(std::uint64_t seed, std::string_view id) {
    RandomGenerator random(~seed, id);
    const double azimuth = random.uniform(0, 2 * 3.14159265358979);
    const double height = random.uniform(0.35, 0.9);
    const double radius = std::sqrt(1 - height * height);
    return {radius * std::cos(azimuth), height, radius * std::sin(azimuth)};
}

ViewRenderer::ViewRenderer(const PreparedMesh& prepared, int side, glm::vec3 light, int threads,
                           RasterChoice choice)
    : prepared_(prepared),
      surface_(prepared),
      side_(side),
      light_(light),
      threads_(threads),
      choice_(std::move(choice)),
      layers_(prepared.mesh.faces, translucentFaces(prepared, surface_)) {
    if (layers_.empty()) return;
    for (std::uint32_t face = 0; face < prepared.mesh.faces.size(); ++face) {
        if (surface_.isTranslucent(face)) continue;
        opaqueIndices_.push_back(face);
        opaqueFaces_.push_back(prepared.mesh.faces[face]);
    }
}

Image ViewRenderer::render(const Camera& camera, const std::stop_token& cancel) {
    cameraCentre_ = glm::vec3(camera.centre);
    corners_ = toClipSpace(prepared_.mesh.vertices, kWorldSpace, camera);
    lastFace_.index = ShadedFace::kNone;
    RasterOptions options;
    options.choice = choice_;
    options.width = options.height = static_cast<std::uint32_t>(side_ * kSupersampling);
    options.threads = threads_;
    options.facesCacheKey = prepared_.opaqueFacesKey;
    options.cancel = cancel;
    Image image;
    image.width = image.height = side_;
    image.rgba.resize(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_) * 4);
    if (layers_.empty())
        drawOpaque(options, image);
    else
        drawLayers(options, image);
    return image;
}

void ViewRenderer::drawOpaque(const RasterOptions& options, Image& image) {
    const std::span<const glm::vec4> view(corners_);
    rasterize({&view, 1}, prepared_.mesh.faces, options, {&raster_, 1});
    const auto size = static_cast<std::size_t>(side_);
    const std::size_t stride = size * kSupersampling;
    for (std::size_t pixel = 0; pixel < size * size; ++pixel) {
        if (pixel % size == 0 && options.cancel.stop_requested()) throw Cancelled();
        const std::size_t corner =
            pixel / size * kSupersampling * stride + pixel % size * kSupersampling;
        glm::vec3 sum(0.0F);
        int coveredCount = 0;
        for (std::size_t y = 0; y < kSupersampling; ++y)
            for (std::size_t x = 0; x < kSupersampling; ++x) {
                const std::size_t point = corner + y * stride + x;
                if (raster_.facePlusOne[point] == 0) continue;
                sum +=
                    glm::vec3(colourAt(raster_.facePlusOne[point] - 1, raster_.barycentric[point]));
                ++coveredCount;
            }
        if (coveredCount > 0)
            setPixel(sum, static_cast<float>(coveredCount), &image.rgba[pixel * 4]);
    }
}

/// Draws opaque faces first, for their depths; then the layers of translucent faces in front of
/// them, front to back; then the opaque colours behind the layers. Only for meshes with translucent
/// faces.
void ViewRenderer::drawLayers(RasterOptions options, Image& image) {
    const std::size_t points = std::size_t{options.width} * options.height;
    const std::span<const glm::vec4> view(corners_);
    options.wantDepth = true;
    if (hasNoOpaqueFaces()) {
        raster_.facePlusOne.assign(points, 0);
        raster_.depth.assign(points, std::numeric_limits<float>::infinity());
    } else {
        rasterize({&view, 1}, opaqueFaces_, options, {&raster_, 1});
    }
    transmittance_.assign(points, 1.0F);
    sums_.assign(image.rgba.size() / 4, glm::vec3(0.0F));
    const auto blendUnder = [&](std::size_t point, std::uint32_t face, const glm::vec3& weights) {
        const glm::vec4 colour = colourAt(face, weights);
        float& transmittance = transmittance_[point];
        sums_[pixelOf(point)] += transmittance * colour.w * glm::vec3(colour);
        transmittance *= 1 - colour.w;
        if (transmittance < kMinTransmittance) transmittance = 0;
        return transmittance > 0;
    };
    layers_.draw(view, options, raster_.depth, blendUnder);

    std::vector<float> hidden(sums_.size());
    for (std::size_t point = 0; point < points; ++point) {
        if (raster_.facePlusOne[point] != 0 && transmittance_[point] > 0)
            blendUnder(point, opaqueIndices_[raster_.facePlusOne[point] - 1],
                       raster_.barycentric[point]);
        hidden[pixelOf(point)] += 1 - transmittance_[point];
    }
    for (std::size_t pixel = 0; pixel < sums_.size(); ++pixel)
        setPixel(sums_[pixel], hidden[pixel], &image.rgba[pixel * 4]);
}

std::size_t ViewRenderer::pixelOf(std::size_t point) const {
    const auto size = static_cast<std::size_t>(side_);
    const std::size_t stride = size * kSupersampling;
    return point / stride / kSupersampling * size + point % stride / kSupersampling;
}

glm::vec4 ViewRenderer::colourAt(std::uint32_t face, const glm::vec3& weights) {
    if (lastFace_.index != face) prepareFace(face);
    const SurfaceColour::MaterialTraits& traits = *lastFace_.traits;
    const glm::vec4 colour =
        traits.uniform ? traits.colour : surface_.at(face, weights, lastFace_.levels);
    if (colour.w == 0 || traits.isUnlit) return colour;
    return {lit(weights, glm::vec3(colour)), colour.w};
}

void ViewRenderer::prepareFace(std::uint32_t face) {
    lastFace_.index = face;
    lastFace_.traits = &surface_.traitsOf(face);
    const glm::u32vec3& corners = prepared_.mesh.faces[face];
    for (int k = 0; k < 3; ++k) lastFace_.corner[k] = prepared_.mesh.vertices[corners[k]];
    lastFace_.faceNormal = glm::cross(lastFace_.corner[1] - lastFace_.corner[0],
                                      lastFace_.corner[2] - lastFace_.corner[0]);
    if (!lastFace_.traits->textured) return;
    lastFace_.levels = {};
    const float half = static_cast<float>(side_ * kSupersampling) / 2;
    glm::vec2 pixels[3];
    for (int k = 0; k < 3; ++k) {
        const glm::vec4& clip = corners_[corners[k]];
        if (clip.w <= -clip.z) return;  // reaches behind the camera
        pixels[k] = glm::vec2(clip.x, clip.y) / clip.w * half;
    }
    lastFace_.levels = surface_.mipLevelsOf(face, pixels);
}

glm::vec3 ViewRenderer::lit(const glm::vec3& weights, const glm::vec3& colour) const {
    const glm::vec3* corner = lastFace_.corner;
    const glm::vec3 toCamera =
        glm::normalize(cameraCentre_ - interpolate(corner[0], corner[1], corner[2], weights));
    const glm::vec3* normals = &prepared_.normals[3 * std::size_t{lastFace_.index}];
    glm::vec3 normal = glm::normalize(interpolate(normals[0], normals[1], normals[2], weights));
    // Files wind faces in either direction, so both sides are lit equally.
    if (glm::dot(lastFace_.faceNormal, toCamera) < 0) normal = -normal;

    // With this order of arguments, a NaN normal counts as unlit.
    const float diffuse = std::max(0.0F, glm::dot(normal, light_));
    const float facing = std::max(0.0F, glm::dot(normal, toCamera));
    float specular = std::max(0.0F, glm::dot(normal, glm::normalize(light_ + toCamera)));
    for (int i = 0; i < 3; ++i) specular *= specular;
    return glm::min(
        colour * (kAmbient + kDiffuse * diffuse + kHeadlight * facing) + kSpecular * specular,
        glm::vec3(1.0F));
}

}  // namespace threefold
