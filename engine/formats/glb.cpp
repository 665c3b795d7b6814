#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <nlohmann/json.hpp>

#include "engine/formats/byte_cursor.h"
#include "engine/formats/glb_chunks.h"
#include "engine/formats/mesh_readers.h"
#include "engine/formats/srgb.h"

namespace threefold {
namespace {

using Json = nlohmann::json;

/// Parsed JSON takes up to forty times its text.
constexpr std::size_t kLargestJson = std::size_t{2} << 20;
constexpr std::uint64_t kSpareMemory = std::uint64_t{48} << 20;

enum Mode { points = 0, triangles = 4, strip = 5, fan = 6 };

struct Accessor {
    std::span<const std::byte> bytes;
    std::size_t count = 0;
    std::size_t stride = 0;
    int component = 0;  ///< glTF's number of the type
    int width = 0;      ///< components
    bool normalised = false;
};

std::size_t componentSize(int component) {
    switch (component) {
        case kGlbByte:
        case kGlbUnsignedByte:
            return 1;
        case kGlbShort:
        case kGlbUnsignedShort:
            return 2;
        case kGlbUnsignedInt:
        case kGlbFloat:
            return 4;
        default:
            return 0;
    }
}

class GlbReader {
  public:
    GlbReader(std::span<const std::byte> bytes, const std::filesystem::path& subject,
              const MeshReading& reading)
        : subject_(subject), steps_(reading, bytes.size()), whole_(bytes.size()) {
        ByteCursor cursor(bytes, subject);
        cursor.take(4);
        const std::uint64_t version = cursor.little(4);
        if (version != 2)
            cursor.failAt(4, fmt::format("is glTF version {}, version 2 is read", version));
        const std::uint64_t length = cursor.little(4);
        if (length > bytes.size())
            cursor.failAt(8,
                          fmt::format("declares {} bytes, the file has {}", length, bytes.size()));
        while (cursor.remaining() >= 8) {
            const std::size_t at = cursor.offset();
            const std::uint64_t size = cursor.little(4);
            const std::uint64_t kind = cursor.little(4);
            const auto chunk = cursor.take(size);
            if (kind == kGlbJson && json_.is_null()) {
                parse(chunk, at);
            } else if (kind == kGlbBinary && binary_.empty()) {
                binary_ = chunk;
            }
        }
        if (json_.is_null()) cursor.failAt(12, "has no JSON chunk");
    }

    MeshFile read() {
        try {
            refuseExtensions();
            const auto nodes = json_.find("nodes");
            if (nodes == json_.end() || nodes->empty()) {
                for (std::size_t i = 0; i < list("meshes").size(); ++i) addMesh(i, glm::dmat4(1.0));
            } else {
                for (const std::size_t root : roots()) addTree(root);
            }
        } catch (const Json::exception& error) {
            fail("JSON", fmt::format("is not laid out as glTF asks: {}", error.what()));
        }
        dropPartial(mesh_.normals, "normals");
        dropPartial(mesh_.colours, "colours");
        return std::move(mesh_);
    }

  private:
    [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
        throw FormatError({subject_.string(), place, problem,
                           "Export it again as GLB, without compression and with all its data "
                           "inside."});
    }

    void parse(std::span<const std::byte> chunk, std::size_t at) {
        if (chunk.size() > kLargestJson)
            fail(fmt::format("byte {}", at),
                 fmt::format("{} bytes of JSON, at most {} are read", chunk.size(), kLargestJson));
        json_ = Json::parse(asText(chunk), nullptr, false);
        if (!json_.is_object()) fail(fmt::format("byte {}", at), "the JSON chunk is not JSON");
    }

    void refuseExtensions() const {
        const auto required = json_.find("extensionsRequired");
        if (required == json_.end()) return;
        for (const Json& each : *required) {
            const auto name = each.get<std::string>();
            if (name.starts_with("KHR_materials") || name.starts_with("KHR_texture") ||
                name == "KHR_lights_punctual")
                continue;
            fail("extensionsRequired", fmt::format("asks for '{}'", name.substr(0, 60)));
        }
    }

    const Json& list(const char* name) const {
        static const Json kNone = Json::array();
        const auto found = json_.find(name);
        if (found == json_.end()) return kNone;
        if (!found->is_array()) fail(name, "is not a list");
        return *found;
    }

    const Json& item(const char* name, std::size_t index) const {
        const Json& all = list(name);
        if (index >= all.size() || !all[index].is_object())
            fail(fmt::format("{}[{}]", name, index),
                 fmt::format("is named, but there are {}", all.size()));
        return all[index];
    }

    /// A natural number.
    static std::size_t natural(const Json& object, const char* name, std::size_t otherwise) {
        const auto found = object.find(name);
        return found == object.end() ? otherwise : index(*found);
    }
    static std::size_t index(const Json& value) {
        if (!value.is_number_unsigned()) {
            throw Json::type_error::create(302, "a natural number is expected", &value);
        }
        return value.get<std::size_t>();
    }

    std::vector<std::size_t> roots() const {
        const Json& scenes = list("scenes");
        if (!scenes.empty()) {
            std::vector<std::size_t> found;
            const Json& scene = item("scenes", natural(json_, "scene", 0));
            if (scene.contains("nodes"))
                for (const Json& node : scene.at("nodes")) found.push_back(index(node));
            return found;
        }
        std::set<std::size_t> children;
        for (const Json& node : list("nodes"))
            if (node.contains("children"))
                for (const Json& child : node.at("children")) children.insert(index(child));
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < list("nodes").size(); ++i)
            if (!children.contains(i)) found.push_back(i);
        return found;
    }

    static glm::dmat4 transform(const Json& node) {
        if (const auto matrix = node.find("matrix"); matrix != node.end()) {
            glm::dmat4 result(1.0);
            for (int i = 0; i < 16; ++i)
                result[i / 4][i % 4] = matrix->at(static_cast<std::size_t>(i)).get<double>();
            return result;
        }
        const auto values = [&](const char* name, std::array<double, 4> otherwise, std::size_t n) {
            if (const auto found = node.find(name); found != node.end())
                for (std::size_t i = 0; i < n; ++i) otherwise[i] = found->at(i).get<double>();
            return otherwise;
        };
        const auto move = values("translation", {0, 0, 0, 0}, 3);
        const auto turn = values("rotation", {0, 0, 0, 1}, 4);
        const auto scale = values("scale", {1, 1, 1, 0}, 3);
        glm::dmat4 result = glm::mat4_cast(glm::dquat(turn[3], turn[0], turn[1], turn[2]));
        for (int axis = 0; axis < 3; ++axis) result[axis] *= scale[static_cast<std::size_t>(axis)];
        result[3] = glm::dvec4(move[0], move[1], move[2], 1.0);
        return result;
    }

    void addTree(std::size_t root) {
        std::vector<std::pair<std::size_t, glm::dmat4>> waiting{{root, glm::dmat4(1.0)}};
        while (!waiting.empty()) {
            const auto [number, above] = waiting.back();
            waiting.pop_back();
            const Json& node = item("nodes", number);
            // glTF allows each node one parent: a second way to it would be a circle, or a bomb.
            if (!visited_.insert(number).second)
                fail(fmt::format("nodes[{}]", number), "has more than one parent");
            const glm::dmat4 place = above * transform(node);
            if (node.contains("mesh")) addMesh(index(node.at("mesh")), place);
            if (!node.contains("children")) continue;
            for (const Json& child : node.at("children")) waiting.emplace_back(index(child), place);
        }
    }

    Accessor accessor(std::size_t number) const {
        const std::string place = fmt::format("accessors[{}]", number);
        const Json& json = item("accessors", number);
        if (json.contains("sparse")) fail(place, "is sparse, which is not read");
        constexpr std::pair<const char*, int> kWidths[] = {
            {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
        Accessor found;
        for (const auto& [name, width] : kWidths)
            if (json.at("type").get<std::string>() == name) found.width = width;
        found.component = json.at("componentType").get<int>();
        found.count = index(json.at("count"));
        found.normalised = json.value("normalized", false);
        const std::size_t size = componentSize(found.component);
        if (found.width == 0 || size == 0) fail(place, "has a type that is not read");
        const std::size_t element = size * static_cast<std::size_t>(found.width);
        if (!json.contains("bufferView")) fail(place, "has no data");

        const Json& view = item("bufferViews", index(json.at("bufferView")));
        const Json& buffer = item("buffers", natural(view, "buffer", 0));
        if (buffer.contains("uri") || natural(view, "buffer", 0) != 0)
            fail("buffers", "the data lie in another file");
        const std::size_t viewStart = natural(view, "byteOffset", 0);
        const std::size_t viewLength = natural(view, "byteLength", 0);
        const std::size_t start = natural(json, "byteOffset", 0);
        found.stride = natural(view, "byteStride", element);
        if (viewStart > binary_.size() || viewLength > binary_.size() - viewStart)
            fail(place, fmt::format("needs {} bytes from byte {} on, the data have {}", viewLength,
                                    viewStart, binary_.size()));
        if (found.stride < element) fail(place, "has elements that overlap");
        const bool fits = found.count == 0 ||
                          (start <= viewLength && element <= viewLength - start &&
                           (found.count - 1) <= (viewLength - start - element) / found.stride);
        if (!fits)
            fail(place,
                 fmt::format("{} elements do not fit the {} bytes there", found.count, viewLength));
        found.bytes = binary_.subspan(viewStart + (found.count == 0 ? 0 : start));
        return found;
    }

    static double component(const Accessor& accessor, std::size_t element, int number) {
        const std::size_t size = componentSize(accessor.component);
        const std::byte* at = accessor.bytes.data() + element * accessor.stride +
                              size * static_cast<std::size_t>(number);
        const auto load = [&]<class Value>(Value value) {
            std::memcpy(&value, at, sizeof value);
            const auto wide = static_cast<double>(value);
            if (!accessor.normalised || std::is_floating_point_v<Value>) return wide;
            return wide / static_cast<double>(std::numeric_limits<Value>::max());
        };
        switch (accessor.component) {
            case kGlbByte:
                return load(std::int8_t{});
            case kGlbUnsignedByte:
                return load(std::uint8_t{});
            case kGlbShort:
                return load(std::int16_t{});
            case kGlbUnsignedShort:
                return load(std::uint16_t{});
            case kGlbUnsignedInt:
                return load(std::uint32_t{});
            default:
                return load(float{});
        }
    }

    static glm::dvec3 vector(const Accessor& accessor, std::size_t element) {
        return {component(accessor, element, 0), component(accessor, element, 1),
                component(accessor, element, 2)};
    }

    /// A mesh may stand at many places: all of them together may not take more than a file of this
    /// size should.
    void claim(std::size_t vertices, std::size_t faces) {
        constexpr std::uint64_t kPerVertex = 3 * sizeof(glm::vec3);
        claimed_ += vertices * kPerVertex + faces * sizeof(glm::u32vec3);
        if (claimed_ * 2 > whole_ * 16 + kSpareMemory)
            fail("nodes", "the same meshes stand at so many places that they do not fit");
    }

    void addMesh(std::size_t number, const glm::dmat4& place) {
        const Json& mesh = item("meshes", number);
        for (const Json& primitive : mesh.at("primitives")) addPrimitive(primitive, place, number);
    }

    void addPrimitive(const Json& primitive, const glm::dmat4& place, std::size_t meshNumber) {
        const std::size_t mode = natural(primitive, "mode", triangles);
        const Json& attributes = primitive.at("attributes");
        if (mode != points && mode != triangles && mode != strip && mode != fan) {
            ++mesh_.ignored["line primitives"];
            return;
        }
        const std::string where = fmt::format("meshes[{}]", meshNumber);
        if (!attributes.contains("POSITION")) fail(where, "has no positions");
        const Accessor position = accessor(index(attributes.at("POSITION")));
        if (position.width != 3) fail(where, "has positions that are not three numbers");
        const std::size_t base = mesh_.vertices.size();
        const auto optional = [&](const char* name, int least) -> std::optional<Accessor> {
            if (!attributes.contains(name)) return std::nullopt;
            const Accessor found = accessor(index(attributes.at(name)));
            if (found.count != position.count || found.width < least)
                fail(where, fmt::format("has {} that do not fit its positions", name));
            return found;
        };
        const auto normals = optional("NORMAL", 3);
        const auto colours = optional("COLOR_0", 3);
        const std::optional<glm::vec3> material = materialColour(primitive);
        claim(position.count, 0);
        makeRoom(mesh_.vertices, position.count);
        const glm::dmat3 turn = glm::transpose(glm::inverse(glm::dmat3(place)));
        for (std::size_t i = 0; i < position.count; ++i) {
            steps_.at(i);
            const glm::vec3 vertex(glm::dvec3(place * glm::dvec4(vector(position, i), 1.0)));
            if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y) || !std::isfinite(vertex.z))
                fail(where, fmt::format("vertex {} is not finite", i));
            mesh_.vertices.push_back(vertex);
            if (normals && mesh_.normals.size() == base + i)
                mesh_.normals.emplace_back(turn * vector(*normals, i));
            if ((colours || material) && mesh_.colours.size() == base + i)
                mesh_.colours.push_back(
                    srgbFromLinear(material.value_or(glm::vec3(1.0F)) *
                                   (colours ? glm::vec3(vector(*colours, i)) : glm::vec3(1.0F))));
        }
        if (mode != points) addFaces(primitive, mode, position.count, base, where);
    }

    /// The linear colour that glTF multiplies a primitive's own with; its texture is not read.
    std::optional<glm::vec3> materialColour(const Json& primitive) const {
        if (!primitive.contains("material")) return std::nullopt;
        const Json& material = item("materials", index(primitive.at("material")));
        constexpr const char* kGroup = "pbrMetallicRoughness";
        constexpr const char* kFactor = "baseColorFactor";
        if (!material.contains(kGroup) || !material.at(kGroup).contains(kFactor))
            return std::nullopt;
        const Json& factor = material.at(kGroup).at(kFactor);
        return glm::vec3(factor.at(0).get<float>(), factor.at(1).get<float>(),
                         factor.at(2).get<float>());
    }

    void addFaces(const Json& primitive, std::size_t mode, std::size_t vertexCount,
                  std::size_t base, const std::string& where) {
        std::optional<Accessor> indices;
        if (primitive.contains("indices")) {
            indices = accessor(index(primitive.at("indices")));
            const bool whole = indices->component == kGlbUnsignedByte ||
                               indices->component == kGlbUnsignedShort ||
                               indices->component == kGlbUnsignedInt;
            if (indices->width != 1 || !whole) fail(where, "has indices that are not numbers");
            indices->normalised = false;
        }
        const std::size_t count = indices ? indices->count : vertexCount;
        const auto corner = [&](std::size_t i) {
            const std::size_t at =
                indices ? static_cast<std::size_t>(component(*indices, i, 0)) : i;
            if (at >= vertexCount)
                fail(where,
                     fmt::format("a face names the vertex {}, there are {}", at, vertexCount));
            return static_cast<std::uint32_t>(base + at);
        };
        const std::size_t faces = mode == triangles ? count / 3 : (count < 3 ? 0 : count - 2);
        claim(0, faces);
        makeRoom(mesh_.faces, faces);
        for (std::size_t i = 0; i < faces; ++i) {
            steps_.at(i);
            glm::u32vec3 face;
            if (mode == triangles) {
                face = {corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)};
            } else if (mode == fan) {
                face = {corner(0), corner(i + 1), corner(i + 2)};
            } else {
                face = {corner(i), corner(i + 1 + i % 2), corner(i + 2 - i % 2)};
            }
            if (face.x == face.y || face.y == face.z || face.z == face.x) {
                ++mesh_.ignored["triangles without area"];
            } else {
                mesh_.faces.push_back(face);
            }
        }
    }

    /// Of several meshes, some may lack what others have.
    void dropPartial(std::vector<glm::vec3>& values, const char* name) {
        if (values.empty() || values.size() == mesh_.vertices.size()) return;
        mesh_.ignored[name] = values.size();
        values = {};
    }

    const std::filesystem::path& subject_;
    ReadingSteps steps_;
    std::uint64_t whole_;
    std::uint64_t claimed_ = 0;
    Json json_;
    std::span<const std::byte> binary_;
    std::set<std::size_t> visited_;
    MeshFile mesh_;
};

}  // namespace

MeshFile decodeGlb(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                   const MeshReading& reading) {
    return GlbReader(bytes, subject, reading).read();
}

}  // namespace threefold
