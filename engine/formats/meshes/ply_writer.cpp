#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "engine/formats/bytes/little_endian_bytes.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/meshes/mesh_writing.h"

namespace threefold {
namespace {

std::uint32_t byteOf(float value) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255.0F));
}

}  // namespace

std::string writePly(const Mesh& mesh, const MeshWriteOptions& options) {
    LittleEndianBytes out;
    const bool inDoubles = options.origin != glm::dvec3(0.0);
    std::string header = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment Threefold\nelement vertex {0}\n"
        "property {1} x\nproperty {1} y\nproperty {1} z\n",
        mesh.vertices.size(), inDoubles ? "double" : "float");
    if (!options.colours.empty())
        header += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    if (!options.scalars.empty()) header += "property float quality\n";
    if (!mesh.faces.empty())
        header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n",
                              mesh.faces.size());
    header += "end_header\n";
    constexpr std::size_t kMaxVertexBytes = 31;
    constexpr std::size_t kFaceBytes = 13;
    out.reserve(header.size() + mesh.vertices.size() * kMaxVertexBytes +
                mesh.faces.size() * kFaceBytes);
    out.appendText(header);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (inDoubles) {
            const glm::dvec3 position = vertexPosition(mesh, options, i);
            for (int axis = 0; axis < 3; ++axis) out.appendF64(position[axis]);
        } else {
            out.appendVector(mesh.vertices[i]);
        }
        if (!options.colours.empty())
            for (int channel = 0; channel < 3; ++channel)
                out.appendU8(byteOf(options.colours[i][channel]));
        if (!options.scalars.empty()) out.appendF32(options.scalars[i]);
    }
    for (const glm::u32vec3& face : mesh.faces) {
        out.appendU8(3);
        out.appendFace(face);
    }
    return out.release();
}

}  // namespace threefold
