#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "engine/formats/byte_cursor.h"
#include "engine/formats/mesh_readers.h"
#include "engine/formats/text_scanner.h"

namespace threefold {
namespace {

constexpr std::size_t kHeader = 84;  // 80 bytes of anything, then the number of triangles
constexpr std::size_t kTriangle = 50;

/// Makes one vertex of all corners at the same place: an open-addressing table of vertex numbers.
class Welder {
  public:
    explicit Welder(Points& points) : points_(points), slots_(kFirstSize, kFree) {}

    std::uint32_t vertex(const glm::vec3& place) {
        if (points_.size() * 2 >= slots_.size()) grow();
        std::uint32_t& slot = slotOf(place);
        if (slot == kFree) {
            slot = static_cast<std::uint32_t>(points_.size());
            makeRoom(points_, 1);
            points_.push_back(place);
        }
        return slot;
    }

  private:
    static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t kFirstSize = std::size_t{1} << 12;

    static std::size_t hash(const glm::vec3& place) {
        std::uint64_t mixed = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const float value = place[axis] + 0.0F;  // −0 is 0
            std::uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            mixed = (mixed ^ bits) * 0x9e3779b97f4a7c15U;
            mixed ^= mixed >> 29;
        }
        return mixed;
    }
    std::uint32_t& slotOf(const glm::vec3& place) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(place) & mask;
        while (slots_[at] != kFree && points_[slots_[at]] != place) at = (at + 1) & mask;
        return slots_[at];
    }
    void grow() {
        slots_.assign(slots_.size() * 2, kFree);
        for (std::uint32_t i = 0; i < points_.size(); ++i) slotOf(points_[i]) = i;
    }

    Points& points_;
    std::vector<std::uint32_t> slots_;
};

void addTriangle(MeshFile& mesh, const glm::u32vec3& face) {
    if (face.x == face.y || face.y == face.z || face.z == face.x) {
        ++mesh.ignored["triangles without area"];
        return;
    }
    makeRoom(mesh.faces, 1);
    mesh.faces.push_back(face);
}

}  // namespace

MeshFile decodeBinaryStl(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                         const MeshReading& reading) {
    ByteCursor cursor(bytes, subject);
    cursor.take(kHeader - 4);
    const std::uint64_t count = cursor.little(4);
    if (count * kTriangle > cursor.remaining())
        cursor.failAt(kHeader - 4, fmt::format("{} triangles are declared, which take {} bytes; "
                                               "{} are there",
                                               count, count * kTriangle, cursor.remaining()));
    MeshFile mesh;
    mesh.faces.reserve(count);
    Welder welder(mesh.vertices);
    ReadingSteps steps(reading, bytes.size());
    for (std::uint64_t i = 0; i < count; ++i) {
        steps.at(cursor.offset());
        const std::size_t offset = cursor.offset();
        float values[12];  // a normal, which the corners say better, and three corners
        std::memcpy(values, cursor.take(kTriangle).data(), sizeof values);
        glm::u32vec3 face;
        for (int corner = 0; corner < 3; ++corner) {
            const float* at = values + 3 + 3 * corner;
            const glm::vec3 place(at[0], at[1], at[2]);
            if (!std::isfinite(place.x) || !std::isfinite(place.y) || !std::isfinite(place.z))
                cursor.failAt(offset, fmt::format("a corner of triangle {} is not finite", i));
            face[corner] = welder.vertex(place);
        }
        addTriangle(mesh, face);
    }
    if (cursor.remaining() > 0) mesh.ignored["bytes behind the triangles"] = cursor.remaining();
    return mesh;
}

MeshFile decodeTextStl(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                       const MeshReading& reading) {
    TextScanner scanner(asText(bytes), subject);
    ReadingSteps steps(reading, bytes.size());
    MeshFile mesh;
    Welder welder(mesh.vertices);
    const auto expect = [&](std::string_view found, std::string_view expected) {
        if (found == expected) return;
        scanner.fail(found.empty() ? fmt::format("the file ends where '{}' should stand", expected)
                                   : fmt::format("'{}' stands where '{}' should",
                                                 found.substr(0, 40), expected));
    };
    const auto number = [&] {
        const std::string_view word = scanner.wordOfAnyLine();
        if (word.empty()) scanner.fail("the file ends where a coordinate should stand");
        return scanner.toNumber(word, "a coordinate");
    };
    for (std::string_view word = scanner.wordOfAnyLine(); !word.empty();
         word = scanner.wordOfAnyLine()) {
        expect(word, "solid");
        scanner.nextLine();  // the rest of the line is a name
        for (word = scanner.wordOfAnyLine(); word != "endsolid"; word = scanner.wordOfAnyLine()) {
            steps.at(scanner.offset());
            expect(word, "facet");
            scanner.nextLine();  // its normal: the corners say it better
            expect(scanner.wordOfAnyLine(), "outer");
            expect(scanner.wordOfAnyLine(), "loop");
            glm::u32vec3 face;
            for (int corner = 0; corner < 3; ++corner) {
                expect(scanner.wordOfAnyLine(), "vertex");
                const float x = number();
                const float y = number();
                face[corner] = welder.vertex({x, y, number()});
            }
            expect(scanner.wordOfAnyLine(), "endloop");
            expect(scanner.wordOfAnyLine(), "endfacet");
            addTriangle(mesh, face);
        }
        scanner.nextLine();
    }
    return mesh;
}

}  // namespace threefold
