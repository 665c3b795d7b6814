#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace threefold::test {

/// Builder of a GLB file, whose JSON can be edited before glb().
class GlbWriter {
  public:
    nlohmann::json json = {{"asset", {{"version", "2.0"}}}};

    /// Adds a buffer view of these bytes and returns its index.
    std::size_t addView(std::string_view bytes) {
        nlohmann::json& views = json["bufferViews"];
        const nlohmann::json view = {
            {"buffer", 0}, {"byteOffset", data_.size()}, {"byteLength", bytes.size()}};
        views.push_back(view);
        data_ += bytes;
        data_.resize((data_.size() + 3) / 4 * 4);
        json["buffers"] = {{{"byteLength", data_.size()}}};
        return views.size() - 1;
    }
    std::size_t addAccessor(std::string_view bytes, int component, std::size_t count,
                            const char* type, bool normalised = false) {
        nlohmann::json& accessors = json["accessors"];
        accessors.push_back({{"bufferView", addView(bytes)},
                             {"componentType", component},
                             {"count", count},
                             {"type", type},
                             {"normalized", normalised}});
        return accessors.size() - 1;
    }
    /// Adds an accessor of floats of type "VEC2", "VEC3" or "VEC4", and returns its index.
    std::size_t addFloats(std::initializer_list<float> values, const char* type) {
        std::string bytes;
        for (const float value : values) bytes += littleEndian(std::bit_cast<std::uint32_t>(value));
        const auto width = static_cast<std::size_t>(type[3] - '0');
        return addAccessor(bytes, 5126, values.size() / width, type);
    }

    /// Adds a mesh: a square from (0, 0, 0) to (1, 1, 0) as two triangles in one primitive, with
    /// texture coordinates. Returns the mesh's index. Only the first mesh gets a node.
    std::size_t addSquare() {
        nlohmann::json attributes = {
            {"POSITION", addFloats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3")},
            {"TEXCOORD_0", addFloats({0, 1, 1, 1, 1, 0, 0, 0}, "VEC2")}};
        const std::size_t indices =
            addAccessor(std::string_view("\0\1\2\0\2\3", 6), 5121, 6, "SCALAR");
        json["meshes"].push_back(
            {{"primitives", {{{"attributes", attributes}, {"indices", indices}}}}});
        if (!json.contains("nodes")) json["nodes"] = {{{"mesh", 0}}};
        return json["meshes"].size() - 1;
    }
    nlohmann::json& primitive(std::size_t mesh = 0) {
        return json["meshes"][mesh]["primitives"][0];
    }

    /// Adds a texture whose image, a PNG or JPEG file, is embedded. Returns the texture's index.
    std::size_t addTexture(std::string_view file) {
        json["images"].push_back({{"bufferView", addView(file)}, {"mimeType", "image/png"}});
        json["textures"].push_back({{"source", json["images"].size() - 1}});
        return json["textures"].size() - 1;
    }
    /// Adds a material and returns its index. `factor`: base colour, linear. `texture`: −1 for
    /// none.
    std::size_t addMaterial(const nlohmann::json& factor, int texture = -1) {
        nlohmann::json group = {{"baseColorFactor", factor}};
        if (texture >= 0) group["baseColorTexture"] = {{"index", texture}};
        json["materials"].push_back({{"pbrMetallicRoughness", group}});
        return json["materials"].size() - 1;
    }

    const std::string& data() const { return data_; }
    std::string glb() const {
        std::string text = json.dump();
        text.resize((text.size() + 3) / 4 * 4, ' ');
        const auto number = [](std::size_t value) {
            return littleEndian(static_cast<std::uint32_t>(value));
        };
        return "glTF" + number(2) + number(28 + text.size() + data_.size()) + number(text.size()) +
               "JSON" + text + number(data_.size()) + std::string("BIN\0", 4) + data_;
    }

  private:
    static std::string littleEndian(std::uint32_t value) {
        std::string bytes;
        for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
        return bytes;
    }

    std::string data_;
};

}  // namespace threefold::test
