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
#include <nlohmann/json.hpp>

#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

/// Constants of the glTF 2.0 specification that reader and writer share.
inline constexpr std::uint32_t kGlbMagic = 0x46546c67;   ///< "glTF"
inline constexpr std::uint32_t kGlbJson = 0x4e4f534a;    ///< "JSON"
inline constexpr std::uint32_t kGlbBinary = 0x004e4942;  ///< "BIN\0"

/// Values of "componentType".
inline constexpr int kGltfUnsignedInt = 5125;
inline constexpr int kGltfFloat = 5126;

/// Component type of an accessor.
struct GltfComponentType {
    int componentType;  ///< number in the file, such as kGltfFloat
    std::size_t size;   ///< bytes
    bool isIndex;       ///< unsigned: can be a vertex index
    double (*load)(const std::byte* bytes, bool isNormalised);
};

/// Data of a glTF accessor.
struct GltfAccessor {
    std::span<const std::byte> bytes{};
    std::size_t count = 0;
    std::size_t stride = 0;
    const GltfComponentType* component = nullptr;
    int componentCount = 0;
    bool isNormalised = false;

    std::size_t elementSize() const {
        return component->size * static_cast<std::size_t>(componentCount);
    }
    /// Component `componentIndex` of element `element`; both must exist.
    double at(std::size_t element, int componentIndex) const;
    /// The first three components of an element.
    glm::dvec3 vector(std::size_t element) const;
};

/// JSON and buffers of a GLB or glTF: the binary chunk, "data:" URIs, files beside it. Everything
/// is checked before use. Throws FormatError; IoError if a buffer's file cannot be read; InputError
/// if the asset needs another version than 2.0, a required extension changes the shape and is
/// unsupported, or a buffer lies outside the folder; Json::exception for a value of an unexpected
/// type.
class GltfDocument {
  public:
    using Json = nlohmann::json;

    /// `bytes`, `subject` and `files` must outlive the document; `files` is null if there are no
    /// files beside the document.
    GltfDocument(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 const ReferencedFiles* files);

    const Json& json() const { return json_; }
    /// Top-level list of this name; empty if missing.
    const Json& list(const char* name) const;
    /// One object of a top-level list.
    const Json& entry(const char* name, std::size_t index) const;
    /// Value of an index: a whole number that is not negative.
    static std::size_t index(const Json& value);
    /// Index that an object has under this name; `fallback` if missing.
    static std::size_t optionalIndex(const Json& object, const char* name, std::size_t fallback);
    /// Extension of an object by name; null if missing.
    static const Json* extension(const Json& object, const char* name);

    /// Bytes of a buffer view, valid as long as the document lives.
    std::span<const std::byte> bufferView(std::size_t viewIndex, const std::string& place);
    /// Data of an accessor, checked against its buffer view; valid as long as the document lives.
    /// Throws FormatError.
    GltfAccessor accessor(std::size_t accessorIndex);
    /// File that a URI names; empty if missing. Throws InputError if outside the allowed folders.
    std::filesystem::path fileOf(const std::string& uri,
                                 AllowedFolders allowed = AllowedFolders::folder) const;
    /// Reads a file; the memory limit grows as if the document were larger by the file's size.
    /// Throws IoError.
    std::vector<std::byte> read(const std::filesystem::path& file);

    /// Reserves memory for geometry, which nodes may repeat many times. Throws FormatError beyond
    /// the limit for a file of this size.
    void reserveGeometry(std::uint64_t bytes, const std::string& place);
    /// Bytes that pictures may still take besides the geometry.
    std::uint64_t memoryLeft() const;
    /// Counts bytes of pictures.
    void addPictureBytes(std::uint64_t bytes) { pictureBytes_ += bytes; }

    const std::filesystem::path& subject() const { return subject_; }
    /// Throws FormatError for a place such as "accessors[3]".
    [[noreturn]] void fail(const std::string& place, const std::string& problem) const;
    /// Throws InputError: "requires 'KHR_…', which is not supported".
    [[noreturn]] void failUnsupported(const std::string& place, std::string_view extension) const;

  private:
    void readChunks(std::span<const std::byte> bytes);
    void parse(std::span<const std::byte> text, std::size_t offset);
    void checkVersion() const;
    void checkExtensions() const;
    std::span<const std::byte> buffer(std::size_t bufferIndex);
    const GltfComponentType& component(const Json& json, const std::string& place) const;
    void setLayout(GltfAccessor& accessor, const Json& json, const std::string& place);
    void applySparse(GltfAccessor& accessor, const Json& sparse, const std::string& place);

    const std::filesystem::path& subject_;
    const ReferencedFiles* files_;
    Json json_;
    std::span<const std::byte> binary_;
    std::map<std::size_t, std::vector<std::byte>> buffers_;
    std::map<std::filesystem::path, std::size_t> bufferOfFile_;
    std::deque<std::vector<std::byte>> sparseCopies_;
    std::uint64_t fileBytes_;  ///< total size of all files read
    std::uint64_t parsed_ = 0;
    std::uint64_t geometryBytes_ = 0;
    std::uint64_t pictureBytes_ = 0;
};

}  // namespace threefold
