#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "engine/error.h"
#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/text/text_scanner.h"

namespace threefold {

/// Beginning of a file and facts about it, by which a format recognises its files.
struct FormatProbe {
    std::span<const std::byte> bytes;
    std::string_view beginning;  ///< the first 4096 bytes
    bool isText = false;         ///< judged by `beginning`; false if the size fits a binary STL
    std::string_view firstWord;  ///< first word of a text after its comments
    bool hasExtension = false;   ///< the extension is the format's
};

/// Input of decodeMesh(): the bytes of a file, its name, options and the files beside it. All
/// referenced objects must outlive the call.
struct MeshSource {
    std::span<const std::byte> bytes;
    const std::filesystem::path& subject;
    const MeshReadOptions& options;
    const ReferencedFiles* files = nullptr;  ///< null: no other files
    /// Filled where the format has materials; null: unwanted.
    MeshAppearance* appearance = nullptr;
};

/// Input of a format's reader. Text is UTF-8, and its lines end with '\n'.
struct MeshInput {
    const MeshSource& source;
    bool isText = false;     ///< see FormatProbe
    glm::dvec3 origin{0.0};  ///< LoadedMesh::origin, subtracted by readers
};

/// Float nearest to the word's number minus `origin`; NaN if the word is a text for NaN or
/// infinity. Throws FormatError.
float coordinateOf(const TextScanner& scanner, std::string_view word, std::string_view expected,
                   double origin);

/// Decodes a mesh with the files beside it, and its appearance.
LoadedMesh decodeMesh(MeshSource source);

/// Folders in which material libraries and textures may lie.
inline AllowedFolders allowedTextureFolders(const MeshReadOptions& options) {
    return options.texturesAnywhere ? AllowedFolders::anywhere : AllowedFolders::folder;
}

/// Whether the length fits a binary STL with the declared number of triangles.
bool hasLengthOfBinaryStl(std::span<const std::byte> bytes);

/// Reports progress while reading, and cancels on request.
class ReadProgress {
  public:
    explicit ReadProgress(const MeshInput& input)
        : options_(input.source.options), size_(input.source.bytes.size()) {}

    /// Reports the offset reached. Cheap enough for each element. Throws Cancelled.
    void update(std::size_t offset) {
        if (offset < next_) return;
        constexpr std::size_t kStep = std::size_t{1} << 20;
        next_ = offset + kStep;
        if (options_.cancel.stop_requested()) throw Cancelled();
        if (options_.onProgress && size_ > 0)
            options_.onProgress(
                std::min(1.0F, static_cast<float>(offset) / static_cast<float>(size_)));
    }

  private:
    const MeshReadOptions& options_;
    std::size_t size_;
    std::size_t next_ = 0;
};

/// Reserves room for `more` further elements, growing by half: doubling could exceed a reader's
/// memory limit.
template <class Value>
void reserveGrowing(std::vector<Value>& values, std::size_t more) {
    const std::size_t needed = values.size() + more;
    if (needed > values.capacity())
        values.reserve(std::max(needed, values.capacity() + values.capacity() / 2));
}

/// Scales colours whose format does not state their range to 0…1. If a number exceeds 2, all are
/// 0…255. Otherwise numbers above 1 come from rounding or overexposure, and are clamped: divided by
/// 255, the whole mesh would be black.
inline void scaleColours(std::vector<glm::vec3>& colours) {
    constexpr float kWhite = 255;
    constexpr float kMaxOverexposed = 2;
    float highest = 0;
    for (const glm::vec3& colour : colours)
        highest = std::max({highest, colour.x, colour.y, colour.z});
    if (highest <= 1) return;
    for (glm::vec3& colour : colours)
        colour = highest > kMaxOverexposed ? colour / kWhite : glm::min(colour, glm::vec3(1));
}

/// Drops normals or colours, and counts them as unread, unless they are valid and every vertex has
/// one.
inline void dropIncomplete(LoadedMesh& mesh, std::vector<glm::vec3>& values, const char* name,
                           bool isValid = true) {
    if (values.empty() || (isValid && values.size() == mesh.vertices.size())) return;
    mesh.unreadContent[name] += values.size();
    values = {};
}

/// Appends a face. A face that names a vertex twice is counted as unread instead; the result is
/// then false.
bool addTriangle(LoadedMesh& mesh, const glm::u32vec3& face);

/// Maximum corners of a face: more than any real face has, few enough to fit in memory.
inline constexpr std::size_t kMaxCorners = 1'000'000;

/// Appends the triangles of a polygon, in its orientation: a fan if it is convex (or has over 128
/// corners), else by ear clipping. `corners` are indices of the mesh's vertices. `cornerIndices`,
/// if given, gets an index into `corners` for each corner of these triangles.
void addPolygon(LoadedMesh& mesh, std::span<const std::uint32_t> corners,
                std::vector<std::uint32_t>* cornerIndices = nullptr);

}  // namespace threefold
