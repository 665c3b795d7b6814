#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// The corner of a face: numbers as the file has them, 0 where there is none.
struct ObjCorner {
    std::int64_t vertex = 0;
    std::int64_t coordinate = 0;
    std::int64_t normal = 0;
};

class ObjReader {
  public:
    explicit ObjReader(const MeshInput& input)
        : input_(input), text_(asText(input.bytes)), scanner_(text_, input.subject), steps_(input) {
        scanner_.setContinuation(true);
        scanner_.setComment('#');
    }

    MeshFile read() {
        for (; !scanner_.atEnd(); scanner_.nextLine()) {
            steps_.at(scanner_.offset());
            readStatement(scanner_.word());
        }
        finish();
        return std::move(mesh_);
    }

  private:
    void readStatement(std::string_view word) {
        if (word.empty()) return;
        if (word == "v") return readVertex();
        if (word == "f") return readFace();
        if (word == "vn") return readNormal();
        if (word == "vt") return readCoordinate();
        if (word == "l") return ignore("lines");
        if (word == "p") return ignore("points");
        for (const std::string_view naming : {"o", "g", "s", "usemtl", "mtllib"})
            if (word == naming) return readName(word);
        if (firstUnknown_.empty()) {
            firstUnknown_ = word.substr(0, 40);
            firstUnknownLine_ = scanner_.line();
        }
        ignore("other statements");
    }

    void ignore(const char* what) { ++mesh_.ignored[what]; }

    /// In a name '#' is no comment: programs write "Material #25".
    void readName(std::string_view word) {
        const std::string_view name = scanner_.restOfLine();
        if (input_.look == nullptr) return;
        if (word == "usemtl") useMaterial(materialName(name));
        if (word == "mtllib") libraries_.emplace_back(name);
    }

    void readVertex() {
        glm::vec3 vertex;
        for (int axis = 0; axis < 3; ++axis) vertex[axis] = scanner_.number("a coordinate");
        readColour();
        makeRoom(mesh_.vertices, 1);
        mesh_.vertices.push_back(vertex);
    }

    void readColour() {
        std::array<float, 4> more{};
        std::size_t count = 0;
        try {
            while (count < more.size() && scanner_.moreOnLine())
                more[count++] = scanner_.number("a colour");
        } catch (const FormatError& error) {
            if (input_.look != nullptr && !coloursBroken_)
                input_.look->missing.emplace_back(error.what());
            coloursBroken_ = true;  // as of texture coordinates, not the shape
        }
        if (count < 3) return;                                      // nothing, or a weight
        if (mesh_.colours.size() != mesh_.vertices.size()) return;  // not every vertex has one
        const std::size_t skip = count - 3;
        makeRoom(mesh_.colours, 1);
        mesh_.colours.emplace_back(more[skip], more[skip + 1], more[skip + 2]);
    }

    /// Of a face without area some programs write `vn nan nan nan`, or `vn -1.#IND …`, which is a
    /// comment from its middle on.
    void readNormal() {
        glm::vec3 normal(0.0F);
        for (int axis = 0; axis < 3; ++axis) {
            const std::string_view word = scanner_.word();
            const bool finite = !word.empty() && !isNotFinite(word);
            if (finite) normal[axis] = scanner_.toNumber(word, "a part of a normal");
            normalsFit_ = normalsFit_ && finite;
        }
        makeRoom(mesh_.normals, 1);
        mesh_.normals.push_back(normal);
    }

    static bool isNotFinite(std::string_view word) {
        if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
        return word.starts_with("nan") || word.starts_with("NaN") || word.starts_with("NAN") ||
               word.starts_with("inf") || word.starts_with("1.#");
    }

    void readCoordinate() {
        ignore("texture coordinates");
        readLook([this] {
            constexpr const char* kWhat = "a texture coordinate";
            glm::vec2 coordinate(scanner_.number(kWhat), 0);
            if (scanner_.moreOnLine()) coordinate.y = scanner_.number(kWhat);
            makeRoom(coordinates_, 1);
            coordinates_.push_back(coordinate);
        });
    }

    /// What is wrong with texture coordinates costs these alone, not the shape.
    template <class Read>
    void readLook(Read read) {
        if (input_.look == nullptr || coordinatesBroken_) return;
        try {
            read();
        } catch (const FormatError& error) {
            input_.look->missing.emplace_back(error.what());
            coordinatesBroken_ = true;
        }
    }

    std::int64_t index(std::string_view word, std::string_view what) const {
        constexpr std::int64_t kMost = std::numeric_limits<int>::max();
        const std::int64_t named = scanner_.toInteger(word, what);
        if (named > kMost || named < -kMost)
            scanner_.fail(fmt::format("a face names the vertex {}", named));
        return named;
    }

    void readFace() {
        face_.clear();
        for (std::string_view word = scanner_.word(); !word.empty(); word = scanner_.word()) {
            face_.push_back(corner(word));
            if (face_.size() > kMostCorners)
                scanner_.fail(fmt::format("a face of more than {} corners", kMostCorners));
        }
        if (face_.size() < 3)
            scanner_.fail(fmt::format("a face of {} corners, three are needed", face_.size()));
        addFace();
    }

    /// "1", "1/2", "1//3" or "1/2/3"; some programs write "1//" and "1/1/" without a normal.
    ObjCorner corner(std::string_view word) {
        const std::size_t slash = std::min(word.find('/'), word.size());
        const std::size_t last = std::min(word.rfind('/'), word.size());
        ObjCorner corner;
        corner.vertex = index(word.substr(0, slash), "the number of a vertex");
        if (std::ranges::count(word, '/') > 2)
            scanner_.fail(fmt::format("'{}' has too many parts", word.substr(0, 40)));
        const bool hasNormal = last != slash && last + 1 < word.size();
        if (hasNormal && normalsFit_)
            corner.normal = index(word.substr(last + 1), "a normal's number");
        const std::size_t end = last == slash ? word.size() : last;
        if (end > slash + 1)
            readLook([&] {
                corner.coordinate = index(word.substr(slash + 1, end - slash - 1), "an index");
            });
        return corner;
    }

    void useMaterial(const std::string& name) {
        const auto [found, isNew] =
            numbers_.emplace(name, static_cast<std::uint32_t>(materialNames_.size()));
        if (isNew) materialNames_.push_back(name);
        material_ = found->second;
    }

    /// 0-based, of `count` there are so far: 1 is the first, −1 the newest. Negative: none.
    static std::int64_t place(std::int64_t named, std::size_t count) {
        if (named == 0) return -1;
        return named > 0 ? named - 1 : static_cast<std::int64_t>(count) + named;
    }

    std::uint32_t vertexOf(std::int64_t named) {
        const std::int64_t at = place(named, mesh_.vertices.size());
        if (named == 0) scanner_.fail("a face names the vertex 0, they are counted from 1");
        if (at < 0)
            scanner_.fail(fmt::format("a face names the vertex {}, {} are before it", named,
                                      mesh_.vertices.size()));
        if (at > highest_) {
            highest_ = at;
            highestLine_ = scanner_.line();
        }
        return static_cast<std::uint32_t>(at);
    }

    std::uint32_t coordinateOf(const ObjCorner& corner) const {
        const std::int64_t at = place(corner.coordinate, coordinates_.size());
        return at < 0 ? kNone : static_cast<std::uint32_t>(at);
    }

    void addFace() {
        corners_.clear();
        bool hasCoordinates = !coordinateOfCorner_.empty();
        for (const ObjCorner& corner : face_) {
            corners_.push_back(vertexOf(corner.vertex));
            hasCoordinates = hasCoordinates || corner.coordinate != 0;
            // A normal of another number than its vertex belongs to a corner, not to the vertex.
            if (corner.normal != 0)
                normalsFit_ = normalsFit_ && place(corner.normal, mesh_.normals.size()) ==
                                                 std::int64_t{corners_.back()};
        }
        places_.clear();
        const std::size_t before = mesh_.faces.size();
        addPolygon(mesh_, corners_, input_.look != nullptr ? &places_ : nullptr);
        if (input_.look == nullptr) return;
        input_.look->materialOfFace.resize(mesh_.faces.size(), material_);
        if (!hasCoordinates) return;
        coordinateOfCorner_.resize(3 * before, kNone);
        for (const std::uint32_t at : places_)
            coordinateOfCorner_.push_back(coordinateOf(face_[at]));
    }

    void finish() {
        const std::size_t count = mesh_.vertices.size();
        if (highest_ >= static_cast<std::int64_t>(count))
            scanner_.failAt(highestLine_, fmt::format("a face names the vertex {}, there are {}",
                                                      highest_ + 1, count));
        if (count == 0 && !firstUnknown_.empty())
            scanner_.failAt(firstUnknownLine_,
                            fmt::format("'{}' is not a valid OBJ statement", firstUnknown_));
        scaleColours();
        if (coloursBroken_) mesh_.colours.resize(count);
        dropPartial(mesh_, mesh_.colours, "colours", !coloursBroken_);
        dropPartial(mesh_, mesh_.normals, "normals", normalsFit_);
        if (input_.look != nullptr && !mesh_.faces.empty()) finishLook(*input_.look);
    }

    /// Some programs write them up to 255.
    void scaleColours() {
        const bool whole = std::ranges::any_of(mesh_.colours, [](const glm::vec3& colour) {
            return colour.x > 1 || colour.y > 1 || colour.z > 1;
        });
        constexpr float kWhite = 255;
        if (!whole) return;
        for (glm::vec3& colour : mesh_.colours) colour /= kWhite;
    }

    void finishLook(MeshLook& look) {
        if (!coordinateOfCorner_.empty() && !coordinatesBroken_) {
            coordinateOfCorner_.resize(3 * mesh_.faces.size(), kNone);
            look.coordinates.reserve(coordinateOfCorner_.size());
            for (const std::uint32_t at : coordinateOfCorner_)
                look.coordinates.push_back(at < coordinates_.size() ? coordinates_[at]
                                                                    : glm::vec2(0.0F));
        }
        if (input_.files != nullptr)
            addMaterials(libraries_, materialNames_, input_.subject.parent_path(), *input_.files,
                         textureReach(input_.reading), look);
    }

    const MeshInput& input_;
    std::string_view text_;
    TextScanner scanner_;
    ReadingSteps steps_;
    MeshFile mesh_;
    bool normalsFit_ = true;
    bool coloursBroken_ = false;
    std::int64_t highest_ = -1;
    std::size_t highestLine_ = 0;
    std::string firstUnknown_;
    std::size_t firstUnknownLine_ = 0;
    std::vector<ObjCorner> face_;         // that is being read
    std::vector<std::uint32_t> corners_;  // its vertices
    // Of the look:
    std::vector<std::uint32_t> places_;
    std::vector<glm::vec2> coordinates_;
    std::vector<std::uint32_t> coordinateOfCorner_;  // three for each face, or none
    bool coordinatesBroken_ = false;
    std::vector<std::string> libraries_;
    std::vector<std::string> materialNames_{""};  // the first stands for none
    std::map<std::string, std::uint32_t> numbers_{{"", 0}};
    std::uint32_t material_ = 0;
};

bool recognisesObj(const MeshContent& content) {
    constexpr std::string_view kStatements[] = {"v", "vn", "vt", "vp", "f",      "o",
                                                "g", "s",  "l",  "p",  "mtllib", "usemtl"};
    const auto* found = std::ranges::find(kStatements, content.firstWord);
    return content.isNamed || (content.isText && found != std::end(kStatements));
}

std::string writeObj(const Mesh& mesh, const VertexExtras& extras) {
    std::string text;
    const auto out = std::back_inserter(text);
    if (extras.texture != nullptr) fmt::format_to(out, "mtllib {}.mtl\n", extras.texture->name);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 v = mesh.vertices[i];
        fmt::format_to(out, "v {:.6f} {:.6f} {:.6f}", v.x, v.y, v.z);
        if (!extras.colours.empty()) {
            const glm::dvec3 c = extras.colours[i];
            fmt::format_to(out, " {:.4f} {:.4f} {:.4f}", c.x, c.y, c.z);
        }
        text += '\n';
    }
    if (extras.texture == nullptr) {
        for (const glm::u32vec3& f : mesh.faces)
            fmt::format_to(out, "f {} {} {}\n", f.x + 1, f.y + 1, f.z + 1);
        return text;
    }
    for (const glm::dvec2 place : extras.texture->coordinates)
        fmt::format_to(out, "vt {:.8f} {:.8f}\n", place.x, place.y);
    text += "usemtl photographs\n";
    for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
        const glm::u32vec3& f = mesh.faces[i];
        fmt::format_to(out, "f {}/{} {}/{} {}/{}\n", f.x + 1, 3 * i + 1, f.y + 1, 3 * i + 2,
                       f.z + 1, 3 * i + 3);
    }
    return text;
}

}  // namespace

const MeshFormatInfo mesh_formats::obj{
    .names = "OBJ",
    .extensions = {"obj"},
    .choice = "OBJ (text)",
    .recognises = recognisesObj,
    .read = [](const MeshInput& input) { return ObjReader(input).read(); },
    .write = writeObj,
    .carriesFaces = true,
    .carriesColours = true,
    .carriesTextures = true,
};

}  // namespace threefold
