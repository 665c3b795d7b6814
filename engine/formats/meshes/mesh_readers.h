#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "engine/error.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

/// Lets the requester of a long reading see where it is, and end it.
class ReadingSteps {
  public:
    ReadingSteps(const MeshReading& reading, std::size_t whole)
        : reading_(reading), whole_(whole) {}

    /// Cheap enough for each element. Throws Cancelled.
    void at(std::size_t offset) {
        if (offset < next_) return;
        constexpr std::size_t kStep = std::size_t{1} << 20;
        next_ = offset + kStep;
        if (reading_.cancel.stop_requested()) throw Cancelled();
        if (reading_.progress && whole_ > 0)
            reading_.progress(static_cast<float>(offset) / static_cast<float>(whole_));
    }

  private:
    const MeshReading& reading_;
    std::size_t whole_;
    std::size_t next_ = 0;
};

/// Room for `more` further elements, growing by half: doubling could take more memory than a reader
/// may.
template <class Value>
void makeRoom(std::vector<Value>& values, std::size_t more) {
    const std::size_t needed = values.size() + more;
    if (needed > values.capacity())
        values.reserve(std::max(needed, values.capacity() + values.capacity() / 2));
}

/// Appends the triangles of a polygon, in its sense of rotation: a fan where it is convex (or has
/// over 128 corners), else by cutting off ears. `corners` name points; triangles that name
/// one twice are left out and counted in the result.
std::size_t appendPolygon(std::span<const std::uint32_t> corners, const Points& points,
                          Faces& faces);

class NamedFiles;
struct GltfSurface;

/// A mesh's bytes as its reader takes them: of texts in UTF-8 (text_encoding.h).
class MeshBytes {
  public:
    /// `bytes` must outlive it.
    explicit MeshBytes(std::span<const std::byte> bytes);

    std::span<const std::byte> plain() const;

  private:
    std::span<const std::byte> bytes_;
    std::optional<PlainText> text_;
};

/// As decodeMesh(); where `files` is given a glTF's buffers are asked of it, where `surface` is
/// given it is filled for a GLB or glTF.
MeshFile decodePlainMesh(const MeshBytes& bytes, const std::filesystem::path& subject,
                         const MeshReading& reading, const NamedFiles* files = nullptr,
                         GltfSurface* surface = nullptr);

// One for each format: the bytes are known to be of it. Throw FormatError; InputError where there
// are no vertices is thrown by decodeMesh.
MeshFile decodeObj(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                   const MeshReading& reading);
MeshFile decodeXyz(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                   const MeshReading& reading);
MeshFile decodePly(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                   const MeshReading& reading);
MeshFile decodeTextStl(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                       const MeshReading& reading);
MeshFile decodeBinaryStl(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                         const MeshReading& reading);
MeshFile decodeGlb(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                   const MeshReading& reading, const NamedFiles* files, GltfSurface* surface);
MeshFile decodeNpyCloud(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                        const MeshReading& reading);
MeshFile decodeNpzMesh(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                       const MeshReading& reading);

}  // namespace threefold
