#include "engine/sample_rendering/prepared_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

/// Throws Cancelled if requested; looks only at some indices, as loops call it for each.
void lookForCancel(std::size_t index, const std::stop_token& cancel) {
    constexpr std::size_t kIndicesPerLook = 4096;
    if (index % kIndicesPerLook == 0 && cancel.stop_requested()) throw Cancelled();
}

[[noreturn]] void refuse(const TexturedMesh& textured, const std::string& problem,
                         const std::string& remedy) {
    throw InputError({textured.mesh.source.string(), "", problem, remedy});
}

glm::dvec3 toYUp(const glm::vec3& point, const MeshConversion& conversion) {
    return conversion.zUp ? glm::dvec3(point.x, point.z, -point.y) : glm::dvec3(point);
}

/// Packs the faces with area and the vertices they use.
class MeshPacker {
  public:
    MeshPacker(TexturedMesh& from, const MeshConversion& conversion, const std::stop_token& cancel)
        : from_(from),
          conversion_(conversion),
          cancel_(cancel),
          newIndex_(from.mesh.vertices.size(), kNone) {}

    PreparedMesh pack() {
        const bool coloured = !from_.mesh.colours.empty();
        const bool mapped = !from_.coordinates.empty();
        numberVertices();
        for (std::size_t i = 0; i < from_.mesh.faces.size(); ++i) {
            lookForCancel(i, cancel_);
            const glm::u32vec3 face = from_.mesh.faces[i];
            if (!hasArea(face)) {
                ++prepared_.degenerateFaceCount;
                continue;
            }
            prepared_.mesh.faces.emplace_back(newIndex_[face.x], newIndex_[face.y],
                                              newIndex_[face.z]);
            if (!from_.materialOfFace.empty())
                prepared_.materialOfFace.push_back(from_.materialOfFace[i]);
            for (std::size_t k = 0; mapped && k < 3; ++k)
                prepared_.coordinates.push_back(from_.coordinates[3 * i + k]);
        }
        if (prepared_.mesh.faces.empty())
            refuse(from_, fmt::format("none of its {} faces has an area", from_.mesh.faces.size()),
                   "Export the mesh again.");
        transformVertices();
        if (coloured)
            for (const std::uint32_t vertex : usedVertices_)
                prepared_.colours.push_back(
                    glm::clamp(from_.mesh.colours[vertex], glm::vec3(0.0F), glm::vec3(1.0F)));
        if (!from_.linearColours.empty())
            for (const std::uint32_t vertex : usedVertices_)
                prepared_.linearColours.push_back(from_.linearColours[vertex]);
        return std::move(prepared_);
    }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    bool hasArea(const glm::u32vec3& face) const {
        return doubledAreaNormal(from_.mesh.vertices, face) != glm::dvec3(0.0);
    }

    /// Numbers the vertices used by faces, in the file's order.
    void numberVertices() {
        for (std::size_t i = 0; i < from_.mesh.faces.size(); ++i) {
            lookForCancel(i, cancel_);
            const glm::u32vec3 face = from_.mesh.faces[i];
            if (hasArea(face))
                for (int k = 0; k < 3; ++k) newIndex_[face[k]] = 0;
        }
        for (std::uint32_t vertex = 0; vertex < newIndex_.size(); ++vertex) {
            if (newIndex_[vertex] == kNone) continue;
            newIndex_[vertex] = static_cast<std::uint32_t>(usedVertices_.size());
            usedVertices_.push_back(vertex);
        }
    }

    void transformVertices() {
        Box3d box;
        for (const std::uint32_t vertex : usedVertices_)
            box.include(toYUp(from_.mesh.vertices[vertex], conversion_));
        const glm::dvec3 centre = conversion_.asIs ? glm::dvec3(0.0) : box.centre();
        const double scale = conversion_.asIs ? 1 : kObjectDiagonal / box.diagonal();
        prepared_.mesh.vertices.reserve(usedVertices_.size());
        for (const std::uint32_t vertex : usedVertices_)
            prepared_.mesh.vertices.emplace_back(
                (toYUp(from_.mesh.vertices[vertex], conversion_) - centre) * scale);
    }

    TexturedMesh& from_;
    const MeshConversion& conversion_;
    const std::stop_token& cancel_;
    PreparedMesh prepared_;
    std::vector<std::uint32_t> newIndex_;  // new index of each vertex of the file
    std::vector<std::uint32_t> usedVertices_;
};

constexpr float kCosineOfCrease = 0.766F;  // 40°
/// Maximum number of corners at one position to compare pairwise; more would take minutes.
constexpr std::size_t kMaxAdjacent = 256;

struct PositionHash {
    std::size_t operator()(const glm::vec3& position) const {
        std::uint64_t hash = 0;
        for (int axis = 0; axis < 3; ++axis) {
            hash ^= std::bit_cast<std::uint32_t>(position[axis]);
            hash *= 0x9e3779b97f4a7c15U;
            hash ^= hash >> 29U;
        }
        return static_cast<std::size_t>(hash);
    }
};

struct Corner {
    std::uint32_t face;
    float angle;
};

/// Returns the position index of each vertex; sets `count` to the number of distinct positions.
/// Throws Cancelled.
std::vector<std::uint32_t> positionIndices(const Points& vertices, std::size_t& count,
                                           const std::stop_token& cancel) {
    std::unordered_map<glm::vec3, std::uint32_t, PositionHash> positions;
    positions.reserve(vertices.size());
    std::vector<std::uint32_t> indices;
    indices.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices) {
        lookForCancel(indices.size(), cancel);
        const glm::vec3 position = vertex + 0.0F;  // turns −0 into 0
        indices.push_back(positions.emplace(position, static_cast<std::uint32_t>(positions.size()))
                              .first->second);
    }
    count = positions.size();
    return indices;
}

float angleAt(const glm::vec3& corner, const glm::vec3& a, const glm::vec3& b) {
    const glm::vec3 one = a - corner;
    const glm::vec3 other = b - corner;
    return std::atan2(glm::length(glm::cross(one, other)), glm::dot(one, other));
}

constexpr std::size_t kChannels = 4;
constexpr float kOpaque = 255;

std::uint8_t rounded(int sum, int count) {
    return static_cast<std::uint8_t>((sum + count / 2) / count);
}

/// Appends the alpha-weighted mean of four pixels.
void appendMean(const std::uint8_t* const (&four)[4], std::vector<std::uint8_t>& rgba) {
    int weight = 0;
    for (const std::uint8_t* pixel : four) weight += pixel[3];
    if (weight == 4 * 255) {  // skips the divisions, which dominate the time
        for (std::size_t channel = 0; channel < 3; ++channel)
            rgba.push_back(rounded(
                four[0][channel] + four[1][channel] + four[2][channel] + four[3][channel], 4));
        rgba.push_back(255);
        return;
    }
    for (std::size_t channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (const std::uint8_t* pixel : four)
            sum += pixel[channel] * (weight > 0 ? int{pixel[3]} : 1);
        rgba.push_back(rounded(sum, weight > 0 ? weight : 4));
    }
    rgba.push_back(rounded(weight, 4));
}

/// Halves an image. A side of one pixel stays; the last column or row of a longer odd side is
/// dropped.
Image halved(const Image& image) {
    Image half;
    half.width = std::max(image.width / 2, 1);
    half.height = std::max(image.height / 2, 1);
    half.rgba.reserve(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) *
                      kChannels);
    const auto pixel = [&](int x, int y) {
        const auto column = static_cast<std::size_t>(std::min(x, image.width - 1));
        const auto row = static_cast<std::size_t>(std::min(y, image.height - 1));
        return &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * kChannels];
    };
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x)
            appendMean({pixel(2 * x, 2 * y), pixel(2 * x + 1, 2 * y), pixel(2 * x, 2 * y + 1),
                        pixel(2 * x + 1, 2 * y + 1)},
                       half.rgba);
    return half;
}

/// Pixels left and right of a position, and the weight of the right one.
struct PixelNeighbours {
    std::size_t first;
    std::size_t second;
    float secondWeight;
};

/// Coordinate modulo `period`; NaN becomes 0.
float within(float coordinate, float period) {
    const float remainder = coordinate - period * std::floor(coordinate / period);
    return remainder >= 0 ? std::min(remainder, period) : 0;
}

PixelNeighbours neighbours(float coordinate, int side, Wrap wrap) {
    float position = 0;
    if (wrap == Wrap::repeat) {
        position = within(coordinate, 1);
    } else if (wrap == Wrap::mirror) {
        position = within(coordinate, 2);
        if (position > 1) position = 2 - position;
    } else if (coordinate > 0) {
        position = std::min(coordinate, 1.0F);
    }
    const float pixel = position * static_cast<float>(side) - 0.5F;
    const float below = std::floor(pixel);
    const int first = static_cast<int>(below);
    if (wrap == Wrap::repeat) {
        const int wrapped = (first + side) % side;
        return {static_cast<std::size_t>(wrapped), static_cast<std::size_t>((wrapped + 1) % side),
                pixel - below};
    }
    return {static_cast<std::size_t>(std::max(first, 0)),
            static_cast<std::size_t>(std::min(first + 1, side - 1)), pixel - below};
}

}  // namespace

PreparedMesh prepareMesh(TexturedMesh textured, const MeshConversion& conversion,
                         const std::stop_token& cancel) {
    if (textured.mesh.faces.empty())
        refuse(textured,
               fmt::format("holds {} points and no faces, a surface is needed",
                           textured.mesh.vertices.size()),
               fmt::format("Give a mesh with faces as {}.",
                           meshFormatNames(" or ", mesh_format_filters::withFaces)));
    if (conversion.asIs) moveOrigin(textured.mesh, glm::dvec3(0.0));
    PreparedMesh prepared = MeshPacker(textured, conversion, cancel).pack();
    prepared.materials = std::move(textured.materials);
    for (Image& image : textured.textures) {
        if (cancel.stop_requested()) throw Cancelled();
        prepared.textures.emplace_back(std::move(image));
    }
    prepared.normals = creaseNormals(prepared.mesh, cancel);
    return prepared;
}

std::vector<glm::vec3> creaseNormals(const Mesh& mesh, const std::stop_token& cancel) {
    const std::size_t faceCount = mesh.faces.size();
    std::vector<glm::vec3> faceNormals;
    faceNormals.reserve(faceCount);
    for (const glm::u32vec3& face : mesh.faces) {
        lookForCancel(faceNormals.size(), cancel);
        const glm::dvec3 normal = doubledAreaNormal(mesh.vertices, face);
        const double length = glm::length(normal);
        faceNormals.emplace_back(length > 0 ? normal / length : glm::dvec3(0, 1, 0));
    }

    std::size_t positionCount = 0;
    const std::vector<std::uint32_t> positionOf =
        positionIndices(mesh.vertices, positionCount, cancel);
    std::vector<std::uint32_t> start(positionCount + 1);
    for (const glm::u32vec3& face : mesh.faces)
        for (int k = 0; k < 3; ++k) ++start[positionOf[face[k]] + 1];
    for (std::size_t i = 0; i < positionCount; ++i) start[i + 1] += start[i];
    std::vector<Corner> adjacent(3 * faceCount);
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < faceCount; ++i) {
        lookForCancel(i, cancel);
        const glm::u32vec3& face = mesh.faces[i];
        for (int k = 0; k < 3; ++k)
            adjacent[next[positionOf[face[k]]]++] = {
                static_cast<std::uint32_t>(i),
                angleAt(mesh.vertices[face[k]], mesh.vertices[face[(k + 1) % 3]],
                        mesh.vertices[face[(k + 2) % 3]])};
    }

    std::vector<glm::vec3> normals;
    normals.reserve(3 * faceCount);
    for (std::size_t i = 0; i < faceCount; ++i) {
        lookForCancel(i, cancel);
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t position = positionOf[mesh.faces[i][k]];
            glm::vec3 sum = faceNormals[i] * 1e-6F;
            if (start[position + 1] - start[position] <= kMaxAdjacent)
                for (std::uint32_t at = start[position]; at < start[position + 1]; ++at)
                    if (glm::dot(faceNormals[adjacent[at].face], faceNormals[i]) > kCosineOfCrease)
                        sum += adjacent[at].angle * faceNormals[adjacent[at].face];
            normals.push_back(glm::normalize(sum));
        }
    }
    return normals;
}

Texture::Texture(Image image) {
    for (std::size_t i = 3; i < image.rgba.size() && !hasAlpha_; i += kChannels)
        hasAlpha_ = image.rgba[i] != 255;
    levels_.push_back(std::move(image));
    while (levels_.back().width > 1 || levels_.back().height > 1)
        levels_.push_back(halved(levels_.back()));
}

glm::vec4 Texture::at(glm::vec2 coordinate, float level, Wrap wrapS, Wrap wrapT) const {
    const auto last = static_cast<float>(levels_.size() - 1);
    const Image& image =
        levels_[static_cast<std::size_t>(std::lround(std::clamp(level, 0.0F, last)))];
    const PixelNeighbours x = neighbours(coordinate.x, image.width, wrapS);
    const PixelNeighbours y = neighbours(1 - coordinate.y, image.height, wrapT);
    const auto pixelAt = [&](std::size_t column, std::size_t row) {
        return &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * kChannels];
    };
    const auto interpolated = [&](const auto& pixel) {
        const auto above =
            glm::mix(pixel(x.first, y.first), pixel(x.second, y.first), x.secondWeight);
        const auto below =
            glm::mix(pixel(x.first, y.second), pixel(x.second, y.second), x.secondWeight);
        return glm::mix(above, below, y.secondWeight);
    };
    if (!hasAlpha_) {
        const auto pixel = [&](std::size_t column, std::size_t row) {
            const std::uint8_t* rgb = pixelAt(column, row);
            return glm::vec3(rgb[0], rgb[1], rgb[2]);
        };
        return {interpolated(pixel) / kOpaque, 1};
    }
    const glm::vec4 sum = interpolated([&](std::size_t column, std::size_t row) {
        const std::uint8_t* rgba = pixelAt(column, row);
        const float alpha = rgba[3];
        return glm::vec4(glm::vec3(rgba[0], rgba[1], rgba[2]) * alpha, alpha);
    });
    if (!(sum.w > 0)) return glm::vec4(0.0F);
    return {glm::vec3(sum) / (sum.w * kOpaque), sum.w / kOpaque};
}

}  // namespace threefold
