#include "engine/web_page/packed_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/little_endian_bytes.h"

namespace threefold {
namespace {

constexpr float kPositionSteps = 65535;  // quantisation steps along each side of the mesh's box

/// Appends the difference of two indices, zigzag-coded in groups of seven bits.
void addDifference(LittleEndianBytes& bytes, std::uint32_t from, std::uint32_t to) {
    const std::int64_t difference = std::int64_t{to} - std::int64_t{from};
    auto rest = static_cast<std::uint64_t>(difference < 0 ? -2 * difference - 1 : 2 * difference);
    for (; rest >= 0x80U; rest >>= 7U)
        bytes.appendU8(static_cast<std::uint32_t>(rest & 0x7FU) | 0x80U);
    bytes.appendU8(static_cast<std::uint32_t>(rest));
}

/// Scales a fraction, clamped to 0…1, by `steps` and rounds the product to a whole number.
std::uint32_t quantised(float fraction, float steps) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(fraction, 0.0F, 1.0F) * steps));
}

void requireValidMesh(const WebMesh& mesh) {
    const auto refuse = [&](const char* part, std::size_t found, std::size_t expected) {
        if (found != 0 && found != expected)
            throw InputError({mesh.name, part,
                              fmt::format("{} for a mesh of {} vertices and {} faces", found,
                                          mesh.mesh.vertices.size(), mesh.mesh.faces.size()),
                              fmt::format("Give {}, or none.", expected)});
    };
    refuse("values", mesh.values.size(), mesh.mesh.vertices.size());
    refuse("differences", mesh.differences.size(), mesh.mesh.vertices.size());
    refuse("texture coordinates", mesh.textureCoordinates.size(), 3 * mesh.mesh.faces.size());
    if (mesh.mesh.vertices.empty())
        throw InputError({mesh.name, "vertices", "there are none", "Leave the mesh out."});
    for (const glm::vec3& p : mesh.mesh.vertices)
        if (!isFinite(p))
            throw InputError({mesh.name, "vertices", "a coordinate is not finite", ""});
    for (const glm::u32vec3& face : mesh.mesh.faces)
        if (std::max({face.x, face.y, face.z}) >= mesh.mesh.vertices.size())
            throw InputError({mesh.name, "faces", "a face names a missing vertex", ""});
}

std::optional<PackedRange> packValues(const std::vector<float>& values, LittleEndianBytes& bytes) {
    if (values.empty()) return std::nullopt;
    float min = INFINITY, max = -INFINITY;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        min = std::min(min, value);
        max = std::max(max, value);
    }
    const PackedRange range = min <= max ? PackedRange{min, max} : PackedRange{};
    const float size = range.max - range.min;
    for (const float value : values)
        bytes.appendU16(!std::isfinite(value) ? kPackedMissing
                        : size > 0            ? quantised((value - min) / size, kMaxPackedValue)
                                              : 0U);
    return range;
}

void packCoordinates(const std::vector<glm::vec2>& coordinates, LittleEndianBytes& bytes) {
    for (const glm::vec2& each : coordinates) {
        const bool plain = !std::isfinite(each.x) || !std::isfinite(each.y);
        bytes.appendU16(plain ? kPackedMissing : quantised(each.x, kMaxPackedValue));
        bytes.appendU16(plain ? kPackedMissing : quantised(each.y, kMaxPackedValue));
    }
}

}  // namespace

PackedMesh packMesh(const WebMesh& mesh) {
    requireValidMesh(mesh);
    const Mesh& shape = mesh.mesh;
    PackedMesh packed{{}, boundsOf(shape.vertices)};
    LittleEndianBytes bytes;
    bytes.reserve(8 * shape.vertices.size() + 6 * shape.faces.size() +
                  4 * mesh.textureCoordinates.size());
    const glm::vec3 size = packed.box.max - packed.box.min;
    for (const glm::vec3& vertex : shape.vertices)
        for (int axis = 0; axis < 3; ++axis)
            bytes.appendU16(
                size[axis] > 0
                    ? quantised((vertex[axis] - packed.box.min[axis]) / size[axis], kPositionSteps)
                    : 0U);
    packed.values = packValues(mesh.values, bytes);
    packed.differences = packValues(mesh.differences, bytes);
    packCoordinates(mesh.textureCoordinates, bytes);
    std::uint32_t last = 0;
    for (const glm::u32vec3& face : shape.faces) {
        addDifference(bytes, last, face.x);
        addDifference(bytes, face.x, face.y);
        addDifference(bytes, face.x, face.z);
        last = face.x;
    }
    packed.bytes = bytes.release();
    return packed;
}

}  // namespace threefold
