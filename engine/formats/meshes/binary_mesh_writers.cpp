#include "engine/formats/meshes/binary_mesh_writers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "engine/formats/meshes/glb_chunks.h"
#include "engine/formats/pictures/srgb.h"

namespace threefold {
namespace {

/// Little-endian, whatever the machine.
class Bytes {
  public:
    void reserve(std::size_t size) { bytes_.reserve(size); }
    void text(std::string_view text) { bytes_ += text; }
    void u8(std::uint32_t value) { bytes_ += static_cast<char>(value & 0xffU); }
    void u16(std::uint32_t value) {
        u8(value);
        u8(value >> 8U);
    }
    void u32(std::uint32_t value) {
        u16(value);
        u16(value >> 16U);
    }
    void f32(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
    void vector(const glm::vec3& value) {
        f32(value.x);
        f32(value.y);
        f32(value.z);
    }
    std::size_t size() const { return bytes_.size(); }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

std::uint32_t byteOf(float share) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * 255.0F));
}

}  // namespace

std::string plyBytes(const Mesh& mesh, const VertexExtras& extras) {
    Bytes out;
    std::string header = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment Threefold\nelement vertex {}\n"
        "property float x\nproperty float y\nproperty float z\n",
        mesh.vertices.size());
    if (!extras.colours.empty())
        header += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    if (!extras.values.empty()) header += "property float quality\n";
    if (!mesh.faces.empty())
        header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n",
                              mesh.faces.size());
    header += "end_header\n";
    constexpr std::size_t kMostOfVertex = 19;
    constexpr std::size_t kFace = 13;
    out.reserve(header.size() + mesh.vertices.size() * kMostOfVertex + mesh.faces.size() * kFace);
    out.text(header);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        out.vector(mesh.vertices[i]);
        if (!extras.colours.empty())
            for (int channel = 0; channel < 3; ++channel)
                out.u8(byteOf(extras.colours[i][channel]));
        if (!extras.values.empty()) out.f32(extras.values[i]);
    }
    for (const glm::u32vec3& face : mesh.faces) {
        out.u8(3);
        for (int corner = 0; corner < 3; ++corner) out.u32(face[corner]);
    }
    return out.take();
}

std::string stlBytes(const Mesh& mesh) {
    constexpr std::size_t kHeader = 80;
    constexpr std::size_t kTriangle = 50;
    Bytes out;
    out.reserve(kHeader + 4 + mesh.faces.size() * kTriangle);
    std::string header = "binary STL of Threefold";  // never "solid": that begins the text form
    header.resize(kHeader, ' ');
    out.text(header);
    out.u32(static_cast<std::uint32_t>(mesh.faces.size()));
    for (const glm::u32vec3& face : mesh.faces) {
        const glm::vec3 a = mesh.vertices[face.x];
        const glm::vec3 b = mesh.vertices[face.y];
        const glm::vec3 c = mesh.vertices[face.z];
        const glm::vec3 normal = glm::cross(b - a, c - a);
        const float length = glm::length(normal);
        out.vector(length > 0 ? normal / length : glm::vec3(0.0F));
        out.vector(a);
        out.vector(b);
        out.vector(c);
        out.u16(0);
    }
    return out.take();
}

std::string glbBytes(const Mesh& mesh, const VertexExtras& extras) {
    using Json = nlohmann::ordered_json;
    constexpr int kArrayBuffer = 34962;
    constexpr int kElementArrayBuffer = 34963;
    constexpr int kTriangles = 4;
    constexpr int kPoints = 0;

    Bytes data;
    Json views = Json::array();
    Json accessors = Json::array();
    const auto endView = [&](std::size_t start, int target) {
        views.push_back({{"buffer", 0},
                         {"byteOffset", start},
                         {"byteLength", data.size() - start},
                         {"target", target}});
    };
    for (const glm::vec3& vertex : mesh.vertices) data.vector(vertex);
    endView(0, kArrayBuffer);
    glm::vec3 low = mesh.vertices.empty() ? glm::vec3(0.0F) : mesh.vertices.front();
    glm::vec3 high = low;
    for (const glm::vec3& vertex : mesh.vertices) {
        low = glm::min(low, vertex);
        high = glm::max(high, vertex);
    }
    accessors.push_back({{"bufferView", 0},
                         {"componentType", kGlbFloat},
                         {"count", mesh.vertices.size()},
                         {"type", "VEC3"},
                         {"min", {low.x, low.y, low.z}},
                         {"max", {high.x, high.y, high.z}}});
    Json primitive = {{"attributes", {{"POSITION", 0}}},
                      {"mode", mesh.faces.empty() ? kPoints : kTriangles}};
    if (!extras.colours.empty()) {
        const std::size_t start = data.size();
        for (const glm::vec3& colour : extras.colours) data.vector(linearFromSrgb(colour));
        endView(start, kArrayBuffer);
        primitive["attributes"]["COLOR_0"] = accessors.size();
        accessors.push_back({{"bufferView", views.size() - 1},
                             {"componentType", kGlbFloat},
                             {"count", mesh.vertices.size()},
                             {"type", "VEC3"}});
    }
    if (!mesh.faces.empty()) {
        const std::size_t start = data.size();
        for (const glm::u32vec3& face : mesh.faces)
            for (int corner = 0; corner < 3; ++corner) data.u32(face[corner]);
        endView(start, kElementArrayBuffer);
        primitive["indices"] = accessors.size();
        accessors.push_back({{"bufferView", views.size() - 1},
                             {"componentType", kGlbUnsignedInt},
                             {"count", mesh.faces.size() * 3},
                             {"type", "SCALAR"}});
    }
    const Json material = {
        {"pbrMetallicRoughness", {{"metallicFactor", 0}, {"roughnessFactor", 1}}},
        {"doubleSided", true}};
    primitive["material"] = 0;
    const Json document = {{"asset", {{"version", "2.0"}, {"generator", "Threefold"}}},
                           {"scene", 0},
                           {"scenes", {{{"nodes", {0}}}}},
                           {"nodes", {{{"mesh", 0}}}},
                           {"meshes", {{{"primitives", Json::array({primitive})}}}},
                           {"materials", Json::array({material})},
                           {"accessors", accessors},
                           {"bufferViews", views},
                           {"buffers", Json::array({Json{{"byteLength", data.size()}}})}};
    std::string json = document.dump();
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::string binary = data.take();  // whole floats and indices: a multiple of four

    Bytes out;
    constexpr std::size_t kHeader = 12;
    constexpr std::size_t kChunkHeader = 8;
    const std::size_t whole = kHeader + 2 * kChunkHeader + json.size() + binary.size();
    out.reserve(whole);
    out.u32(kGlbMagic);
    out.u32(2);
    out.u32(static_cast<std::uint32_t>(whole));
    out.u32(static_cast<std::uint32_t>(json.size()));
    out.u32(kGlbJson);
    out.text(json);
    out.u32(static_cast<std::uint32_t>(binary.size()));
    out.u32(kGlbBinary);
    out.text(binary);
    return out.take();
}

}  // namespace threefold
