#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/text/text_encoding.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// Finds one library under every name that ends with "mtl", and no other file.
class OneLibrary final : public ReferencedFiles {
  public:
    explicit OneLibrary(FuzzBytes library) : library_(library) {}
    fs::path find(const fs::path& folder, const std::string& name, AllowedFolders) const override {
        return name.ends_with("mtl") ? folder / "library.mtl" : fs::path();
    }
    std::vector<std::byte> read(const fs::path&) const override {
        return {library_.begin(), library_.end()};
    }

  private:
    FuzzBytes library_;
};

bool isFraction(float value) {
    return value >= 0 && value <= 1;
}

void checkMap(const TextureMap& map, const TexturedMesh& mesh) {
    if (map.texture < TextureMap::kNoTexture ||
        map.texture >= static_cast<std::int64_t>(mesh.appearance.textures.size()))
        throw std::runtime_error("a texture index out of range");
}

void check(const TexturedMesh& mesh) {
    const std::size_t faces = mesh.mesh.faces.size();
    if (!mesh.appearance.materialOfFace.empty() && mesh.appearance.materialOfFace.size() != faces)
        throw std::runtime_error("the numbers of material indices and faces differ");
    if (!mesh.appearance.textureCoordinates.empty() &&
        mesh.appearance.textureCoordinates.size() != 3 * faces)
        throw std::runtime_error("the number of texture coordinates is not three for each face");
    if (!mesh.appearance.linearColours.empty() &&
        mesh.appearance.linearColours.size() != mesh.mesh.vertices.size())
        throw std::runtime_error("the numbers of vertex colours and vertices differ");
    for (const std::uint32_t number : mesh.appearance.materialOfFace)
        if (number != kNoMaterial && number >= mesh.appearance.materials.size())
            throw std::runtime_error("a material index out of range");
    for (const Material& material : mesh.appearance.materials) {
        checkMap(material.map, mesh);
        checkMap(material.opacityMap, mesh);
        if (!isFraction(material.colour.x) || !isFraction(material.colour.y) ||
            !isFraction(material.colour.z) || !isFraction(material.opacity))
            throw std::runtime_error("a colour or opacity outside 0…1");
    }
    for (const glm::vec4& colour : mesh.appearance.linearColours)
        if (!isFraction(colour.x) || !isFraction(colour.y) || !isFraction(colour.z) ||
            !isFraction(colour.w))
            throw std::runtime_error("a vertex colour outside 0…1");
}

/// Expects the same vertices and faces from decodeMesh() and decodeTexturedMesh().
void checkShape(FuzzBytes bytes, const char* name, const ReferencedFiles& files) {
    const TexturedMesh mesh = decodeTexturedMesh(bytes, name, {}, files);
    check(mesh);
    const LoadedMesh shape = decodeMesh(bytes, name);
    if (shape.faces != mesh.mesh.faces || shape.vertices != mesh.mesh.vertices)
        throw std::runtime_error(
            "decodeMesh() and decodeTexturedMesh() give different vertices or faces");
}

}  // namespace

void fuzzMtl(FuzzBytes bytes) {
    const Utf8Text plain(asText(bytes));
    for (const auto& [name, material] : parseMaterials(plain.text())) {
        const glm::vec3& colour = material.diffuse;
        if (!isFraction(colour.x) || !isFraction(colour.y) || !isFraction(colour.z) ||
            !isFraction(material.opacity))
            throw std::runtime_error("a colour or opacity outside 0…1");
        if (name != materialName(name)) throw std::runtime_error("a name with blanks around it");
        for (const NamedTexture* texture : {&material.texture, &material.opacityTexture})
            if (!std::isfinite(texture->scale.x) || !std::isfinite(texture->scale.y) ||
                !std::isfinite(texture->offset.x) || !std::isfinite(texture->offset.y))
                throw std::runtime_error("a texture whose scale or offset is not finite");
    }
}

void fuzzObjSurface(FuzzBytes bytes) {
    const std::size_t end = asText(bytes).find('\0');
    if (end >= bytes.size()) return checkShape(bytes, "input.obj", OneLibrary({}));
    checkShape(bytes.first(end), "input.obj", OneLibrary(bytes.subspan(end + 1)));
}

void fuzzTexturedGlb(FuzzBytes bytes) {
    checkShape(bytes, "input.glb", OneLibrary({}));
}

}  // namespace threefold::test
