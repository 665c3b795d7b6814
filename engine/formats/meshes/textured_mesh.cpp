#include "engine/formats/meshes/textured_mesh.h"

#include <utility>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/named_files.h"
#include "engine/formats/meshes/gltf_surface.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/obj_materials.h"
#include "engine/formats/meshes/obj_surface.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

void addObjSurface(const MeshBytes& bytes, const MeshReading& reading, const NamedFiles& files,
                   TexturedMesh& textured) {
    const MeshFile& mesh = textured.mesh;
    if (mesh.faces.empty()) return;
    try {
        ObjSurface surface = decodeObjSurface(bytes.plain(), mesh.source, mesh.vertices, reading);
        if (surface.faces == mesh.faces) {
            addMaterials(std::move(surface), files, textured);
        } else {
            textured.missing.emplace_back("its materials do not fit its faces");
        }
    } catch (const FormatError& error) {
        // readMesh() takes the mesh as it is, so a surface that is broken costs the colours alone.
        textured.missing.emplace_back(error.what());
    }
}

}  // namespace

TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes, const fs::path& subject,
                                const MeshReading& reading, const NamedFiles& files) {
    const MeshBytes plain(bytes);
    TexturedMesh textured;
    GltfSurface surface;
    try {
        textured.mesh = decodePlainMesh(plain, subject, reading, &files, &surface);
    } catch (const FormatError& error) {
        // What is wrong may be the look of a glTF: then the shape alone can be had.
        textured.mesh = decodePlainMesh(plain, subject, reading, &files);
        surface = {};
        surface.missing.emplace_back(error.what());
    }
    if (textured.mesh.format == MeshFormat::obj) addObjSurface(plain, reading, files, textured);
    if (textured.mesh.format == MeshFormat::glb) {
        textured.materialOfFace = std::move(surface.materialOfFace);
        textured.materials = std::move(surface.materials);
        textured.coordinates = std::move(surface.coordinates);
        textured.tints = std::move(surface.tints);
        textured.textures = std::move(surface.textures);
        textured.missing = std::move(surface.missing);
    }
    return textured;
}

TexturedMesh readTexturedMesh(const fs::path& file, const MeshReading& reading) {
    return decodeTexturedMesh(readFile(file), file, reading, FilesOnDisk());
}

}  // namespace threefold
