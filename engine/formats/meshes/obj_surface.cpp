#include "engine/formats/meshes/obj_surface.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

class SurfaceReader {
  public:
    SurfaceReader(std::string_view text, const std::filesystem::path& subject,
                  const Points& vertices, const MeshReading& reading)
        : vertices_(vertices), text_(text), scanner_(text, subject), steps_(reading, text.size()) {
        scanner_.setContinuation(true);
        scanner_.setComment('#');
        surface_.materialNames.emplace_back();
        numbers_.emplace("", 0);
    }

    ObjSurface read() {
        for (; !scanner_.atEnd(); scanner_.nextLine()) {
            steps_.at(scanner_.offset());
            const std::string_view word = scanner_.word();
            if (word == "v") ++verticesBefore_;
            if (word == "vt") coordinate();
            if (word == "f") face();
            if (word == "usemtl") use(materialName(restOfLine()));
            if (word == "mtllib") surface_.libraries.emplace_back(restOfLine());
        }
        if (anyCoordinates_) resolveCoordinates();
        return std::move(surface_);
    }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct Corner {
        std::uint32_t vertex;
        std::uint32_t coordinate;
    };

    /// Of a name, '#' is a part: "Material #25" is what programs call theirs.
    std::string_view restOfLine() const {
        const std::string_view rest = text_.substr(scanner_.offset());
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == line.npos) return {};
        return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    }

    void use(std::string name) {
        const auto [found, isNew] = numbers_.emplace(
            std::move(name), static_cast<std::uint32_t>(surface_.materialNames.size()));
        if (isNew) surface_.materialNames.push_back(found->first);
        current_ = found->second;
    }

    void coordinate() {
        const float u = scanner_.number("a texture coordinate");
        const float v = scanner_.moreOnLine() ? scanner_.number("a texture coordinate") : 0.0F;
        makeRoom(coordinates_, 1);
        coordinates_.emplace_back(u, v);
    }

    /// 0-based; kNone for one that cannot be.
    std::uint32_t index(std::string_view word, std::size_t before) const {
        const std::int64_t named = scanner_.toInteger(word, "an index");
        const std::int64_t at = named > 0 ? named - 1 : static_cast<std::int64_t>(before) + named;
        return at >= 0 && at < std::int64_t{kNone} ? static_cast<std::uint32_t>(at) : kNone;
    }

    Corner corner(std::string_view word) const {
        const std::size_t slash = word.find('/');
        Corner corner{index(word.substr(0, slash), verticesBefore_), kNone};
        if (corner.vertex >= vertices_.size())
            scanner_.fail("a face names a vertex that is not there");
        if (slash == std::string_view::npos) return corner;
        const std::string_view rest = word.substr(slash + 1);
        const std::string_view second = rest.substr(0, rest.find('/'));
        if (!second.empty()) corner.coordinate = index(second, coordinates_.size());
        return corner;
    }

    void face() {
        corners_.clear();
        named_.clear();
        for (std::string_view word = scanner_.word(); !word.empty(); word = scanner_.word()) {
            corners_.push_back(corner(word));
            named_.push_back(corners_.back().vertex);
        }
        const std::size_t before = surface_.faces.size();
        appendPolygon(named_, vertices_, surface_.faces);
        surface_.nameOfFace.resize(surface_.faces.size(), current_);
        const bool has = std::any_of(corners_.begin(), corners_.end(),
                                     [](const Corner& each) { return each.coordinate != kNone; });
        if (!has && !anyCoordinates_) return;
        anyCoordinates_ = true;
        corner_.resize(3 * before, kNone);
        appendCoordinates(before);
    }

    /// Triangles name their corners by vertex alone; a polygon that has a vertex twice takes the
    /// first of its coordinates.
    void appendCoordinates(std::size_t first) {
        const auto byVertex = [](const Corner& a, const Corner& b) { return a.vertex < b.vertex; };
        std::stable_sort(corners_.begin(), corners_.end(), byVertex);
        for (std::size_t i = first; i < surface_.faces.size(); ++i)
            for (int k = 0; k < 3; ++k)
                corner_.push_back(std::lower_bound(corners_.begin(), corners_.end(),
                                                   Corner{surface_.faces[i][k], kNone}, byVertex)
                                      ->coordinate);
    }

    void resolveCoordinates() {
        corner_.resize(3 * surface_.faces.size(), kNone);
        surface_.coordinates.reserve(corner_.size());
        for (const std::uint32_t at : corner_)
            surface_.coordinates.push_back(at < coordinates_.size() ? coordinates_[at]
                                                                    : glm::vec2(0.0F));
    }

    const Points& vertices_;
    std::string_view text_;
    TextScanner scanner_;
    ReadingSteps steps_;
    ObjSurface surface_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::uint32_t current_ = 0;
    std::size_t verticesBefore_ = 0;
    std::vector<glm::vec2> coordinates_;
    std::vector<std::uint32_t> corner_;  // three for each face, in `coordinates_`
    bool anyCoordinates_ = false;
    std::vector<Corner> corners_;
    std::vector<std::uint32_t> named_;
};

}  // namespace

ObjSurface decodeObjSurface(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                            const Points& vertices, const MeshReading& reading) {
    return SurfaceReader(asText(bytes), subject, vertices, reading).read();
}

}  // namespace threefold
