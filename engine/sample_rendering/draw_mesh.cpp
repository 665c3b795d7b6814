#include "engine/sample_rendering/draw_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/pictures/square_pictures.h"
#include "engine/raster/rasterize.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

constexpr std::size_t kBytesPerPixel = 4;
constexpr double kFullByte = 255.0;

bool isInFrontOfCamera(const glm::vec3& vertex) {
    return isFinite(vertex) && vertex.z < -static_cast<float>(kNearPlane);
}

Faces visibleFaces(const Points& vertices, const Faces& faces) {
    Faces visible;
    std::ranges::copy_if(faces, std::back_inserter(visible), [&](glm::u32vec3 face) {
        return std::max({face.x, face.y, face.z}) < vertices.size() &&
               isInFrontOfCamera(vertices[face.x]) && isInFrontOfCamera(vertices[face.y]) &&
               isInFrontOfCamera(vertices[face.z]);
    });
    return visible;
}

std::uint8_t shadeOf(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    constexpr double kAmbient = 0.35;
    const glm::dvec3 light = glm::normalize(glm::dvec3(-0.35, 0.55, 0.76));
    const glm::dvec3 normal = glm::cross(glm::dvec3(b - a), glm::dvec3(c - a));
    const double length = glm::length(normal);
    const double tilt = length > 0 ? std::abs(glm::dot(normal, light)) / length : 0.0;
    return static_cast<std::uint8_t>(std::lround(kFullByte * (kAmbient + (1 - kAmbient) * tilt)));
}

/// The truth's surface, or its points as small squares perpendicular to their normals.
Mesh drawableTruth(const GroundTruth& truth) {
    if (!truth.surface.faces.empty()) return truth.surface;
    constexpr float kHalf = 0.0075F;  // half the side of a square, object units
    Mesh mesh;
    for (std::size_t i = 0; i < truth.points.size(); ++i) {
        const glm::vec3 normal = truth.normals.empty() ? glm::vec3(0, 0, 1) : truth.normals[i];
        const glm::vec3 other = std::abs(normal.x) < 0.7F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
        const glm::vec3 across = glm::cross(normal, other);
        if (!(glm::length(across) > 0)) continue;
        const glm::vec3 u = kHalf * glm::normalize(across);
        const glm::vec3 v = kHalf * glm::normalize(glm::cross(normal, across));
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (const glm::vec3& corner : {-u - v, u - v, u + v, v - u})
            mesh.vertices.push_back(truth.points[i] + corner);
        mesh.faces.emplace_back(first, first + 1, first + 2);
        mesh.faces.emplace_back(first, first + 2, first + 3);
    }
    return mesh;
}

}  // namespace

Image drawMesh(const Points& vertices, const Faces& faces, int side) {
    constexpr int kSupersampling = 2;  // samples per pixel along each axis, for smooth edges
    const Faces visible = visibleFaces(vertices, faces);
    if (visible.empty()) {
        const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
        return {side, side, std::vector<std::uint8_t>(pixels * kBytesPerPixel)};
    }
    Points finite = vertices;
    std::ranges::replace_if(
        finite, [](const glm::vec3& vertex) { return !isInFrontOfCamera(vertex); },
        glm::vec3(0, 0, -1));
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(side * kSupersampling);
    options.threads = 1;  // waking other threads takes longer for small images
    const Camera camera;
    const std::vector<glm::vec4> corners = toClipSpace(finite, camera, camera);
    const std::span<const glm::vec4> view(corners);
    const RasterImage drawn = std::move(rasterize({&view, 1}, visible, options).front());

    Image picture{side * kSupersampling, side * kSupersampling, {}};
    picture.rgba.resize(drawn.facePlusOne.size() * kBytesPerPixel);
    for (std::size_t i = 0; i < drawn.facePlusOne.size(); ++i) {
        if (drawn.facePlusOne[i] == 0) continue;
        const glm::u32vec3& face = visible[drawn.facePlusOne[i] - 1];
        const int shade = shadeOf(vertices[face.x], vertices[face.y], vertices[face.z]);
        // The window's surface grey, 0xb9bdc6.
        constexpr std::array<int, 3> kSurface{0xb9, 0xbd, 0xc6};
        std::uint8_t* pixel = &picture.rgba[i * kBytesPerPixel];
        for (std::size_t c = 0; c < kSurface.size(); ++c)
            pixel[c] = static_cast<std::uint8_t>(kSurface[c] * shade / 255);
        pixel[kSurface.size()] = static_cast<std::uint8_t>(kFullByte);
    }
    return resizedToSquare(picture, side);
}

Image drawTruth(const GroundTruth& truth, int side) {
    const Mesh surface = drawableTruth(truth);
    return drawMesh(surface.vertices, surface.faces, side);
}

}  // namespace threefold
