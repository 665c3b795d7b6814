#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"

namespace threefold::test {

/// Bytes of a number, the least significant first.
inline std::string littleEndian(std::uint32_t value, std::size_t width = 4) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    return bytes;
}
inline std::string littleEndian(float value) {
    return littleEndian(std::bit_cast<std::uint32_t>(value));
}
inline std::string reversed(std::string bytes) {
    return {bytes.rbegin(), bytes.rend()};
}

/// The mesh of a file's text or bytes.
inline LoadedMesh read(std::string_view content, const char* name) {
    return decodeMesh(asBytes(content), name);
}

/// A tetrahedron whose coordinates have at most six decimals.
inline Mesh tetrahedron() {
    return {{{0, 0, -0.75F}, {0.5F, 0, -0.75F}, {0, 0.5F, -0.75F}, {0, 0, -0.25F}},
            {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

/// Properties of the positions of vertices, in the header of a PLY file.
inline const std::string kPlyVertices = "property float x\nproperty float y\nproperty float z\n";

/// A PLY file in text: `elements` are the header's lines of elements and properties.
inline std::string ply(const std::string& elements, const std::string& body) {
    return "ply\nformat ascii 1.0\n" + elements + "end_header\n" + body;
}

/// A GLB file of this JSON and these binary data.
inline std::string glb(const nlohmann::json& document, std::string binary) {
    std::string json = document.dump();
    json.resize((json.size() + 3) / 4 * 4, ' ');
    return "glTF" + littleEndian(2U) +
           littleEndian(static_cast<std::uint32_t>(28 + json.size() + binary.size())) +
           littleEndian(static_cast<std::uint32_t>(json.size())) + "JSON" + json +
           littleEndian(static_cast<std::uint32_t>(binary.size())) + std::string("BIN\0", 4) +
           binary;
}

/// JSON of a GLB file whose binary data are triangleData(): one triangle, placed by two nodes.
inline nlohmann::json triangleDocument() {
    return {
        {"scenes", {{{"nodes", {0}}}}},
        {"nodes",
         {{{"children", {1}}, {"translation", {1, 0, 0}}}, {{"mesh", 0}, {"scale", {2, 2, 2}}}}},
        {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
        {"accessors",
         {{{"bufferView", 0}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}},
          {{"bufferView", 1}, {"componentType", 5123}, {"count", 3}, {"type", "SCALAR"}}}},
        {"bufferViews",
         {{{"buffer", 0}, {"byteLength", 36}},
          {{"buffer", 0}, {"byteOffset", 36}, {"byteLength", 6}}}},
        {"buffers", {{{"byteLength", 44}}}}};
}

/// Positions of a triangle, then its indices.
inline std::string triangleData() {
    std::string data;
    for (const float value : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F})
        data += littleEndian(value);
    return data + littleEndian(0, 2) + littleEndian(1, 2) + littleEndian(2, 2) +
           std::string(2, '\0');
}

}  // namespace threefold::test
