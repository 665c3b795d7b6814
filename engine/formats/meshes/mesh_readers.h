#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/named_files.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

struct MeshLook;

/// What a format is recognised by.
struct MeshContent {
    std::span<const std::byte> bytes;
    std::string_view beginning;  ///< the first 4096 bytes
    bool isText = false;         ///< judged by its beginning
    std::string_view firstWord;  ///< of a text, behind its comments
    bool isNamed = false;        ///< the extension is the format's
};

/// What a format's reader is given. All of it outlives the reading.
struct MeshInput {
    std::span<const std::byte> bytes;  ///< texts are UTF-8 with '\n' at the lines' ends
    const std::filesystem::path& subject;
    const MeshReading& reading;
    const NamedFiles* files = nullptr;  ///< null: no files beside it
    MeshLook* look = nullptr;           ///< filled where the format has materials; null: unwanted
    bool isText = false;                ///< as in MeshContent; set by decodeMesh()
    glm::dvec3 origin{0.0};             ///< MeshFile::origin, which readers subtract
};

/// A coordinate as a mesh holds it: the float nearest to the text's number, or to what is left of
/// it without `origin`; NaN where the text says that it is no number. Throws FormatError.
float coordinateOf(const TextScanner& scanner, std::string_view word, std::string_view what,
                   double origin);

/// decodeMesh() with files beside it and with the look.
MeshFile decodeMesh(MeshInput input);

/// Where material libraries and textures may lie.
inline Reach textureReach(const MeshReading& reading) {
    return reading.texturesAnywhere ? Reach::anywhere : Reach::folder;
}

bool hasLengthOfBinaryStl(std::span<const std::byte> bytes);

/// Reports the progress of a long reading, and ends it on request.
class ReadingSteps {
  public:
    explicit ReadingSteps(const MeshInput& input)
        : reading_(input.reading), whole_(input.bytes.size()) {}

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

/// Reserves `more` further elements, growing by half: doubling could exceed a reader's memory.
template <class Value>
void makeRoom(std::vector<Value>& values, std::size_t more) {
    const std::size_t needed = values.size() + more;
    if (needed > values.capacity())
        values.reserve(std::max(needed, values.capacity() + values.capacity() / 2));
}

/// Drops normals or colours that do not fit the vertices, or that not all of them have.
inline void dropPartial(MeshFile& mesh, std::vector<glm::vec3>& values, const char* name,
                        bool fit = true) {
    if (values.empty() || (fit && values.size() == mesh.vertices.size())) return;
    mesh.ignored[name] += values.size();
    values = {};
}

inline bool isFinite(const glm::vec3& point) {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

/// Appends a face. One that names a vertex twice is counted as ignored instead: then false.
bool addTriangle(MeshFile& mesh, const glm::u32vec3& face);

/// More corners than any face has, few enough to hold.
inline constexpr std::size_t kMostCorners = 1'000'000;

/// Appends the triangles of a polygon, in its sense of rotation: a fan where it is convex (or has
/// over 128 corners), else by cutting off ears. `places`, if given, gets for each corner of these
/// triangles its place in `corners`, which are vertices of the mesh.
void addPolygon(MeshFile& mesh, std::span<const std::uint32_t> corners,
                std::vector<std::uint32_t>* places = nullptr);

/// The same file as text, with its buffer in it.
std::string gltfOfGlb(std::string_view glb);

/// A vertex with its extras' origin; −0 stays −0 without one.
inline glm::dvec3 placeOf(const Mesh& mesh, const VertexExtras& extras, std::size_t vertex) {
    const glm::dvec3 place(mesh.vertices[vertex]);
    return extras.origin == glm::dvec3(0.0) ? place : extras.origin + place;
}

/// Collects bytes, little-endian on every machine.
class LittleEndianBytes {
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
    void f64(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        u32(static_cast<std::uint32_t>(bits));
        u32(static_cast<std::uint32_t>(bits >> 32U));
    }
    void vector(const glm::vec3& value) {
        for (int i = 0; i < 3; ++i) f32(value[i]);
    }
    void face(const glm::u32vec3& value) {
        for (int i = 0; i < 3; ++i) u32(value[i]);
    }
    std::size_t size() const { return bytes_.size(); }
    std::string release() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

}  // namespace threefold
