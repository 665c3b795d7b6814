#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/little_endian_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

constexpr std::size_t kHeaderBytes = 84;  // 80 free bytes, then the number of triangles
constexpr std::size_t kTriangleBytes = 50;
static_assert(std::endian::native == std::endian::little, "triangles are copied as they lie");

/// Random keys, drawn once per process.
const std::array<std::uint64_t, 3>& hashKeys() {
    static const auto kKeys = [] {
        std::random_device random;
        std::array<std::uint64_t, 3> keys{};
        for (std::uint64_t& key : keys) key = std::uint64_t{random()} << 32 | random();
        return keys;
    }();
    return kKeys;
}

/// Merges corners with equal coordinates into one vertex, by an open-addressing table of hashes and
/// vertex indices. Stored hashes let the table grow without reading the points, which halves the
/// time for six million corners. The keys are random, so that no file can make all corners collide.
class Welder {
  public:
    explicit Welder(Points& points) : points_(points) { resize(kFirstBits); }

    /// Finds or adds the vertices of up to kBatch corners. A batch overlaps its memory accesses.
    void weld(std::span<const glm::vec3> positions, std::span<std::uint32_t> vertices) {
        while ((points_.size() + positions.size()) * 2 > slots_.size()) grow();
        reserveGrowing(points_, positions.size());
        std::array<std::uint32_t, kBatch> hashes;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            hashes[i] = hash(positions[i]);
            __builtin_prefetch(&slots_[hashes[i] >> shift_]);
        }
        for (std::size_t i = 0; i < positions.size(); ++i)
            vertices[i] = vertex(positions[i], hashes[i]);
    }

    static constexpr std::size_t kBatch = 48;

  private:
    static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    static constexpr int kFirstBits = 12;

    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t vertex = kFree;
    };

    static std::uint64_t bits(float value) {
        return std::bit_cast<std::uint32_t>(value + 0.0F);  // −0 is 0
    }
    static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    std::uint32_t hash(const glm::vec3& position) const {
        const std::uint64_t once = mixed((bits(position.x) << 32 | bits(position.y)) ^ keys_[0],
                                         bits(position.z) ^ keys_[1]);
        return static_cast<std::uint32_t>(mixed(once ^ keys_[2], keys_[1] | 1U) >> 32);
    }

    std::uint32_t vertex(const glm::vec3& position, std::uint32_t hash) {
        std::size_t slot = hash >> shift_;
        for (; slots_[slot].vertex != kFree; slot = next(slot))
            if (slots_[slot].hash == hash && points_[slots_[slot].vertex] == position)
                return slots_[slot].vertex;
        slots_[slot] = {hash, static_cast<std::uint32_t>(points_.size())};
        points_.push_back(position);
        return slots_[slot].vertex;
    }
    std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

    void resize(int bits) {
        slots_.assign(std::size_t{1} << bits, {});
        shift_ = 32 - bits;
    }
    void grow() {
        const std::vector<Slot> before = std::exchange(slots_, {});
        resize(32 - shift_ + 1);
        for (const Slot& entry : before) {
            if (entry.vertex == kFree) continue;
            std::size_t slot = entry.hash >> shift_;
            while (slots_[slot].vertex != kFree) slot = next(slot);
            slots_[slot] = entry;
        }
    }

    Points& points_;
    const std::array<std::uint64_t, 3>& keys_ = hashKeys();
    std::vector<Slot> slots_;
    int shift_ = 0;
};

LoadedMesh readBinary(const MeshInput& input) {
    ByteCursor cursor(input.source.bytes, input.source.subject);
    cursor.read(kHeaderBytes - 4);
    const std::uint64_t count = cursor.readLittleEndian(4);
    if (count * kTriangleBytes > cursor.remaining())
        cursor.failAt(kHeaderBytes - 4,
                      fmt::format("{} triangles are declared, which take {} bytes, "
                                  "but only {} bytes are left",
                                  count, count * kTriangleBytes, cursor.remaining()));
    LoadedMesh mesh;
    mesh.faces.reserve(count);
    Welder welder(mesh.vertices);
    ReadProgress progress(input);
    constexpr std::uint64_t kTrianglesPerBatch = Welder::kBatch / 3;
    std::array<glm::vec3, Welder::kBatch> positions;
    std::array<std::uint32_t, Welder::kBatch> vertices;
    for (std::uint64_t first = 0; first < count; first += kTrianglesPerBatch) {
        progress.update(cursor.offset());
        const std::uint64_t last = std::min(count, first + kTrianglesPerBatch);
        std::size_t corners = 0;
        for (std::uint64_t i = first; i < last; ++i) {
            float values[12];  // an unused normal and three corners
            std::memcpy(values, cursor.read(kTriangleBytes).data(), sizeof values);
            if (!std::all_of(values + 3, values + 12, [](float v) { return std::isfinite(v); })) {
                ++mesh.leftOut[ShapeDefect::nonFiniteTriangles];
                continue;
            }
            for (std::size_t corner = 0; corner < 3; ++corner) {
                const float* coordinates = values + 3 + 3 * corner;
                positions[corners++] = glm::vec3(
                    glm::dvec3(coordinates[0], coordinates[1], coordinates[2]) - input.origin);
            }
        }
        welder.weld(std::span(positions).first(corners), vertices);
        for (std::size_t i = 0; i < corners; i += 3)
            addTriangle(mesh, {vertices[i], vertices[i + 1], vertices[i + 2]});
    }
    if (cursor.remaining() > 0)
        mesh.unreadContent["bytes behind the triangles"] = cursor.remaining();
    return mesh;
}

/// Reads an ASCII STL: solids of facets.
class StlTextReader {
  public:
    explicit StlTextReader(const MeshInput& input)
        : origin_(input.origin),
          scanner_(asText(input.source.bytes), input.source.subject),
          progress_(input) {}

    LoadedMesh read() {
        for (std::string_view word = nextWord(); !word.empty(); word = nextWord()) {
            expect(word, "solid");
            readSolid();
        }
        return std::move(mesh_);
    }

  private:
    std::string_view nextWord() { return scanner_.nextWordOfText(); }

    void expect(std::string_view word, std::string_view expected) const {
        if (lowered(word) == expected) return;
        scanner_.fail(word.empty() ? fmt::format("the file ends here; expected '{}'", expected)
                                   : fmt::format("found '{}'; expected '{}'", textPrefix(word, 40),
                                                 expected));
    }

    /// Expects an end such as "endloop", which some programs write as two words.
    void expectEnd(std::string_view name) {
        const std::string_view word = nextWord();
        if (lowered(word) == "end")
            expect(nextWord(), name);
        else
            expect(word, fmt::format("end{}", name));
    }

    static bool isEndOfSolid(std::string_view word) {
        const std::string lower = lowered(word);
        return lower == "endsolid" || lower == "end";
    }

    void readSolid() {
        scanner_.nextLine();  // the rest of the line is a name
        for (std::string_view word = nextWord(); !isEndOfSolid(word); word = nextWord()) {
            progress_.update(scanner_.offset());
            expect(word, "facet");
            readFacet();
        }
        scanner_.nextLine();
    }

    void readFacet() {
        scanner_.nextLine();  // skips the normal, which the corners determine
        expect(nextWord(), "outer");
        expect(nextWord(), "loop");
        std::array<glm::vec3, 3> corners;
        for (glm::vec3& corner : corners) {
            expect(nextWord(), "vertex");
            for (int axis = 0; axis < 3; ++axis) corner[axis] = coordinate(origin_[axis]);
        }
        expectEnd("loop");
        expectEnd("facet");
        if (!std::ranges::all_of(corners, isFinite)) {
            ++mesh_.leftOut[ShapeDefect::nonFiniteTriangles];
            return;
        }
        std::array<std::uint32_t, 3> face;
        welder_.weld(corners, face);
        addTriangle(mesh_, {face[0], face[1], face[2]});
    }

    float coordinate(double origin) {
        const std::string_view word = nextWord();
        if (word.empty()) scanner_.fail("the file ends here; expected a coordinate");
        return coordinateOf(scanner_, word, "a coordinate", origin);
    }

    glm::dvec3 origin_;
    TextScanner scanner_;
    ReadProgress progress_;
    LoadedMesh mesh_;
    Welder welder_{mesh_.vertices};
};

LoadedMesh readText(const MeshInput& input) {
    return StlTextReader(input).read();
}

std::string writeStl(const Mesh& mesh, const MeshWriteOptions&) {
    if (mesh.faces.size() > UINT32_MAX)
        throw InputError({"", "",
                          fmt::format("has {} faces, but an STL file holds at most {}",
                                      mesh.faces.size(), UINT32_MAX),
                          "Write it as PLY."});
    LittleEndianBytes out;
    out.reserve(kHeaderBytes + mesh.faces.size() * kTriangleBytes);
    std::string header = "binary STL of Threefold";  // must not begin with "solid", as a text does
    header.resize(kHeaderBytes - 4, ' ');
    out.appendText(header);
    out.appendU32(static_cast<std::uint32_t>(mesh.faces.size()));
    for (const glm::u32vec3& face : mesh.faces) {
        const glm::vec3 a = mesh.vertices[face.x];
        const glm::vec3 b = mesh.vertices[face.y];
        const glm::vec3 c = mesh.vertices[face.z];
        const glm::vec3 normal = glm::cross(b - a, c - a);
        const float length = glm::length(normal);
        out.appendVector(length > 0 ? normal / length : glm::vec3(0.0F));
        out.appendVector(a);
        out.appendVector(b);
        out.appendVector(c);
        out.appendU16(0);
    }
    return out.release();
}

}  // namespace

// Binary STL has no signature, but its length follows from the declared number of triangles.
bool hasLengthOfBinaryStl(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeaderBytes) return false;
    const std::uint64_t count = ByteCursor(bytes.subspan(kHeaderBytes - 4), {}).readLittleEndian(4);
    return bytes.size() == kHeaderBytes + count * kTriangleBytes;
}

const MeshFormatInfo mesh_formats::stl{
    .names = "STL",
    .extensions = {"stl"},
    .recognises =
        [](const FormatProbe& content) {
            return content.hasExtension || hasLengthOfBinaryStl(content.bytes) ||
                   (content.isText && lowered(content.firstWord) == "solid");
        },
    .decode =
        [](const MeshInput& input) {
            const std::string_view text = asText(input.source.bytes);
            const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
            const bool isText =
                input.isText &&
                lowered(text.substr(first, std::string_view("solid").size())) == "solid";
            return isText ? readText(input) : readBinary(input);
        },
    .encode = writeStl,
    .carriesFaces = true,
};

}  // namespace threefold
