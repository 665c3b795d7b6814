#include "engine/evaluation/thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "engine/evaluation/result_files.h"
#include "engine/mesh.h"
#include "engine/raster/rasterize.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

constexpr int kChannels = 4;
constexpr double kOpaque = 255.0;

std::size_t offsetOf(int width, int column, int row) {
    return (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(column)) *
           kChannels;
}

Image emptyPicture(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(static_cast<std::size_t>(width) *
                                      static_cast<std::size_t>(height) * kChannels)};
}

/// Source pixels, with weights, that a target pixel covers along one axis.
struct Cover {
    int first = 0;
    std::vector<double> weights;
};

std::vector<Cover> covers(int source, int target) {
    std::vector<Cover> pixels(static_cast<std::size_t>(target));
    const double step = static_cast<double>(source) / target;
    for (int i = 0; i < target; ++i) {
        const double begin = i * step;
        const double end = std::min<double>(begin + step, source);
        Cover& cover = pixels[static_cast<std::size_t>(i)];
        cover.first = std::min(static_cast<int>(begin), source - 1);
        for (int pixel = cover.first; pixel < end && pixel < source; ++pixel)
            cover.weights.push_back(std::min<double>(end, pixel + 1) -
                                    std::max<double>(begin, pixel));
    }
    return pixels;
}

/// Mean of the covered pixels. Colours are weighted by alpha, so transparent pixels add none.
glm::dvec4 average(const Image& image, const Cover& columns, const Cover& rows) {
    glm::dvec4 sum(0.0);
    double weight = 0;
    for (std::size_t y = 0; y < rows.weights.size(); ++y) {
        const std::size_t row =
            offsetOf(image.width, columns.first, rows.first + static_cast<int>(y));
        for (std::size_t x = 0; x < columns.weights.size(); ++x) {
            const std::uint8_t* pixel = &image.rgba[row + x * kChannels];
            const double area = rows.weights[y] * columns.weights[x];
            const double alpha = area * pixel[3];
            sum += glm::dvec4(pixel[0] * alpha, pixel[1] * alpha, pixel[2] * alpha, alpha);
            weight += area;
        }
    }
    if (sum.w <= 0) return glm::dvec4(0.0);
    return {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w / weight};
}

bool isInFront(const glm::vec3& vertex) {
    return isFinite(vertex) && vertex.z < -static_cast<float>(kNearPlane);
}

Faces visibleFaces(const Points& vertices, const Faces& faces) {
    Faces visible;
    std::ranges::copy_if(faces, std::back_inserter(visible), [&](glm::u32vec3 face) {
        return std::max({face.x, face.y, face.z}) < vertices.size() &&
               isInFront(vertices[face.x]) && isInFront(vertices[face.y]) &&
               isInFront(vertices[face.z]);
    });
    return visible;
}

std::uint8_t shadeOf(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    constexpr double kAmbient = 0.35;
    const glm::dvec3 light = glm::normalize(glm::dvec3(-0.35, 0.55, 0.76));
    const glm::dvec3 normal = glm::cross(glm::dvec3(b - a), glm::dvec3(c - a));
    const double length = glm::length(normal);
    const double tilt = length > 0 ? std::abs(glm::dot(normal, light)) / length : 0.0;
    return static_cast<std::uint8_t>(std::lround(kOpaque * (kAmbient + (1 - kAmbient) * tilt)));
}

/// The truth's surface, or its points as small squares perpendicular to their normals.
Mesh drawableTruth(const GroundTruth& truth) {
    if (!truth.surface.faces.empty()) return truth.surface;
    constexpr float kHalf = 0.0075F;  // object units
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

Image resizedToSquare(const Image& image, int side) {
    Image small = emptyPicture(side, side);
    const std::vector<Cover> columns = covers(image.width, side);
    const std::vector<Cover> rows = covers(image.height, side);
    std::uint8_t* out = small.rgba.data();
    for (const Cover& row : rows)
        for (const Cover& column : columns) {
            const glm::dvec4 pixel = average(image, column, row);
            for (int c = 0; c < kChannels; ++c)
                *out++ = static_cast<std::uint8_t>(std::lround(std::clamp(pixel[c], 0.0, kOpaque)));
        }
    return small;
}

Image sideBySide(std::span<const Image> pictures) {
    const int side = pictures.front().width;
    Image whole = emptyPicture(side * static_cast<int>(pictures.size()), side);
    const std::size_t row = static_cast<std::size_t>(side) * kChannels;
    std::uint8_t* out = whole.rgba.data();
    for (int y = 0; y < side; ++y)
        for (const Image& picture : pictures)
            out = std::copy_n(&picture.rgba[offsetOf(side, 0, y)], row, out);
    return whole;
}

Image drawMesh(const Points& vertices, const Faces& faces, int side) {
    constexpr int kSupersampling = 2;  // for smooth edges
    const Faces visible = visibleFaces(vertices, faces);
    if (visible.empty()) return emptyPicture(side, side);
    Points finite = vertices;
    std::ranges::replace_if(
        finite, [](const glm::vec3& vertex) { return !isInFront(vertex); }, glm::vec3(0, 0, -1));
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(side * kSupersampling);
    options.threads = 1;  // waking other threads takes longer for small images
    const Camera camera;
    const std::vector<glm::vec4> corners = toClipSpace(finite, camera, camera);
    const std::span<const glm::vec4> view(corners);
    const RasterImage drawn = std::move(rasterize({&view, 1}, visible, options).front());

    Image picture = emptyPicture(side * kSupersampling, side * kSupersampling);
    for (std::size_t i = 0; i < drawn.facePlusOne.size(); ++i) {
        if (drawn.facePlusOne[i] == 0) continue;
        const glm::u32vec3& face = visible[drawn.facePlusOne[i] - 1];
        const int shade = shadeOf(vertices[face.x], vertices[face.y], vertices[face.z]);
        // The window's surface grey, 0xb9bdc6.
        constexpr std::array<int, 3> kSurface{0xb9, 0xbd, 0xc6};
        std::uint8_t* pixel = &picture.rgba[i * kChannels];
        for (std::size_t c = 0; c < kSurface.size(); ++c)
            pixel[c] = static_cast<std::uint8_t>(kSurface[c] * shade / 255);
        pixel[kSurface.size()] = static_cast<std::uint8_t>(kOpaque);
    }
    return resizedToSquare(picture, side);
}

Image drawTruth(const GroundTruth& truth, int side) {
    const Mesh surface = drawableTruth(truth);
    return drawMesh(surface.vertices, surface.faces, side);
}

Image makeThumbnail(const NetworkInput& input, const FittedReconstruction& reconstruction,
                    const GroundTruth& truth) {
    if (input.images.empty() || input.images.front().width <= 0 || input.images.front().height <= 0)
        throw InputError({"thumbnail", "", "there is no input image", ""});
    static const Faces kNone;
    const bool hasFaces = reconstruction.levelFaces && !reconstruction.levelFaces->empty();
    const Faces& faces = hasFaces ? reconstruction.faces() : kNone;
    std::vector<Image> pictures{resizedToSquare(input.images.front(), kThumbnailSide)};
    for (const StageMesh* mesh : reconstruction.published())
        pictures.push_back(drawMesh(mesh->vertices, faces));
    if (const auto& fitted = reconstruction.fitted)
        pictures.push_back(drawMesh(fitted->vertices, fitted->faces));
    if (!truth.points.empty()) pictures.push_back(drawTruth(truth));
    return sideBySide(pictures);
}

std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name) {
    std::string file(name);
    std::ranges::replace_if(
        file, [](char c) { return c == '/' || c == '\0'; }, '_');
    if (file.starts_with('.')) file.front() = '_';
    return folder / kThumbnailFolder / (file + ".png");
}

}  // namespace threefold
