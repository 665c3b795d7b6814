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
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/meshes/obj_text.h"

namespace threefold {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// Collects the file names of mtllib statements. finishAppearance() reads the files that lie in the
/// allowed folders.
class LibraryNames final : public tinyobj::MaterialReader {
  public:
    bool operator()(const std::string& name, std::vector<tinyobj::material_t>*,
                    std::map<std::string, int>*, std::string*, std::string*) override {
        names.push_back(name);
        return false;
    }

    std::vector<std::string> names;
};

/// Builds a mesh from tinyobjloader's callbacks.
class ObjReader {
  public:
    explicit ObjReader(const MeshInput& input) : input_(input), text_(input, mesh_) {}

    LoadedMesh read() {
        tinyobj::callback_t calls;
        calls.vertex_cb = [](void* self, Real x, Real y, Real z, Real) {
            of(self).addVertex(x, y, z);
        };
        calls.normal_cb = [](void* self, Real x, Real y, Real z) { of(self).addNormal(x, y, z); };
        calls.texcoord_cb = [](void* self, Real x, Real y, Real z) {
            of(self).addTexCoordOrColour(x, y, z);
        };
        calls.index_cb = [](void* self, tinyobj::index_t* corners, int count) {
            of(self).addFace({corners, static_cast<std::size_t>(count)});
        };
        calls.usemtl_cb = [](void* self, const char* name, int) { of(self).useMaterial(name); };
        std::istream stream(&text_);
        stream.exceptions(std::ios::badbit);  // lets exceptions of ObjText through
        tinyobj::LoadObjWithCallback(stream, calls, this, &libraries_);
        finish();
        return std::move(mesh_);
    }

  private:
    using Real = tinyobj::real_t;

    /// Colour of a vertex of seven numbers, read as `x y z w r g b`.
    struct WeightedColour {
        std::uint32_t vertex;
        glm::vec3 colour;
    };

    static_assert(sizeof(Real) == sizeof(double), "ObjText::nearest() rounds doubles");

    static ObjReader& of(void* self) { return *static_cast<ObjReader*>(self); }

    void addVertex(Real x, Real y, Real z) {
        reserveGrowing(mesh_.vertices, 1);
        mesh_.vertices.push_back(text_.vertex(x, y, z));
    }

    void addNormal(Real x, Real y, Real z) {
        reserveGrowing(mesh_.normals, 1);
        mesh_.normals.push_back(text_.nearest(x, y, z));
    }

    /// Called for each `vt` statement, and for each colour of a vertex, which ObjText rewrites as a
    /// `vt` statement (takeColour()).
    void addTexCoordOrColour(Real x, Real y, Real z) {
        if (const std::size_t first = text_.takeColour()) {
            constexpr std::size_t kColourIndexAfterWeight = 4;
            const glm::vec3 colour = text_.nearest(x, y, z, first);
            return first == kColourIndexAfterWeight ? addWeighted(colour) : addColour(colour);
        }
        reserveGrowing(texCoords_, 1);
        texCoords_.emplace_back(text_.nearest(x, y, z));
    }

    void addColour(const glm::vec3& colour) {
        if (mesh_.colours.size() + 1 != mesh_.vertices.size()) return;  // a vertex lacks a colour
        reserveGrowing(mesh_.colours, 1);
        mesh_.colours.push_back(colour);
    }

    void addWeighted(const glm::vec3& colour) {
        if (mesh_.colours.size() != mesh_.vertices.size()) return;
        reserveGrowing(weighted_, 1);
        weighted_.push_back({static_cast<std::uint32_t>(mesh_.colours.size() - 1), colour});
    }

    /// Decides whether vertices of seven numbers are `x y z w r g b`, or `x y z r g b a` as MeshLab
    /// and trimesh write them. Chooses `x y z w r g b` if some vertices have fewer numbers, or if
    /// the fourth number (then a weight) is 1 in all vertices and the seventh differs from 1 in at
    /// least one.
    void chooseColours() {
        const auto fourthIsNotOne = [](const glm::vec3& colour) { return colour.x != 1; };
        const auto lastIsOne = [](const WeightedColour& vertex) { return vertex.colour.z == 1; };
        const bool isAlpha = weighted_.size() == mesh_.vertices.size() &&
                             (std::ranges::any_of(mesh_.colours, fourthIsNotOne) ||
                              std::ranges::all_of(weighted_, lastIsOne));
        if (isAlpha) return;
        for (const WeightedColour& each : weighted_) mesh_.colours[each.vertex] = each.colour;
    }

    void useMaterial(const std::string& name) {
        const auto [entry, isNew] =
            materialIndex_.emplace(name, static_cast<std::uint32_t>(materialNames_.size()));
        if (isNew) materialNames_.push_back(name);
        material_ = entry->second;
    }

    /// Converts a number of OBJ (1: first of the `count` elements so far; −1: last of them) to a
    /// 0-based index: negative for 0 and for elements before the first; not checked against
    /// `count`.
    static std::int64_t indexFrom(int number, std::size_t count) {
        if (number == 0) return -1;
        return number > 0 ? number - 1 : static_cast<std::int64_t>(count) + number;
    }

    std::uint32_t vertexOf(int number) {
        const std::int64_t index = indexFrom(number, mesh_.vertices.size());
        if (number == 0)
            text_.failAt(text_.offset(),
                         "a face names the vertex 0, but vertices are counted from 1");
        if (index < 0)
            text_.failAt(
                text_.offset(),
                fmt::format(
                    "a face names the vertex {}, but the number of vertices before the face is {}",
                    number, mesh_.vertices.size()));
        if (index > maxIndex_) {
            maxIndex_ = index;
            maxIndexOffset_ = text_.offset();
        }
        return static_cast<std::uint32_t>(index);
    }

    std::uint32_t coordinateOf(const tinyobj::index_t& corner) const {
        const std::int64_t index = indexFrom(corner.texcoord_index, texCoords_.size());
        return index < 0 ? kNone : static_cast<std::uint32_t>(index);
    }

    void addFace(std::span<const tinyobj::index_t> face) {
        corners_.clear();
        bool hasCoordinates = !texCoordOfCorner_.empty();
        for (const tinyobj::index_t& corner : face) {
            corners_.push_back(vertexOf(corner.vertex_index));
            hasCoordinates = hasCoordinates || corner.texcoord_index != 0;
            // A normal whose index differs from the vertex's belongs to a corner, not to the
            // vertex.
            if (corner.normal_index != 0 && indexFrom(corner.normal_index, mesh_.normals.size()) !=
                                                std::int64_t{corners_.back()})
                text_.dropNormals();
        }
        cornerIndices_.clear();
        const std::size_t facesBefore = mesh_.faces.size();
        addPolygon(mesh_, corners_,
                   input_.source.appearance != nullptr ? &cornerIndices_ : nullptr);
        if (input_.source.appearance == nullptr) return;
        input_.source.appearance->materialOfFace.resize(mesh_.faces.size(), material_);
        if (!hasCoordinates) return;
        texCoordOfCorner_.resize(3 * facesBefore, kNone);
        for (const std::uint32_t corner : cornerIndices_)
            texCoordOfCorner_.push_back(coordinateOf(face[corner]));
    }

    void finish() {
        const std::size_t count = mesh_.vertices.size();
        if (maxIndex_ >= static_cast<std::int64_t>(count))
            text_.failAt(maxIndexOffset_,
                         fmt::format("a face names the vertex {}, but the number of vertices is {}",
                                     maxIndex_ + 1, count));
        if (count == 0) text_.checkKnown();
        chooseColours();
        scaleColours(mesh_.colours);
        if (text_.coloursBroken()) mesh_.colours.resize(count);
        dropIncomplete(mesh_, mesh_.colours, "colours", !text_.coloursBroken());
        dropIncomplete(mesh_, mesh_.normals, "normals", text_.normalsFit());
        if (input_.source.appearance != nullptr && !mesh_.faces.empty())
            finishAppearance(*input_.source.appearance);
    }

    void finishAppearance(MeshAppearance& appearance) {
        if (!texCoordOfCorner_.empty() && !text_.coordinatesBroken()) {
            texCoordOfCorner_.resize(3 * mesh_.faces.size(), kNone);
            appearance.textureCoordinates.reserve(texCoordOfCorner_.size());
            for (const std::uint32_t index : texCoordOfCorner_)
                appearance.textureCoordinates.push_back(
                    index < texCoords_.size() ? texCoords_[index] : glm::vec2(0.0F));
        }
        if (input_.source.files != nullptr)
            addMaterials(libraries_.names, materialNames_, input_.source.subject.parent_path(),
                         *input_.source.files, allowedTextureFolders(input_.source.options),
                         appearance);
    }

    const MeshInput& input_;
    LoadedMesh mesh_;
    ObjText text_;
    std::int64_t maxIndex_ = -1;
    std::size_t maxIndexOffset_ = 0;  // of the first statement that has maxIndex_
    std::vector<WeightedColour> weighted_;
    std::vector<std::uint32_t> corners_;
    // For the appearance:
    std::vector<std::uint32_t> cornerIndices_;
    std::vector<glm::vec2> texCoords_;
    std::vector<std::uint32_t> texCoordOfCorner_;  // three for each face, or empty
    LibraryNames libraries_;
    std::vector<std::string> materialNames_{""};  // the empty name means no material
    std::map<std::string, std::uint32_t> materialIndex_{{"", 0}};
    std::uint32_t material_ = 0;
};

bool recognisesObj(const FormatProbe& content) {
    constexpr std::string_view kStatements[] = {"v", "vn", "vt", "vp", "f",      "o",
                                                "g", "s",  "l",  "p",  "mtllib", "usemtl"};
    const auto* match = std::ranges::find(kStatements, content.firstWord);
    return content.hasExtension || (content.isText && match != std::end(kStatements));
}

/// Number of decimals of coordinates: six, as in the meshes that Pixel2Mesh++ writes, or more if
/// six would round the shape of a small mesh.
int decimalsFor(const Points& vertices) {
    constexpr int kPublished = 6;
    constexpr int kMaxDecimals = 60;
    if (vertices.empty()) return kPublished;
    const Box3f box = boundsOf(vertices);
    const double diagonal = glm::distance(glm::dvec3(box.min), glm::dvec3(box.max));
    if (!(diagonal > 0)) return kPublished;
    const int more = static_cast<int>(std::ceil(-std::log10(diagonal))) - 1;
    return std::clamp(kPublished + more, kPublished, kMaxDecimals);
}

std::string writeObj(const Mesh& mesh, const MeshWriteOptions& options) {
    const int decimals = decimalsFor(mesh.vertices);
    std::string text;
    const auto out = std::back_inserter(text);
    if (options.texture != nullptr) fmt::format_to(out, "mtllib {}.mtl\n", options.texture->name);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 v = vertexPosition(mesh, options, i);
        fmt::format_to(out, "v {:.{}f} {:.{}f} {:.{}f}", v.x, decimals, v.y, decimals, v.z,
                       decimals);
        if (!options.colours.empty()) {
            const glm::dvec3 c = options.colours[i];
            fmt::format_to(out, " {:.4f} {:.4f} {:.4f}", c.x, c.y, c.z);
        }
        text += '\n';
    }
    if (options.texture == nullptr) {
        for (const glm::u32vec3& f : mesh.faces)
            fmt::format_to(out, "f {} {} {}\n", f.x + 1, f.y + 1, f.z + 1);
        return text;
    }
    for (const glm::dvec2 texCoord : options.texture->textureCoordinates)
        fmt::format_to(out, "vt {:.8f} {:.8f}\n", texCoord.x, texCoord.y);
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
    .recognises = recognisesObj,
    .decode = [](const MeshInput& input) { return ObjReader(input).read(); },
    .encode = writeObj,
    .carriesFaces = true,
    .carriesColours = true,
    .carriesTextures = true,
};

}  // namespace threefold
