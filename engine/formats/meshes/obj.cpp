#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

/// More corners than any face has, few enough to hold.
constexpr std::size_t kMostCorners = 1'000'000;

class ObjReader {
  public:
    ObjReader(std::string_view text, const std::filesystem::path& subject,
              const MeshReading& reading)
        : scanner_(text, subject), steps_(reading, text.size()) {
        scanner_.setContinuation(true);
        scanner_.setComment('#');
        reserve(text);
    }

    MeshFile read() {
        for (; !scanner_.atEnd(); scanner_.nextLine()) {
            steps_.at(scanner_.offset());
            statement(scanner_.word());
        }
        finish();
        return std::move(mesh_);
    }

  private:
    void reserve(std::string_view text) {
        std::size_t vertices = 0;
        std::size_t faces = 0;
        for (std::size_t at = 0; at + 1 < text.size();) {
            const bool blank = text[at + 1] == ' ' || text[at + 1] == '\t';
            if (blank && text[at] == 'v') ++vertices;
            if (blank && text[at] == 'f') ++faces;
            at = text.find('\n', at);
            if (at == std::string_view::npos) break;
            ++at;
        }
        mesh_.vertices.reserve(vertices);
        mesh_.faces.reserve(faces);
    }

    void statement(std::string_view word) {
        if (word.empty()) return;
        if (word == "v") return vertex();
        if (word == "f") return face();
        if (word == "vn") return normal();
        if (word == "vt") return ignore("texture coordinates");
        if (word == "l") return ignore("lines");
        if (word == "p") return ignore("points");
        for (const std::string_view naming : {"o", "g", "s", "usemtl", "mtllib"})
            if (word == naming) return;
        if (firstUnknown_.empty()) {
            firstUnknown_ = word.substr(0, 40);
            firstUnknownLine_ = scanner_.line();
        }
        ignore("other statements");
    }

    void ignore(const char* what) { ++mesh_.ignored[what]; }

    glm::vec3 triple(std::string_view what) {
        const float x = scanner_.number(what);
        const float y = scanner_.number(what);
        return {x, y, scanner_.number(what)};
    }

    void vertex() {
        mesh_.vertices.push_back(triple("a coordinate"));
        std::array<float, 4> more{};
        std::size_t count = 0;
        while (count < more.size() && scanner_.moreOnLine())
            more[count++] = scanner_.number("a colour");
        if (count < 3) return;  // nothing, or a weight
        const std::size_t skip = count - 3;
        const std::size_t before = mesh_.vertices.size() - 1;
        if (mesh_.colours.size() != before) return;  // not every vertex has one
        if (before == 0) mesh_.colours.reserve(mesh_.vertices.capacity());
        mesh_.colours.emplace_back(more[skip], more[skip + 1], more[skip + 2]);
    }

    /// Of a face without area some programs write `vn nan nan nan`, or `vn -1.#IND …`, which is a
    /// comment from its middle on.
    void normal() {
        glm::vec3 value(0.0F);
        for (int axis = 0; axis < 3; ++axis) {
            const std::string_view word = scanner_.word();
            if (word.empty() || isNotFinite(word)) {
                normalsFit_ = false;
            } else {
                value[axis] = scanner_.toNumber(word, "a part of a normal");
            }
        }
        makeRoom(mesh_.normals, 1);
        mesh_.normals.push_back(value);
    }

    static bool isNotFinite(std::string_view word) {
        if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
        return word.starts_with("nan") || word.starts_with("NaN") || word.starts_with("NAN") ||
               word.starts_with("inf") || word.starts_with("1.#");
    }

    /// 0-based, from what a face names: 1 is the first, −1 the newest.
    std::uint32_t index(std::string_view word) {
        const std::int64_t named = scanner_.toInteger(word, "the number of a vertex");
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        if (named == 0) scanner_.fail("a face names the vertex 0, they are counted from 1");
        if (named < -count)
            scanner_.fail(
                fmt::format("a face names the vertex {}, {} are before it", named, count));
        const std::int64_t at = named > 0 ? named - 1 : count + named;
        if (at >= std::numeric_limits<std::uint32_t>::max())
            scanner_.fail(fmt::format("a face names the vertex {}", named));
        if (at > highest_) {
            highest_ = at;
            highestLine_ = scanner_.line();
        }
        return static_cast<std::uint32_t>(at);
    }

    void corner(std::string_view word) {
        const std::size_t slash = word.find('/');
        const std::uint32_t at = index(word.substr(0, slash));
        corners_.push_back(at);
        const std::size_t last = word.rfind('/');
        // A normal of another number than its vertex belongs to a corner, not to the vertex.
        if (slash == std::string_view::npos || last == slash || !normalsFit_) return;
        const std::int64_t normal = scanner_.toInteger(word.substr(last + 1), "a normal's number");
        const auto count = static_cast<std::int64_t>(mesh_.normals.size());
        normalsFit_ = (normal > 0 ? normal - 1 : count + normal) == at;
    }

    void face() {
        corners_.clear();
        for (std::string_view word = scanner_.word(); !word.empty(); word = scanner_.word()) {
            corner(word);
            if (corners_.size() > kMostCorners)
                scanner_.fail(fmt::format("a face of more than {} corners", kMostCorners));
        }
        if (corners_.size() < 3)
            scanner_.fail(fmt::format("a face of {} corners, three are needed", corners_.size()));
        const std::size_t dropped = appendPolygon(corners_, mesh_.vertices, mesh_.faces);
        if (dropped > 0) mesh_.ignored["triangles without area"] += dropped;
    }

    void finish() {
        const std::size_t count = mesh_.vertices.size();
        if (highest_ >= static_cast<std::int64_t>(count))
            scanner_.failAt(highestLine_, fmt::format("a face names the vertex {}, there are {}",
                                                      highest_ + 1, count));
        if (count == 0 && !firstUnknown_.empty())
            scanner_.failAt(firstUnknownLine_,
                            fmt::format("'{}' is no statement of an OBJ file", firstUnknown_));
        if (mesh_.colours.size() != count && !mesh_.colours.empty()) {
            mesh_.ignored["colours"] += mesh_.colours.size();
            mesh_.colours = {};
        }
        scaleColours();
        if (!mesh_.normals.empty() && (!normalsFit_ || mesh_.normals.size() != count)) {
            mesh_.ignored["normals"] += mesh_.normals.size();
            mesh_.normals = {};
        }
    }

    /// Some programs write them up to 255.
    void scaleColours() {
        const bool whole = std::any_of(
            mesh_.colours.begin(), mesh_.colours.end(),
            [](const glm::vec3& colour) { return colour.x > 1 || colour.y > 1 || colour.z > 1; });
        constexpr float kWhite = 255;
        if (!whole) return;
        for (glm::vec3& colour : mesh_.colours) colour /= kWhite;
    }

    TextScanner scanner_;
    ReadingSteps steps_;
    MeshFile mesh_;
    std::vector<std::uint32_t> corners_;
    bool normalsFit_ = true;
    std::int64_t highest_ = -1;
    std::size_t highestLine_ = 0;
    std::string firstUnknown_;
    std::size_t firstUnknownLine_ = 0;
};

}  // namespace

MeshFile decodeObj(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                   const MeshReading& reading) {
    return ObjReader(asText(bytes), subject, reading).read();
}

}  // namespace threefold
