#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <istream>
#include <iterator>
#include <limits>
#include <map>
#include <streambuf>
#include <string>

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/meshes/textured_mesh.h"

namespace threefold {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// tinyobjloader reads the file from this stream, which gives it one checked statement after the
/// other, and calls back with the values. It takes what is no number for 0, knows neither lines nor
/// colours, and keeps all that it is given: so each statement is checked here before, where its
/// line is known, and what is not needed is left out.
class ObjReader : std::streambuf {
  public:
    explicit ObjReader(const MeshInput& input)
        : input_(input), text_(asText(input.bytes)), scanner_(text_, input.subject), steps_(input) {
        scanner_.setContinuation(true);
        scanner_.setComment('#');
    }

    MeshFile read() {
        tinyobj::callback_t calls;
        calls.vertex_cb = [](void* self, float x, float y, float z, float) {
            of(self).addVertex({x, y, z});
        };
        calls.normal_cb = [](void* self, float x, float y, float z) {
            makeRoom(of(self).mesh_.normals, 1);
            of(self).mesh_.normals.emplace_back(x, y, z);
        };
        calls.texcoord_cb = [](void* self, float u, float v, float) {
            makeRoom(of(self).coordinates_, 1);
            of(self).coordinates_.emplace_back(u, v);
        };
        calls.index_cb = [](void* self, tinyobj::index_t* corners, int count) {
            of(self).addFace({corners, static_cast<std::size_t>(count)});
        };
        calls.usemtl_cb = [](void* self, const char* name, int) { of(self).useMaterial(name); };
        std::istream stream(this);
        stream.exceptions(std::ios::badbit);  // lets the errors of underflow() through
        tinyobj::LoadObjWithCallback(stream, calls, this);
        finish();
        return std::move(mesh_);
    }

  private:
    static ObjReader& of(void* self) { return *static_cast<ObjReader*>(self); }

    int_type underflow() override {
        line_.clear();
        for (; line_.empty() && !scanner_.atEnd(); scanner_.nextLine()) {
            steps_.at(scanner_.offset());
            checkStatement(scanner_.word());
            lineNumber_ = scanner_.line();
        }
        if (line_.empty()) return traits_type::eof();
        line_ += '\n';
        setg(line_.data(), line_.data(), line_.data() + line_.size());
        return traits_type::to_int_type(line_.front());
    }

    void checkStatement(std::string_view word) {
        if (word.empty()) return;
        if (word == "v") return checkVertex();
        if (word == "f") return checkFace();
        if (word == "vn") return checkNormal();
        if (word == "vt") return checkCoordinate();
        if (word == "l") return ignore("lines");
        if (word == "p") return ignore("points");
        for (const std::string_view naming : {"o", "g", "s", "usemtl", "mtllib"})
            if (word == naming) return checkName(word);
        if (firstUnknown_.empty()) {
            firstUnknown_ = word.substr(0, 40);
            firstUnknownLine_ = scanner_.line();
        }
        ignore("other statements");
    }

    void ignore(const char* what) { ++mesh_.ignored[what]; }
    void put(std::string_view word) { line_.append(" ").append(word); }
    void putNumber(std::string_view what) {
        scanner_.moreOnLine();
        const std::size_t start = scanner_.offset();
        scanner_.number(what);
        put(text_.substr(start, scanner_.offset() - start));
    }

    /// In a name '#' is no comment: programs write "Material #25".
    void checkName(std::string_view word) {
        const std::string_view name = scanner_.restOfLine();
        if (input_.look == nullptr) return;
        if (word == "usemtl") line_ = "usemtl " + materialName(name);
        if (word == "mtllib") libraries_.emplace_back(name);
    }

    void checkVertex() {
        line_ = "v";
        for (int axis = 0; axis < 3; ++axis) putNumber("a coordinate");
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
    void checkNormal() {
        line_ = "vn";
        for (int axis = 0; axis < 3; ++axis) {
            const std::string_view word = scanner_.word();
            const bool finite = !word.empty() && !isNotFinite(word);
            if (finite) scanner_.toNumber(word, "a part of a normal");
            normalsFit_ = normalsFit_ && finite;
            put(finite ? word : "0");
        }
    }

    static bool isNotFinite(std::string_view word) {
        if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
        return word.starts_with("nan") || word.starts_with("NaN") || word.starts_with("NAN") ||
               word.starts_with("inf") || word.starts_with("1.#");
    }

    void checkCoordinate() {
        ignore("texture coordinates");
        checkLook([this] {
            line_ = "vt";
            putNumber("a texture coordinate");
            if (scanner_.moreOnLine()) putNumber("a texture coordinate");
        });
    }

    /// What is wrong with texture coordinates costs these alone, not the shape.
    template <class Check>
    void checkLook(Check check) {
        if (input_.look == nullptr || coordinatesBroken_) return;
        try {
            check();
        } catch (const FormatError& error) {
            input_.look->missing.emplace_back(error.what());
            coordinatesBroken_ = true;
            line_.clear();
        }
    }

    void checkIndex(std::string_view word, std::string_view what) const {
        const std::int64_t named = scanner_.toInteger(word, what);
        if (std::abs(named) > std::numeric_limits<int>::max())
            scanner_.fail(fmt::format("a face names the vertex {}", named));
    }

    void checkFace() {
        std::string face = "f";
        std::size_t corners = 0;
        for (std::string_view word = scanner_.word(); !word.empty(); word = scanner_.word()) {
            const std::size_t slash = std::min(word.find('/'), word.size());
            const std::size_t last = std::min(word.rfind('/'), word.size());
            checkIndex(word.substr(0, slash), "the number of a vertex");
            if (std::ranges::count(word, '/') > 2)
                scanner_.fail(fmt::format("'{}' has too many parts", word.substr(0, 40)));
            // Some programs write "1//" and "1/1/" of a corner without a normal.
            if (last != slash && last + 1 < word.size() && normalsFit_)
                checkIndex(word.substr(last + 1), "a normal's number");
            if (last > slash + 1)
                checkLook(
                    [&] { checkIndex(word.substr(slash + 1, last - slash - 1), "an index"); });
            // Behind a last '/' tinyobjloader would take the next corner's number.
            while (word.ends_with('/')) word.remove_suffix(1);
            face.append(" ").append(word);
            if (++corners > kMostCorners)
                scanner_.fail(fmt::format("a face of more than {} corners", kMostCorners));
        }
        if (corners < 3)
            scanner_.fail(fmt::format("a face of {} corners, three are needed", corners));
        line_ = std::move(face);
    }

    void addVertex(const glm::vec3& vertex) {
        if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y) || !std::isfinite(vertex.z))
            scanner_.failAt(lineNumber_, "a coordinate is beyond the range of numbers");
        makeRoom(mesh_.vertices, 1);
        mesh_.vertices.push_back(vertex);
    }

    void useMaterial(const std::string& name) {
        const auto [found, isNew] =
            numbers_.emplace(name, static_cast<std::uint32_t>(materialNames_.size()));
        if (isNew) materialNames_.push_back(name);
        material_ = found->second;
    }

    /// 0-based, of `count` there are so far: 1 is the first, −1 the newest. Negative: none.
    static std::int64_t place(int named, std::size_t count) {
        if (named == 0) return -1;
        return named > 0 ? named - 1 : static_cast<std::int64_t>(count) + named;
    }

    std::uint32_t vertexOf(int named) {
        const std::int64_t at = place(named, mesh_.vertices.size());
        if (named == 0)
            scanner_.failAt(lineNumber_, "a face names the vertex 0, they are counted from 1");
        if (at < 0)
            scanner_.failAt(lineNumber_, fmt::format("a face names the vertex {}, {} are before it",
                                                     named, mesh_.vertices.size()));
        if (at > highest_) {
            highest_ = at;
            highestLine_ = lineNumber_;
        }
        return static_cast<std::uint32_t>(at);
    }

    std::uint32_t coordinateOf(const tinyobj::index_t& corner) const {
        const std::int64_t at = place(corner.texcoord_index, coordinates_.size());
        return at < 0 ? kNone : static_cast<std::uint32_t>(at);
    }

    void addFace(std::span<const tinyobj::index_t> corners) {
        corners_.clear();
        bool hasCoordinates = !coordinateOfCorner_.empty();
        for (const tinyobj::index_t& corner : corners) {
            corners_.push_back(vertexOf(corner.vertex_index));
            hasCoordinates = hasCoordinates || corner.texcoord_index != 0;
            // A normal of another number than its vertex belongs to a corner, not to the vertex.
            if (corner.normal_index != 0)
                normalsFit_ = normalsFit_ && place(corner.normal_index, mesh_.normals.size()) ==
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
            coordinateOfCorner_.push_back(coordinateOf(corners[at]));
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
        dropPartial(mesh_.colours, "colours", !coloursBroken_);
        dropPartial(mesh_.normals, "normals", normalsFit_);
        if (input_.look != nullptr && !mesh_.faces.empty()) finishLook(*input_.look);
    }

    void dropPartial(std::vector<glm::vec3>& values, const char* what, bool fits) {
        if (values.empty() || (fits && values.size() == mesh_.vertices.size())) return;
        mesh_.ignored[what] += values.size();
        values = {};
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
    std::string line_;  // what tinyobjloader reads next
    std::size_t lineNumber_ = 0;
    MeshFile mesh_;
    bool normalsFit_ = true;
    bool coloursBroken_ = false;
    std::int64_t highest_ = -1;
    std::size_t highestLine_ = 0;
    std::string firstUnknown_;
    std::size_t firstUnknownLine_ = 0;
    std::vector<std::uint32_t> corners_;
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
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 v = mesh.vertices[i];
        fmt::format_to(out, "v {:.6f} {:.6f} {:.6f}", v.x, v.y, v.z);
        if (!extras.colours.empty()) {
            const glm::dvec3 c = extras.colours[i];
            fmt::format_to(out, " {:.4f} {:.4f} {:.4f}", c.x, c.y, c.z);
        }
        text += '\n';
    }
    for (const glm::u32vec3& f : mesh.faces)
        fmt::format_to(out, "f {} {} {}\n", f.x + 1, f.y + 1, f.z + 1);
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
};

}  // namespace threefold
