#include "engine/sample_rendering/prepared_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

constexpr double kDiagonal = 0.57;

[[noreturn]] void refuse(const TexturedMesh& textured, const std::string& problem,
                         const std::string& remedy) {
    throw InputError({textured.mesh.source.string(), "", problem, remedy});
}

glm::dvec3 turned(const glm::vec3& point, const MeshPlacement& placing) {
    return placing.zUp ? glm::dvec3(point.x, point.z, -point.y) : glm::dvec3(point);
}

/// Keeps the faces with area and the vertices they use.
class MeshPacker {
  public:
    MeshPacker(TexturedMesh& from, const MeshPlacement& placing)
        : from_(from), placing_(placing), number_(from.mesh.vertices.size(), kNone) {}

    PreparedMesh pack() {
        const bool coloured = !from_.mesh.colours.empty();
        const bool mapped = !from_.coordinates.empty();
        take();
        for (std::size_t i = 0; i < from_.mesh.faces.size(); ++i) {
            const glm::u32vec3 face = from_.mesh.faces[i];
            if (!hasArea(face)) {
                ++prepared_.withoutArea;
                continue;
            }
            prepared_.mesh.faces.emplace_back(number_[face.x], number_[face.y], number_[face.z]);
            if (!from_.materialOfFace.empty())
                prepared_.materialOfFace.push_back(from_.materialOfFace[i]);
            for (std::size_t k = 0; mapped && k < 3; ++k)
                prepared_.coordinates.push_back(from_.coordinates[3 * i + k]);
        }
        if (prepared_.mesh.faces.empty())
            refuse(from_, fmt::format("none of its {} faces has an area", from_.mesh.faces.size()),
                   "Export the mesh again.");
        place();
        if (coloured)
            for (const std::uint32_t vertex : taken_)
                prepared_.colours.push_back(
                    glm::clamp(from_.mesh.colours[vertex], glm::vec3(0.0F), glm::vec3(1.0F)));
        if (!from_.tints.empty())
            for (const std::uint32_t vertex : taken_)
                prepared_.tints.push_back(from_.tints[vertex]);
        return std::move(prepared_);
    }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    bool hasArea(const glm::u32vec3& face) const {
        return areaNormal(from_.mesh.vertices, face) != glm::dvec3(0.0);
    }

    /// Numbers the vertices that have a face, in the file's order.
    void take() {
        for (const glm::u32vec3& face : from_.mesh.faces)
            if (hasArea(face))
                for (int k = 0; k < 3; ++k) number_[face[k]] = 0;
        for (std::uint32_t vertex = 0; vertex < number_.size(); ++vertex) {
            if (number_[vertex] == kNone) continue;
            number_[vertex] = static_cast<std::uint32_t>(taken_.size());
            taken_.push_back(vertex);
        }
    }

    void place() {
        glm::dvec3 least(std::numeric_limits<double>::max());
        glm::dvec3 most(-std::numeric_limits<double>::max());
        for (const std::uint32_t vertex : taken_) {
            const glm::dvec3 point = turned(from_.mesh.vertices[vertex], placing_);
            least = glm::min(least, point);
            most = glm::max(most, point);
        }
        const glm::dvec3 centre = placing_.asIs ? glm::dvec3(0.0) : (least + most) * 0.5;
        const double scale = placing_.asIs ? 1 : kDiagonal / glm::length(most - least);
        prepared_.mesh.vertices.reserve(taken_.size());
        for (const std::uint32_t vertex : taken_)
            prepared_.mesh.vertices.emplace_back(
                (turned(from_.mesh.vertices[vertex], placing_) - centre) * scale);
    }

    TexturedMesh& from_;
    const MeshPlacement& placing_;
    PreparedMesh prepared_;
    std::vector<std::uint32_t> number_;  // of each vertex of the file
    std::vector<std::uint32_t> taken_;
};

constexpr float kCosineOfCrease = 0.766F;  // 40°
/// Most corners at one position that are compared pairwise; more would take minutes.
constexpr std::size_t kMostAround = 256;

struct PlaceHash {
    std::size_t operator()(const glm::vec3& place) const {
        std::uint64_t hash = 0;
        for (int axis = 0; axis < 3; ++axis) {
            hash ^= std::bit_cast<std::uint32_t>(place[axis]);
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

/// For each vertex the index of its position; sets `count` to the number of distinct positions.
std::vector<std::uint32_t> places(const Points& vertices, std::size_t& count) {
    std::unordered_map<glm::vec3, std::uint32_t, PlaceHash> known;
    known.reserve(vertices.size());
    std::vector<std::uint32_t> numbers;
    numbers.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices) {
        const glm::vec3 place = vertex + 0.0F;  // turns −0 into 0
        numbers.push_back(
            known.emplace(place, static_cast<std::uint32_t>(known.size())).first->second);
    }
    count = known.size();
    return numbers;
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

/// The mean of four pixels, weighted by alpha.
void appendMean(const std::uint8_t* const (&four)[4], std::vector<std::uint8_t>& rgba) {
    int weight = 0;
    for (const std::uint8_t* pixel : four) weight += pixel[3];
    if (weight == 4 * 255) {  // without the divisions, which take longest
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

/// A side of one pixel stays one; the last column or row of an odd side counts twice.
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

/// The pixel left of a place and the one right of it, and the share of the latter.
struct Neighbours {
    std::size_t first;
    std::size_t second;
    float share;
};

/// The coordinate modulo `turn`; NaN becomes 0.
float within(float coordinate, float turn) {
    const float rest = coordinate - turn * std::floor(coordinate / turn);
    return rest >= 0 ? std::min(rest, turn) : 0;
}

Neighbours neighbours(float coordinate, int side, Wrap wrap) {
    float place = 0;
    if (wrap == Wrap::repeat) {
        place = within(coordinate, 1);
    } else if (wrap == Wrap::mirror) {
        place = within(coordinate, 2);
        if (place > 1) place = 2 - place;
    } else if (coordinate > 0) {
        place = std::min(coordinate, 1.0F);
    }
    const float at = place * static_cast<float>(side) - 0.5F;
    const float below = std::floor(at);
    const int first = static_cast<int>(below);
    if (wrap == Wrap::repeat) {
        const int turned = (first + side) % side;
        return {static_cast<std::size_t>(turned), static_cast<std::size_t>((turned + 1) % side),
                at - below};
    }
    return {static_cast<std::size_t>(std::max(first, 0)),
            static_cast<std::size_t>(std::min(first + 1, side - 1)), at - below};
}

}  // namespace

PreparedMesh prepareMesh(TexturedMesh textured, const MeshPlacement& placing) {
    if (textured.mesh.faces.empty())
        refuse(textured,
               fmt::format("holds {} points and no faces, a surface is needed",
                           textured.mesh.vertices.size()),
               fmt::format("Give a mesh with faces as {}.",
                           meshFormatNames(" or ", mesh_formats::withFaces)));
    if (placing.asIs) moveOrigin(textured.mesh, glm::dvec3(0.0));
    PreparedMesh prepared = MeshPacker(textured, placing).pack();
    prepared.materials = std::move(textured.materials);
    for (Image& image : textured.textures) prepared.textures.emplace_back(std::move(image));
    prepared.normals = creaseNormals(prepared.mesh);
    return prepared;
}

std::vector<glm::vec3> creaseNormals(const Mesh& mesh) {
    const std::size_t faceCount = mesh.faces.size();
    std::vector<glm::vec3> flat;
    flat.reserve(faceCount);
    for (const glm::u32vec3& face : mesh.faces) {
        const glm::dvec3 normal = areaNormal(mesh.vertices, face);
        const double length = glm::length(normal);
        flat.emplace_back(length > 0 ? normal / length : glm::dvec3(0, 1, 0));
    }

    std::size_t placeCount = 0;
    const std::vector<std::uint32_t> placeOf = places(mesh.vertices, placeCount);
    std::vector<std::uint32_t> start(placeCount + 1);
    for (const glm::u32vec3& face : mesh.faces)
        for (int k = 0; k < 3; ++k) ++start[placeOf[face[k]] + 1];
    for (std::size_t i = 0; i < placeCount; ++i) start[i + 1] += start[i];
    std::vector<Corner> around(3 * faceCount);
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < faceCount; ++i) {
        const glm::u32vec3& face = mesh.faces[i];
        for (int k = 0; k < 3; ++k)
            around[next[placeOf[face[k]]]++] = {
                static_cast<std::uint32_t>(i),
                angleAt(mesh.vertices[face[k]], mesh.vertices[face[(k + 1) % 3]],
                        mesh.vertices[face[(k + 2) % 3]])};
    }

    std::vector<glm::vec3> normals;
    normals.reserve(3 * faceCount);
    for (std::size_t i = 0; i < faceCount; ++i)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t place = placeOf[mesh.faces[i][k]];
            glm::vec3 sum = flat[i] * 1e-6F;
            if (start[place + 1] - start[place] <= kMostAround)
                for (std::uint32_t at = start[place]; at < start[place + 1]; ++at)
                    if (glm::dot(flat[around[at].face], flat[i]) > kCosineOfCrease)
                        sum += around[at].angle * flat[around[at].face];
            normals.push_back(glm::normalize(sum));
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

glm::vec4 Texture::at(glm::vec2 coordinate, float level, Wrap across, Wrap up) const {
    const auto last = static_cast<float>(levels_.size() - 1);
    const Image& image =
        levels_[static_cast<std::size_t>(std::lround(std::clamp(level, 0.0F, last)))];
    const Neighbours x = neighbours(coordinate.x, image.width, across);
    const Neighbours y = neighbours(1 - coordinate.y, image.height, up);
    const auto at = [&](std::size_t column, std::size_t row) {
        return &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * kChannels];
    };
    const auto mixed = [&](const auto& pixel) {
        const auto above = glm::mix(pixel(x.first, y.first), pixel(x.second, y.first), x.share);
        const auto below = glm::mix(pixel(x.first, y.second), pixel(x.second, y.second), x.share);
        return glm::mix(above, below, y.share);
    };
    if (!hasAlpha_) {
        const auto pixel = [&](std::size_t column, std::size_t row) {
            const std::uint8_t* rgb = at(column, row);
            return glm::vec3(rgb[0], rgb[1], rgb[2]);
        };
        return {mixed(pixel) / kOpaque, 1};
    }
    const glm::vec4 sum = mixed([&](std::size_t column, std::size_t row) {
        const std::uint8_t* rgba = at(column, row);
        const float alpha = rgba[3];
        return glm::vec4(glm::vec3(rgba[0], rgba[1], rgba[2]) * alpha, alpha);
    });
    if (!(sum.w > 0)) return glm::vec4(0.0F);
    return {glm::vec3(sum) / (sum.w * kOpaque), sum.w / kOpaque};
}

}  // namespace threefold
