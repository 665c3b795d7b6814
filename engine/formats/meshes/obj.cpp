#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/obj_text.h"

namespace threefold {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// Collects what mtllib names. The files are read later, if they are within reach.
class LibraryNames final : public tinyobj::MaterialReader {
  public:
    bool operator()(const std::string& name, std::vector<tinyobj::material_t>*,
                    std::map<std::string, int>*, std::string*, std::string*) override {
        names.push_back(name);
        return false;
    }

    std::vector<std::string> names;
};

/// A mesh of what tinyobjloader calls back with.
class ObjReader {
  public:
    explicit ObjReader(const MeshInput& input) : input_(input), text_(input, mesh_) {}

    MeshFile read() {
        tinyobj::callback_t calls;
        calls.vertex_cb = [](void* self, Real x, Real y, Real z, Real) {
            of(self).addVertex(x, y, z);
        };
        calls.normal_cb = [](void* self, Real x, Real y, Real z) { of(self).addNormal(x, y, z); };
        calls.texcoord_cb = [](void* self, Real x, Real y, Real z) {
            of(self).addCoordinate(x, y, z);
        };
        calls.index_cb = [](void* self, tinyobj::index_t* corners, int count) {
            of(self).addFace({corners, static_cast<std::size_t>(count)});
        };
        calls.usemtl_cb = [](void* self, const char* name, int) { of(self).useMaterial(name); };
        std::istream stream(&text_);
        stream.exceptions(std::ios::badbit);  // lets the errors of ObjText through
        tinyobj::LoadObjWithCallback(stream, calls, this, &libraries_);
        finish();
        return std::move(mesh_);
    }

  private:
    using Real = tinyobj::real_t;

    /// The colour of a vertex of seven numbers, were they `x y z w r g b`.
    struct Weighted {
        std::uint32_t vertex;
        glm::vec3 colour;
    };

    static_assert(sizeof(Real) == sizeof(double), "ObjText::nearest() rounds doubles");

    static ObjReader& of(void* self) { return *static_cast<ObjReader*>(self); }

    void addVertex(Real x, Real y, Real z) {
        makeRoom(mesh_.vertices, 1);
        mesh_.vertices.push_back(text_.vertex(x, y, z));
    }

    void addNormal(Real x, Real y, Real z) {
        makeRoom(mesh_.normals, 1);
        mesh_.normals.push_back(text_.nearest(x, y, z));
    }

    void addCoordinate(Real x, Real y, Real z) {
        if (const std::size_t from = text_.takeColour()) {
            constexpr std::size_t kBehindWeight = 4;
            const glm::vec3 colour = text_.nearest(x, y, z, from);
            return from == kBehindWeight ? addWeighted(colour) : addColour(colour);
        }
        ++mesh_.ignored["texture coordinates"];
        makeRoom(coordinates_, 1);
        coordinates_.emplace_back(text_.nearest(x, y, z));
    }

    void addColour(const glm::vec3& colour) {
        if (mesh_.colours.size() + 1 != mesh_.vertices.size()) return;  // not every vertex has one
        makeRoom(mesh_.colours, 1);
        mesh_.colours.push_back(colour);
    }

    void addWeighted(const glm::vec3& colour) {
        if (mesh_.colours.size() != mesh_.vertices.size()) return;
        makeRoom(weighted_, 1);
        weighted_.push_back({static_cast<std::uint32_t>(mesh_.colours.size() - 1), colour});
    }

    /// Where all vertices have seven numbers they are `x y z r g b a`, as MeshLab and trimesh write
    /// them, unless the fourth is always 1 and the last is not, as alpha mostly is. Else a fourth
    /// of seven is a weight.
    void chooseColours() {
        const auto startsBelowOne = [](const glm::vec3& colour) { return colour.x != 1; };
        const auto endsWithOne = [](const Weighted& each) { return each.colour.z == 1; };
        const bool alpha = weighted_.size() == mesh_.vertices.size() &&
                           (std::ranges::any_of(mesh_.colours, startsBelowOne) ||
                            std::ranges::all_of(weighted_, endsWithOne));
        if (alpha) return;
        for (const Weighted& each : weighted_) mesh_.colours[each.vertex] = each.colour;
    }

    void useMaterial(const std::string& name) {
        const auto [found, isNew] =
            numberOfMaterial_.emplace(name, static_cast<std::uint32_t>(materialNames_.size()));
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
            text_.failAt(text_.place(), "a face names the vertex 0, they are counted from 1");
        if (at < 0)
            text_.failAt(text_.place(), fmt::format("a face names the vertex {}, {} are before it",
                                                    named, mesh_.vertices.size()));
        if (at > highest_) {
            highest_ = at;
            highestPlace_ = text_.place();
        }
        return static_cast<std::uint32_t>(at);
    }

    std::uint32_t coordinateOf(const tinyobj::index_t& corner) const {
        const std::int64_t at = place(corner.texcoord_index, coordinates_.size());
        return at < 0 ? kNone : static_cast<std::uint32_t>(at);
    }

    void addFace(std::span<const tinyobj::index_t> face) {
        corners_.clear();
        bool hasCoordinates = !coordinateOfCorner_.empty();
        for (const tinyobj::index_t& corner : face) {
            corners_.push_back(vertexOf(corner.vertex_index));
            hasCoordinates = hasCoordinates || corner.texcoord_index != 0;
            // A normal of another number than its vertex belongs to a corner, not to the vertex.
            if (corner.normal_index != 0 &&
                place(corner.normal_index, mesh_.normals.size()) != std::int64_t{corners_.back()})
                text_.dropNormals();
        }
        places_.clear();
        const std::size_t before = mesh_.faces.size();
        addPolygon(mesh_, corners_, input_.look != nullptr ? &places_ : nullptr);
        if (input_.look == nullptr) return;
        input_.look->materialOfFace.resize(mesh_.faces.size(), material_);
        if (!hasCoordinates) return;
        coordinateOfCorner_.resize(3 * before, kNone);
        for (const std::uint32_t at : places_)
            coordinateOfCorner_.push_back(coordinateOf(face[at]));
    }

    void finish() {
        const std::size_t count = mesh_.vertices.size();
        if (highest_ >= static_cast<std::int64_t>(count))
            text_.failAt(highestPlace_, fmt::format("a face names the vertex {}, there are {}",
                                                    highest_ + 1, count));
        if (count == 0) text_.checkKnown();
        chooseColours();
        scaleColours();
        if (text_.coloursBroken()) mesh_.colours.resize(count);
        dropPartial(mesh_, mesh_.colours, "colours", !text_.coloursBroken());
        dropPartial(mesh_, mesh_.normals, "normals", text_.normalsFit());
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
        if (!coordinateOfCorner_.empty() && !text_.coordinatesBroken()) {
            coordinateOfCorner_.resize(3 * mesh_.faces.size(), kNone);
            look.coordinates.reserve(coordinateOfCorner_.size());
            for (const std::uint32_t at : coordinateOfCorner_)
                look.coordinates.push_back(at < coordinates_.size() ? coordinates_[at]
                                                                    : glm::vec2(0.0F));
        }
        if (input_.files != nullptr)
            addMaterials(libraries_.names, materialNames_, input_.subject.parent_path(),
                         *input_.files, textureReach(input_.reading), look);
    }

    const MeshInput& input_;
    MeshFile mesh_;
    ObjText text_;
    std::int64_t highest_ = -1;
    std::size_t highestPlace_ = 0;  // of the first statement that names it
    std::vector<Weighted> weighted_;
    std::vector<std::uint32_t> corners_;
    // Of the look:
    std::vector<std::uint32_t> places_;
    std::vector<glm::vec2> coordinates_;
    std::vector<std::uint32_t> coordinateOfCorner_;  // three for each face, or none
    LibraryNames libraries_;
    std::vector<std::string> materialNames_{""};  // the first stands for none
    std::map<std::string, std::uint32_t> numberOfMaterial_{{"", 0}};
    std::uint32_t material_ = 0;
};

bool recognisesObj(const MeshContent& content) {
    constexpr std::string_view kStatements[] = {"v", "vn", "vt", "vp", "f",      "o",
                                                "g", "s",  "l",  "p",  "mtllib", "usemtl"};
    const auto* found = std::ranges::find(kStatements, content.firstWord);
    return content.isNamed || (content.isText && found != std::end(kStatements));
}

/// The published six, and more where the mesh is so small that they would round its shape.
int decimalsFor(const Points& vertices) {
    constexpr int kPublished = 6;
    constexpr int kMost = 60;
    if (vertices.empty()) return kPublished;
    const Bounds box(vertices);
    const double across = glm::distance(glm::dvec3(box.low), glm::dvec3(box.high));
    if (!(across > 0)) return kPublished;
    const int more = static_cast<int>(std::ceil(-std::log10(across))) - 1;
    return std::clamp(kPublished + more, kPublished, kMost);
}

std::string writeObj(const Mesh& mesh, const VertexExtras& extras) {
    const int decimals = decimalsFor(mesh.vertices);
    std::string text;
    const auto out = std::back_inserter(text);
    if (extras.texture != nullptr) fmt::format_to(out, "mtllib {}.mtl\n", extras.texture->name);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 v = placeOf(mesh, extras, i);
        fmt::format_to(out, "v {:.{}f} {:.{}f} {:.{}f}", v.x, decimals, v.y, decimals, v.z,
                       decimals);
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
