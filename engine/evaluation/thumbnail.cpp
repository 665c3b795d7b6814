#include "engine/evaluation/thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "engine/sample/camera.h"

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

/// Source pixels under one target pixel along one axis, and how much of each.
struct Cover {
    int first = 0;
    std::vector<double> weights;
};

std::vector<Cover> covers(int source, int target) {
    std::vector<Cover> all(static_cast<std::size_t>(target));
    const double step = static_cast<double>(source) / target;
    for (int i = 0; i < target; ++i) {
        const double begin = i * step;
        const double end = std::min<double>(begin + step, source);
        Cover& cover = all[static_cast<std::size_t>(i)];
        cover.first = std::min(static_cast<int>(begin), source - 1);
        for (int at = cover.first; at < end && at < source; ++at) {
            cover.weights.push_back(std::min<double>(end, at + 1) - std::max<double>(begin, at));
        }
    }
    return all;
}

/// Sum of the covered pixels, colours weighed by their alpha: what is transparent has no colour.
glm::dvec4 average(const Image& image, const Cover& columns, const Cover& rows) {
    glm::dvec4 sum(0.0);
    double weight = 0;
    for (std::size_t y = 0; y < rows.weights.size(); ++y) {
        const std::size_t row =
            offsetOf(image.width, columns.first, rows.first + static_cast<int>(y));
        for (std::size_t x = 0; x < columns.weights.size(); ++x) {
            const std::uint8_t* pixel = &image.rgba[row + x * kChannels];
            const double share = rows.weights[y] * columns.weights[x];
            const double alpha = share * pixel[3];
            sum += glm::dvec4(pixel[0] * alpha, pixel[1] * alpha, pixel[2] * alpha, alpha);
            weight += share;
        }
    }
    if (sum.w <= 0) return glm::dvec4(0.0);
    return {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w / weight};
}

Image shrunk(const Image& image, int side) {
    Image small = emptyPicture(side, side);
    const std::vector<Cover> columns = covers(image.width, side);
    const std::vector<Cover> rows = covers(image.height, side);
    std::uint8_t* out = small.rgba.data();
    for (const Cover& row : rows) {
        for (const Cover& column : columns) {
            const glm::dvec4 pixel = average(image, column, row);
            for (int c = 0; c < kChannels; ++c) {
                *out++ = static_cast<std::uint8_t>(std::lround(std::clamp(pixel[c], 0.0, kOpaque)));
            }
        }
    }
    return small;
}

/// A vertex on the picture: column and row in pixels, and 1/z, which is linear there.
struct Projected {
    glm::dvec3 at{0.0};
    bool visible = false;
};

std::vector<Projected> project(const Points& vertices, int side) {
    constexpr float kNearest = -1e-3F;
    const double scale = static_cast<double>(side) / kImageSize;
    std::vector<Projected> projected(vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const glm::vec3& vertex = vertices[i];
        if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y) || !(vertex.z < kNearest) ||
            !std::isfinite(vertex.z))
            continue;
        const glm::dvec2 pixel = projectToPixel(vertex) * scale;
        projected[i] = {{pixel.x, pixel.y, -1.0 / vertex.z}, true};
    }
    return projected;
}

std::uint8_t shadeOf(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    constexpr double kAmbient = 0.35;
    const glm::dvec3 light = glm::normalize(glm::dvec3(-0.35, 0.55, 0.76));
    const glm::dvec3 normal = glm::cross(glm::dvec3(b - a), glm::dvec3(c - a));
    const double length = glm::length(normal);
    const double tilt = length > 0 ? std::abs(glm::dot(normal, light)) / length : 0.0;
    return static_cast<std::uint8_t>(std::lround(kOpaque * (kAmbient + (1 - kAmbient) * tilt)));
}

/// The nearest face at each pixel's centre.
class Canvas {
  public:
    explicit Canvas(int side)
        : side_(side),
          nearness_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0),
          picture_(emptyPicture(side, side)) {}

    void draw(const std::array<glm::dvec3, 3>& corners, std::uint8_t shade) {
        const auto& [a, b, c] = corners;
        const double area = cross(b - a, c - a);
        if (!(std::abs(area) > 0)) return;
        const int left = bound(std::floor(std::min({a.x, b.x, c.x})));
        const int right = bound(std::ceil(std::max({a.x, b.x, c.x})));
        const int top = bound(std::floor(std::min({a.y, b.y, c.y})));
        const int bottom = bound(std::ceil(std::max({a.y, b.y, c.y})));
        constexpr double kHalf = 0.5;
        for (int row = top; row < bottom; ++row) {
            for (int column = left; column < right; ++column) {
                const glm::dvec3 p(column + kHalf, row + kHalf, 0.0);
                const double u = cross(b - p, c - p) / area;
                const double v = cross(c - p, a - p) / area;
                const double w = 1 - u - v;
                if (u < 0 || v < 0 || w < 0) continue;
                paint(column, row, u * a.z + v * b.z + w * c.z, shade);
            }
        }
    }

    const Image& picture() const { return picture_; }

  private:
    static double cross(const glm::dvec3& p, const glm::dvec3& q) { return p.x * q.y - p.y * q.x; }

    int bound(double value) const {
        return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(side_)));
    }

    void paint(int column, int row, double nearness, std::uint8_t shade) {
        const std::size_t at = offsetOf(side_, column, row);
        double& nearest = nearness_[at / kChannels];
        if (nearness <= nearest) return;
        nearest = nearness;
        // The window's surface grey, 0xb9bdc6.
        constexpr std::array<int, 3> kSurface{0xb9, 0xbd, 0xc6};
        for (std::size_t c = 0; c < kSurface.size(); ++c) {
            picture_.rgba[at + c] = static_cast<std::uint8_t>(kSurface[c] * shade / 255);
        }
        picture_.rgba[at + kSurface.size()] = static_cast<std::uint8_t>(kOpaque);
    }

    int side_;
    std::vector<double> nearness_;
    Image picture_;
};

void paste(const Image& part, int column, Image& whole) {
    for (int row = 0; row < part.height; ++row) {
        std::copy_n(&part.rgba[offsetOf(part.width, 0, row)],
                    static_cast<std::size_t>(part.width) * kChannels,
                    &whole.rgba[offsetOf(whole.width, column, row)]);
    }
}

}  // namespace

Image drawMesh(const Points& vertices, const Faces& faces, int side) {
    constexpr int kFiner = 2;  // drawn twice as fine and averaged: smooth edges
    Canvas canvas(side * kFiner);
    const std::vector<Projected> projected = project(vertices, side * kFiner);
    for (const glm::u32vec3& face : faces) {
        if (std::max({face.x, face.y, face.z}) >= vertices.size()) continue;
        const Projected& a = projected[face.x];
        const Projected& b = projected[face.y];
        const Projected& c = projected[face.z];
        if (!a.visible || !b.visible || !c.visible) continue;
        canvas.draw({a.at, b.at, c.at},
                    shadeOf(vertices[face.x], vertices[face.y], vertices[face.z]));
    }
    return shrunk(canvas.picture(), side);
}

Image makeThumbnail(const NetworkInput& input, const Reconstruction& reconstruction) {
    if (input.images.empty() || input.images.front().width <= 0 ||
        input.images.front().height <= 0) {
        throw InputError({"thumbnail", "", "there is no input image", ""});
    }
    static const Faces kNone;
    const bool hasFaces = reconstruction.levelFaces && !reconstruction.levelFaces->empty();
    const Faces& faces = hasFaces ? reconstruction.faces() : kNone;
    Image whole = emptyPicture(3 * kThumbnailSide, kThumbnailSide);
    paste(shrunk(input.images.front(), kThumbnailSide), 0, whole);
    paste(drawMesh(reconstruction.coarse, faces), kThumbnailSide, whole);
    paste(drawMesh(reconstruction.refined, faces), 2 * kThumbnailSide, whole);
    return whole;
}

std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name) {
    std::string file(name);
    std::replace_if(
        file.begin(), file.end(), [](char c) { return c == '/' || c == '\0'; }, '_');
    if (file.starts_with('.')) file.front() = '_';
    return folder / kThumbnailFolder / (file + ".png");
}

}  // namespace threefold
