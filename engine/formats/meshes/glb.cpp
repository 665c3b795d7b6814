#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <nlohmann/json.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/data_uri.h"
#include "engine/formats/bytes/little_endian_bytes.h"
#include "engine/formats/meshes/gltf_appearance.h"
#include "engine/formats/meshes/gltf_document.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/formats/pictures/srgb.h"
#include "engine/json_text.h"

namespace threefold {
namespace {

using Json = GltfDocument::Json;

constexpr const char* kNodes = "nodes";
constexpr const char* kLines = "line primitives";
constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";
/// Key in the asset's extras: the axis that pointed up before the nodes rotated it to y.
constexpr const char* kOriginalUp = "threefold_up";
/// Bytes of a face's material index and texture coordinates.
constexpr std::size_t kAppearanceBytesPerFace = sizeof(std::uint32_t) + 3 * sizeof(glm::vec2);

enum PrimitiveMode { points = 0, triangles = 4, triangleStrip = 5, triangleFan = 6 };

class GlbReader {
  public:
    explicit GlbReader(const MeshInput& input)
        : document_(input.source.bytes, input.source.subject, input.source.files),
          progress_(input),
          origin_(input.origin) {
        if (input.source.appearance != nullptr)
            appearance_.emplace(document_, *input.source.appearance,
                                allowedTextureFolders(input.source.options));
    }

    LoadedMesh read() {
        try {
            if (wasRotatedToYUp())
                rootTransform_ = {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1};
            if (document_.list("nodes").empty()) {
                for (std::size_t i = 0; i < document_.list("meshes").size(); ++i)
                    addMesh(i, glm::dmat4(1.0));
            } else {
                for (const std::size_t root : roots()) addTree(root);
            }
        } catch (const Json::exception& error) {
            fail("JSON", fmt::format("does not have the structure that glTF requires: {}",
                                     jsonProblem(error)));
        }
        if (appearance_) appearance_->finish(mesh_.vertices.size(), mesh_.faces.size());
        if (mesh_.vertices.empty() && mesh_.unreadContent.contains(kLines))
            throw InputError({document_.subject().string(), "",
                              "holds lines alone, neither triangles nor points",
                              "Export the object's surface."});
        dropIncomplete(mesh_, mesh_.normals, "normals");
        dropIncomplete(mesh_, mesh_.colours, "colours");
        return std::move(mesh_);
    }

  private:
    [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
        document_.fail(place, problem);
    }
    /// Whether encodeGlb() rotated the mesh to y up.
    bool wasRotatedToYUp() const {
        const Json& json = document_.json();
        const auto asset = json.find("asset");
        if (asset == json.end() || !asset->is_object()) return false;
        const auto extras = asset->find("extras");
        return extras != asset->end() && extras->is_object() && extras->contains(kOriginalUp) &&
               extras->at(kOriginalUp) == "z";
    }
    static std::size_t index(const Json& value) { return GltfDocument::index(value); }

    std::vector<std::size_t> roots() const {
        const Json& scenes = document_.list("scenes");
        if (!scenes.empty()) {
            std::vector<std::size_t> roots;
            const Json& scene = document_.entry(
                "scenes", GltfDocument::optionalIndex(document_.json(), "scene", 0));
            if (scene.contains("nodes"))
                for (const Json& node : scene.at("nodes")) roots.push_back(index(node));
            return roots;
        }
        std::set<std::size_t> children;
        for (const Json& node : document_.list("nodes"))
            if (node.contains("children"))
                for (const Json& child : node.at("children")) children.insert(index(child));
        std::vector<std::size_t> roots;
        for (std::size_t i = 0; i < document_.list("nodes").size(); ++i)
            if (!children.contains(i)) roots.push_back(i);
        return roots;
    }

    /// Rotation of a quaternion (x, y, z, w). Normalises a quaternion that is not of length 1, such
    /// as one rounded to few digits: it would scale the mesh.
    glm::dmat4 rotationOf(const std::array<double, 4>& quaternion, const std::string& place) const {
        const glm::dquat rotation(quaternion[3], quaternion[0], quaternion[1], quaternion[2]);
        const double length = glm::length(rotation);
        if (!std::isnormal(length))
            fail(place, fmt::format("has a rotation of length {}, expected 1", length));
        constexpr double kFloatRounding = 1e-5;
        const bool isUnit = std::abs(length - 1) <= kFloatRounding;
        return glm::mat4_cast(isUnit ? rotation : rotation / length);
    }

    glm::dmat4 localTransform(const Json& node, const std::string& place) const {
        if (const auto matrix = node.find("matrix"); matrix != node.end()) {
            glm::dmat4 result(1.0);
            for (int i = 0; i < 16; ++i)
                result[i / 4][i % 4] = matrix->at(static_cast<std::size_t>(i)).get<double>();
            constexpr double kRounding = 1e-6;
            for (int column = 0; column < 4; ++column)
                if (!(std::abs(result[column][3] - (column == 3 ? 1 : 0)) <= kRounding))
                    fail(place,
                         "has a matrix with a perspective, expected 0 0 0 1 in its last row");
            return result;
        }
        const auto read = [&](const char* name, std::array<double, 4> values, std::size_t count) {
            if (const auto entry = node.find(name); entry != node.end())
                for (std::size_t i = 0; i < count; ++i) values[i] = entry->at(i).get<double>();
            return values;
        };
        const auto translation = read("translation", {0, 0, 0, 0}, 3);
        const auto rotation = read("rotation", {0, 0, 0, 1}, 4);
        const auto scale = read("scale", {1, 1, 1, 0}, 3);
        glm::dmat4 result = rotationOf(rotation, place);
        for (int axis = 0; axis < 3; ++axis) result[axis] *= scale[static_cast<std::size_t>(axis)];
        result[3] = glm::dvec4(translation[0], translation[1], translation[2], 1.0);
        return result;
    }

    void addTree(std::size_t root) {
        std::vector<std::pair<std::size_t, glm::dmat4>> pending{{root, rootTransform_}};
        while (!pending.empty()) {
            const auto [nodeIndex, parent] = pending.back();
            pending.pop_back();
            const Json& node = document_.entry("nodes", nodeIndex);
            // glTF allows each node one parent: a second path to a node would be a cycle, or repeat
            // its children.
            const std::string place = fmt::format("nodes[{}]", nodeIndex);
            if (!visited_.insert(nodeIndex).second) fail(place, "has more than one parent");
            const glm::dmat4 transform = parent * localTransform(node, place);
            if (node.contains("mesh")) addMesh(index(node.at("mesh")), transform);
            countRepetitions(node);
            if (!node.contains("children")) continue;
            for (const Json& child : node.at("children"))
                pending.emplace_back(index(child), transform);
        }
    }

    /// Counts the instances of a node's mesh as left out: the mesh is read once, at the node.
    void countRepetitions(const Json& node) {
        const Json* instancing = GltfDocument::extension(node, kInstancing);
        if (instancing == nullptr || !instancing->contains("attributes")) return;
        const Json& attributes = instancing->at("attributes");
        if (attributes.empty()) return;
        const Json& accessor = document_.entry("accessors", index(attributes.front()));
        mesh_.leftOut[ShapeDefect::meshRepetitions] += index(accessor.at("count"));
    }

    void addMesh(std::size_t meshIndex, const glm::dmat4& transform) {
        const Json& mesh = document_.entry("meshes", meshIndex);
        for (const Json& primitive : mesh.at("primitives"))
            addPrimitive(primitive, transform, meshIndex);
    }

    /// Attributes of a primitive, each with as many elements as `position`.
    struct Attributes {
        GltfAccessor position;
        std::optional<GltfAccessor> normals, colours;
    };

    void addPrimitive(const Json& primitive, const glm::dmat4& transform, std::size_t meshNumber) {
        const std::size_t mode = GltfDocument::optionalIndex(primitive, "mode", triangles);
        const Json& accessorIndices = primitive.at("attributes");
        const std::string where = fmt::format("meshes[{}]", meshNumber);
        if (mode > triangleFan)
            throw InputError({document_.subject().string(), where,
                              fmt::format("has primitives of mode {}, expected 0 to 6", mode),
                              "Export the mesh again."});
        if (mode != points && mode != triangles && mode != triangleStrip && mode != triangleFan) {
            ++mesh_.unreadContent[kLines];
            return;
        }
        const Attributes attributes = attributesOf(primitive, accessorIndices, where);
        const std::size_t base = mesh_.vertices.size();
        addVertices(attributes, materialColour(primitive), transform);
        if (appearance_ && mode != points) {
            const GltfAppearanceReader::PrimitiveMaterial current =
                appearance_->begin(primitive, attributes.colours, base);
            coordinates_ =
                current.texCoordSet
                    ? attribute(accessorIndices, fmt::format("TEXCOORD_{}", *current.texCoordSet),
                                2, attributes.position.count, where)
                    : std::nullopt;
        }
        // glTF 2.0, 3.7.4: a transform that mirrors reverses the order of a face's corners.
        const bool mirrored = glm::determinant(glm::dmat3(transform)) < 0;
        if (mode != points)
            addFaces(primitive, mode, attributes.position.count, base, mirrored, where);
    }

    /// Attribute `name` of a primitive; nullopt if `accessors`, the primitive's attributes, lacks
    /// it.
    std::optional<GltfAccessor> attribute(const Json& accessors, const std::string& name,
                                          int minWidth, std::size_t count,
                                          const std::string& where) {
        if (!accessors.contains(name)) return std::nullopt;
        const GltfAccessor accessor = document_.accessor(index(accessors.at(name)));
        if (accessor.count != count || accessor.componentCount < minWidth)
            fail(where, fmt::format("has {} that do not fit its positions", name));
        return accessor;
    }

    Attributes attributesOf(const Json& primitive, const Json& accessors,
                            const std::string& where) {
        if (!accessors.contains("POSITION")) fail(where, "has no positions");
        const std::size_t positions = index(accessors.at("POSITION"));
        checkCompression(primitive, positions, where);
        const GltfAccessor position = document_.accessor(positions);
        if (position.componentCount != 3) fail(where, "has positions that are not three numbers");
        return {position, attribute(accessors, "NORMAL", 3, position.count, where),
                attribute(accessors, "COLOR_0", 3, position.count, where)};
    }

    /// Appends a primitive's vertices, with their normals and colours if all earlier vertices have
    /// them. `material`: linear colour that multiplies the vertices' colours.
    void addVertices(const Attributes& attributes, const std::optional<glm::vec3>& material,
                     const glm::dmat4& transform) {
        const auto& [position, normals, colours] = attributes;
        const std::size_t base = mesh_.vertices.size();
        document_.reserveGeometry(position.count * 3 * sizeof(glm::vec3), kNodes);
        reserveGrowing(mesh_.vertices, position.count);
        const glm::dmat3 normalTransform = glm::transpose(glm::inverse(glm::dmat3(transform)));
        for (std::size_t i = 0; i < position.count; ++i) {
            reportElement(sizeof(glm::vec3));
            // decodeMesh() drops vertices that are not finite.
            mesh_.vertices.emplace_back(
                glm::dvec3(transform * glm::dvec4(position.vector(i), 1.0)) - origin_);
            if (normals && mesh_.normals.size() == base + i)
                mesh_.normals.emplace_back(normalTransform * normals->vector(i));
            if ((colours || material) && mesh_.colours.size() == base + i)
                mesh_.colours.push_back(
                    srgbFromLinear(material.value_or(glm::vec3(1.0F)) *
                                   (colours ? glm::vec3(colours->vector(i)) : glm::vec3(1.0F))));
        }
    }

    /// Reports progress by the size in memory of all elements read so far. `bytes`: size of the
    /// newest element.
    void reportElement(std::size_t bytes) { progress_.update(elementBytes_ += bytes); }

    /// Refuses a primitive whose shape is present in compressed form only.
    void checkCompression(const Json& primitive, std::size_t positions,
                          const std::string& where) const {
        constexpr const char* kDraco = "KHR_draco_mesh_compression";
        const bool hasData = document_.entry("accessors", positions).contains("bufferView");
        if (!hasData && GltfDocument::extension(primitive, kDraco) != nullptr)
            document_.failUnsupported(where, kDraco);
    }

    /// Linear colour that multiplies a primitive's colours in glTF.
    std::optional<glm::vec3> materialColour(const Json& primitive) const {
        if (!primitive.contains("material")) return std::nullopt;
        const auto base = baseColourOf(document_.entry("materials", index(primitive["material"])));
        if (!base.hasFactor) return std::nullopt;
        return glm::vec3(base.factor);
    }

    void addFaces(const Json& primitive, std::size_t mode, std::size_t vertexCount,
                  std::size_t base, bool mirrored, const std::string& where) {
        std::optional<GltfAccessor> indices;
        if (primitive.contains("indices")) {
            indices = document_.accessor(index(primitive.at("indices")));
            if (indices->componentCount != 1 || !indices->component->isIndex)
                fail(where, "has indices that are not unsigned integers");
            indices->isNormalised = false;
        }
        const std::size_t count = indices ? indices->count : vertexCount;
        const auto corner = [&](std::size_t i) {
            const std::size_t vertex = indices ? static_cast<std::size_t>(indices->at(i, 0)) : i;
            if (vertex >= vertexCount)
                fail(where,
                     fmt::format("a face names the vertex {}, but the number of vertices is {}",
                                 vertex, vertexCount));
            return static_cast<std::uint32_t>(base + vertex);
        };
        const std::size_t faces = mode == triangles ? count / 3 : (count < 3 ? 0 : count - 2);
        document_.reserveGeometry(
            faces * (sizeof(glm::u32vec3) + (appearance_ ? kAppearanceBytesPerFace : 0)), kNodes);
        reserveGrowing(mesh_.faces, faces);
        if (appearance_) appearance_->reserve(faces, coordinates_.has_value());
        for (std::size_t i = 0; i < faces; ++i) {
            reportElement(sizeof(glm::u32vec3));
            glm::u32vec3 face;
            if (mode == triangles) {
                face = {corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)};
            } else if (mode == triangleFan) {
                face = {corner(0), corner(i + 1), corner(i + 2)};
            } else {
                face = {corner(i), corner(i + 1 + i % 2), corner(i + 2 - i % 2)};
            }
            if (mirrored) std::swap(face.y, face.z);
            if (addTriangle(mesh_, face) && appearance_)
                appearance_->addFace(face - static_cast<std::uint32_t>(base), coordinates_);
        }
    }

    GltfDocument document_;
    ReadProgress progress_;
    std::size_t elementBytes_ = 0;  // read so far
    glm::dvec3 origin_;
    std::optional<GltfAppearanceReader> appearance_;
    std::optional<GltfAccessor> coordinates_;  // of the current primitive
    std::set<std::size_t> visited_;
    glm::dmat4 rootTransform_{1.0};  // of all nodes
    LoadedMesh mesh_;
};

/// Mesh with one vertex for each pair of vertex and texture coordinate, because glTF indexes both
/// together.
struct SplitMesh {
    SplitMesh(const Mesh& source, std::span<const glm::vec2> texCoords) {
        std::map<std::tuple<std::uint32_t, float, float>, std::uint32_t> indices;
        for (std::size_t face = 0; face < source.faces.size(); ++face) {
            mesh.faces.emplace_back();
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t vertex = source.faces[face][i];
                const glm::vec2 texCoord = texCoords[3 * face + static_cast<std::size_t>(i)];
                const auto [entry, isNew] =
                    indices.try_emplace({vertex, texCoord.x, texCoord.y},
                                        static_cast<std::uint32_t>(mesh.vertices.size()));
                mesh.faces.back()[i] = entry->second;
                if (!isNew) continue;
                mesh.vertices.push_back(source.vertices[vertex]);
                coordinates.emplace_back(texCoord.x, 1 - texCoord.y);
            }
        }
    }

    Mesh mesh;
    std::vector<glm::vec2> coordinates;  // v points down
};

/// Adds the texture as the document's only one, with its PNG at the end of the buffer.
void addTexture(nlohmann::ordered_json& document, LittleEndianBytes& data, const Image& picture) {
    using Ordered = nlohmann::ordered_json;
    constexpr int kLinear = 9729, kLinearMipmapLinear = 9987, kClamp = 33071;
    const std::vector<std::byte> png = encodePng(picture);
    const std::size_t start = data.size();
    data.appendText(asText(png));
    while (data.size() % 4 != 0) data.appendU8(0);
    document["images"] = Ordered::array(
        {Ordered{{"bufferView", document["bufferViews"].size()}, {"mimeType", "image/png"}}});
    document["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", start}, {"byteLength", png.size()}});
    document["samplers"] = Ordered::array({Ordered{{"magFilter", kLinear},
                                                   {"minFilter", kLinearMipmapLinear},
                                                   {"wrapS", kClamp},
                                                   {"wrapT", kClamp}}});
    document["textures"] = Ordered::array({Ordered{{"sampler", 0}, {"source", 0}}});
    // Omits KHR_materials_unlit, although photographs include their lighting, because f3d 1.3 shows
    // an unlit material white.
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
    document["buffers"][0]["byteLength"] = data.size();
}

/// Binary chunk of a GLB, with its buffer views and accessors. Functions return the accessor's
/// index.
class GlbBuffers {
  public:
    using Json = nlohmann::ordered_json;

    std::size_t addVectors(std::span<const glm::vec3> vectors) {
        const std::size_t start = data.size();
        for (const glm::vec3& vector : vectors) data.appendVector(vector);
        return add(start, kArrayBuffer, kGltfFloat, vectors.size(), "VEC3");
    }
    std::size_t addCoordinates(std::span<const glm::vec2> coordinates) {
        const std::size_t start = data.size();
        for (const glm::vec2 texCoord : coordinates) {
            data.appendF32(texCoord.x);
            data.appendF32(texCoord.y);
        }
        return add(start, kArrayBuffer, kGltfFloat, coordinates.size(), "VEC2");
    }
    std::size_t addIndices(const Faces& faces) {
        const std::size_t start = data.size();
        for (const glm::u32vec3& face : faces) data.appendFace(face);
        return add(start, kElementArrayBuffer, kGltfUnsignedInt, faces.size() * 3, "SCALAR");
    }

    LittleEndianBytes data;
    Json views = Json::array();
    Json accessors = Json::array();

  private:
    static constexpr int kArrayBuffer = 34962;
    static constexpr int kElementArrayBuffer = 34963;

    /// Adds a view of the data from `start` to the end, and the view's accessor.
    std::size_t add(std::size_t start, int target, int component, std::size_t count,
                    const char* type) {
        accessors.push_back({{"bufferView", views.size()},
                             {"componentType", component},
                             {"count", count},
                             {"type", type}});
        views.push_back({{"buffer", 0},
                         {"byteOffset", start},
                         {"byteLength", data.size() - start},
                         {"target", target}});
        return accessors.size() - 1;
    }
};

/// Joins the two chunks of a GLB; `binary` has a multiple of four bytes. Throws InputError if the
/// file would take 4 GiB or more.
std::string joinChunks(std::string json, std::string_view binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    constexpr std::size_t kHeader = 12;
    constexpr std::size_t kChunkHeader = 8;
    const std::size_t fileSize = kHeader + 2 * kChunkHeader + json.size() + binary.size();
    if (fileSize > UINT32_MAX)
        throw InputError(
            {"", "", fmt::format("takes {} bytes, but a GLB file holds less than 4 GiB", fileSize),
             "Write it as PLY."});
    LittleEndianBytes out;
    out.reserve(fileSize);
    out.appendU32(kGlbMagic);
    out.appendU32(2);
    out.appendU32(static_cast<std::uint32_t>(fileSize));
    out.appendU32(static_cast<std::uint32_t>(json.size()));
    out.appendU32(kGlbJson);
    out.appendText(json);
    out.appendU32(static_cast<std::uint32_t>(binary.size()));
    out.appendU32(kGlbBinary);
    out.appendText(binary);
    return out.release();
}

std::string encodeGlb(const Mesh& mesh, const MeshWriteOptions& options,
                      std::span<const glm::vec2> coordinates) {
    using Ordered = nlohmann::ordered_json;
    GlbBuffers buffers;
    Ordered primitive = {{"attributes", {{"POSITION", buffers.addVectors(mesh.vertices)}}},
                         {"mode", mesh.faces.empty() ? points : triangles}};
    const Points none{glm::vec3(0.0F)};
    const Box3f box = boundsOf(mesh.vertices.empty() ? none : mesh.vertices);
    buffers.accessors[0]["min"] = {box.min.x, box.min.y, box.min.z};
    buffers.accessors[0]["max"] = {box.max.x, box.max.y, box.max.z};
    if (!options.colours.empty()) {
        std::vector<glm::vec3> linear;
        linear.reserve(options.colours.size());
        for (const glm::vec3& colour : options.colours) linear.push_back(linearFromSrgb(colour));
        primitive["attributes"]["COLOR_0"] = buffers.addVectors(linear);
    }
    if (!coordinates.empty())
        primitive["attributes"]["TEXCOORD_0"] = buffers.addCoordinates(coordinates);
    if (!mesh.faces.empty()) primitive["indices"] = buffers.addIndices(mesh.faces);
    const Ordered material = {
        {"pbrMetallicRoughness", {{"metallicFactor", 0}, {"roughnessFactor", 1}}},
        {"doubleSided", true}};
    primitive["material"] = 0;
    Ordered node = {{"mesh", 0}};
    Ordered asset = {{"version", "2.0"}, {"generator", "Threefold"}};
    const glm::dvec3 origin = options.origin;
    if (options.zUp) {
        node["matrix"] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, origin.x, origin.z, -origin.y, 1};
        asset["extras"] = {{kOriginalUp, "z"}};
    } else if (origin != glm::dvec3(0.0)) {
        node["translation"] = {origin.x, origin.y, origin.z};
    }
    Ordered document = {
        {"asset", asset},
        {"scene", 0},
        {"scenes", {{{"nodes", {0}}}}},
        {"nodes", Ordered::array({node})},
        {"meshes", {{{"primitives", Ordered::array({primitive})}}}},
        {"materials", Ordered::array({material})},
        {"accessors", buffers.accessors},
        {"bufferViews", buffers.views},
        {"buffers", Ordered::array({Ordered{{"byteLength", buffers.data.size()}}})}};
    if (options.texture != nullptr) addTexture(document, buffers.data, *options.texture->picture);
    return joinChunks(document.dump(), buffers.data.release());
}

std::string writeGlb(const Mesh& mesh, const MeshWriteOptions& options) {
    if (options.texture == nullptr) return encodeGlb(mesh, options, {});
    const SplitMesh split(mesh, options.texture->textureCoordinates);
    return encodeGlb(split.mesh,
                     {.colours = {},
                      .scalars = {},
                      .texture = options.texture,
                      .origin = options.origin,
                      .zUp = options.zUp},
                     split.coordinates);
}

bool recognisesGlb(const FormatProbe& content) {
    if (content.beginning.starts_with("glTF")) return true;
    return content.firstWord.starts_with('{') &&
           (content.hasExtension ||
            (content.isText && content.beginning.find("\"asset\"") != content.beginning.npos));
}

}  // namespace

std::string gltfFromGlb(std::string_view glb) {
    constexpr std::size_t kJson = 20;  // offset of the JSON chunk: size of the headers
    constexpr std::size_t kLength = 12;
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + kLength, sizeof(length));
    auto document = nlohmann::ordered_json::parse(glb.substr(kJson, length));
    document["buffers"][0]["uri"] = "data:application/octet-stream;base64," +
                                    encodeBase64(asBytes(glb.substr(kJson + length + 8)));
    return document.dump();
}

const MeshFormatInfo mesh_formats::glb{
    .names = "GLB, glTF",
    .extensions = {"glb", "gltf"},
    .recognises = recognisesGlb,
    .decode = [](const MeshInput& input) { return GlbReader(input).read(); },
    .encode = writeGlb,
    .carriesFaces = true,
    .carriesColours = true,
    .carriesTextures = true,
};

}  // namespace threefold
