#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <nlohmann/json.hpp>

#include "engine/formats/bytes/named_files.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

/// Numbers of the glTF 2.0 specification that reader and writer share.
inline constexpr std::uint32_t kGlbMagic = 0x46546c67;   ///< "glTF"
inline constexpr std::uint32_t kGlbJson = 0x4e4f534a;    ///< "JSON"
inline constexpr std::uint32_t kGlbBinary = 0x004e4942;  ///< "BIN\0"

inline constexpr int kGlbUnsignedInt = 5125;
inline constexpr int kGlbFloat = 5126;

/// A type of numbers.
struct GltfComponent {
    int number;        ///< "componentType"
    std::size_t size;  ///< bytes
    bool isIndex;      ///< unsigned: can number vertices
    double (*load)(const std::byte* place, bool normalised);
};

/// The numbers of one glTF accessor.
struct GltfAccessor {
    std::span<const std::byte> bytes{};
    std::size_t count = 0;
    std::size_t stride = 0;
    const GltfComponent* component = nullptr;
    int width = 0;  ///< components
    bool normalised = false;

    std::size_t elementSize() const { return component->size * static_cast<std::size_t>(width); }
    /// Number `number` of element `element`; both must exist.
    double at(std::size_t element, int number) const;
    /// Its first three.
    glm::dvec3 vector(std::size_t element) const;
};

/// The JSON of a GLB or a glTF, and its buffers: the binary chunk, "data:" URIs, files beside it.
/// Everything is checked before use. Throws FormatError; IoError, where a buffer's file
/// cannot be read; InputError, where an extension is required that changes the shape and is not
/// read, or a buffer lies outside the folder; Json::exception where a value is of another type than
/// asked.
class GltfDocument {
  public:
    using Json = nlohmann::json;

    /// `bytes`, `subject` and `files` must outlive it; `files` is null where none are beside it.
    GltfDocument(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 const NamedFiles* files);

    const Json& json() const { return json_; }
    /// The list of that name, empty where there is none.
    const Json& list(const char* name) const;
    /// One object of that list.
    const Json& item(const char* name, std::size_t index) const;
    /// A value that is a natural number.
    static std::size_t index(const Json& value);
    static std::size_t natural(const Json& object, const char* name, std::size_t otherwise);
    /// An object's extension of that name; null where it has none.
    static const Json* extension(const Json& object, const char* name);

    /// The bytes of a buffer view, valid as long as the document.
    std::span<const std::byte> view(std::size_t number, const std::string& place);
    GltfAccessor accessor(std::size_t number);
    /// The file that a URI names; empty where there is none. Throws InputError: beyond reach.
    std::filesystem::path fileOf(const std::string& uri, Reach reach = Reach::folder) const;
    std::vector<std::byte> read(const std::filesystem::path& file);

    /// Counts memory for geometry, which nodes may repeat many times. Throws FormatError before it
    /// exceeds what a file of this size may take.
    void claim(std::uint64_t bytes, const std::string& place);
    /// Bytes that pictures may still take besides the claimed geometry.
    std::uint64_t memoryLeft() const;
    /// Counts bytes that pictures take.
    void hold(std::uint64_t bytes) { held_ += bytes; }

    const std::filesystem::path& subject() const { return subject_; }
    [[noreturn]] void fail(const std::string& place, const std::string& problem) const;
    /// "asks for 'KHR_…', which is not read."
    [[noreturn]] void refuse(const std::string& place, std::string_view extension) const;

  private:
    void readChunks(std::span<const std::byte> bytes);
    void parse(std::span<const std::byte> text, std::size_t at);
    void checkExtensions() const;
    std::span<const std::byte> buffer(std::size_t number);
    const GltfComponent& component(const Json& json, const std::string& place) const;
    void layOut(GltfAccessor& accessor, const Json& json, const std::string& place);
    void patch(GltfAccessor& accessor, const Json& sparse, const std::string& place);

    const std::filesystem::path& subject_;
    const NamedFiles* files_;
    Json json_;
    std::span<const std::byte> binary_;
    std::map<std::size_t, std::vector<std::byte>> buffers_;
    std::map<std::filesystem::path, std::size_t> bufferOfFile_;
    std::deque<std::vector<std::byte>> patched_;
    std::uint64_t whole_;  ///< bytes of all its files
    std::uint64_t parsed_ = 0;
    std::uint64_t claimed_ = 0;
    std::uint64_t held_ = 0;
};

/// A material's colour seen face-on: the base colour of the metallic-roughness model, or, where the
/// material has it, the diffuse colour of KHR_materials_pbrSpecularGlossiness.
struct BaseColour {
    glm::vec4 factor{1.0F};  ///< linear
    bool hasFactor = false;
    const GltfDocument::Json* texture = nullptr;  ///< its textureInfo, part of the material
};
BaseColour baseColourOf(const GltfDocument::Json& material);

/// Gathers the surface while the primitives are read, one after the other. Textures that cannot be
/// read are listed as missing. Throws as GltfDocument.
class GltfLook {
  public:
    /// Both must outlive it.
    GltfLook(GltfDocument& document, MeshLook& look, Reach reach)
        : document_(document), look_(look), reach_(reach) {}

    struct Part {
        std::uint32_t material = kNoMaterial;
        std::optional<std::size_t> set;  ///< of its texture's coordinates
    };

    /// Begins a primitive, whose vertices begin at `base`.
    Part begin(const GltfDocument::Json& primitive, const std::optional<GltfAccessor>& colours,
               std::size_t base);
    /// Reserves room for the faces of this primitive.
    void expect(std::size_t faces, bool mapped);
    /// Adds a face, given by its vertices in the primitive and their texture coordinates.
    void addFace(const glm::u32vec3& corners, const std::optional<GltfAccessor>& coordinates);
    /// Fills in tints and coordinates that some primitives lack.
    void finish(std::size_t vertices, std::size_t faces);

  private:
    Part material(std::size_t number);
    std::optional<std::size_t> setTexture(const GltfDocument::Json& info, TextureMap& map);
    void setWraps(const GltfDocument::Json& texture, TextureMap& map) const;
    std::int32_t texture(std::size_t number);
    std::int32_t image(std::size_t number);
    Image readImage(const GltfDocument::Json& json, const std::string& place);

    GltfDocument& document_;
    MeshLook& look_;
    Reach reach_;                                 ///< of textures
    std::map<std::size_t, Part> parts_;           // by the number of the material
    std::map<std::size_t, std::int32_t> images_;  // in `textures`
    Part white_;
    Part current_;
};

}  // namespace threefold
