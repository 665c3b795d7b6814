#include <cmath>
#include <stdexcept>
#include <string>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

/// Meshes with more vertices or faces are not written and read again, since that would take most of
/// the time.
constexpr std::size_t kQuick = 256;

LoadedMesh checked(FuzzBytes bytes, const char* name) {
    LoadedMesh mesh = decodeMesh(bytes, name);
    const std::size_t count = mesh.vertices.size();
    if (count == 0) throw std::runtime_error("a mesh without vertices");
    for (const glm::vec3& vertex : mesh.vertices)
        if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y) || !std::isfinite(vertex.z))
            throw std::runtime_error("a vertex that is not finite");
    for (const glm::u32vec3& face : mesh.faces)
        if (face.x >= count || face.y >= count || face.z >= count || face.x == face.y ||
            face.y == face.z || face.z == face.x)
            throw std::runtime_error("a face with an index out of range, or two equal indices");
    for (const Points* each : {&mesh.normals, &mesh.colours})
        if (!each->empty() && each->size() != count)
            throw std::runtime_error(
                "the number of normals or colours differs from that of vertices");
    return mesh;
}

/// Writes a mesh, reads it back, and expects an equal mesh.
void checkRoundTrip(const LoadedMesh& mesh, MeshFormat format) {
    if (mesh.vertices.size() > kQuick || mesh.faces.size() > kQuick) return;
    const std::string written = encodeMesh(format, {mesh.vertices, mesh.faces});
    const LoadedMesh again = decodeMesh(asBytes(written), "written");
    if (again.format != format)
        throw std::runtime_error("a mesh that reads back in another format");
    if (format == MeshFormat::obj) {  // six decimals: the second text must equal the first
        if (encodeMesh(MeshFormat::obj, {again.vertices, again.faces}) != written)
            throw std::runtime_error("an OBJ that reads back as another");
    } else if (again.vertices != mesh.vertices ||
               (infoOf(format).carriesFaces && again.faces != mesh.faces)) {
        throw std::runtime_error("a mesh that reads back as another");
    }
}

}  // namespace

void fuzzObj(FuzzBytes bytes) {
    checkRoundTrip(checked(bytes, "input.obj"), MeshFormat::obj);
}

void fuzzPly(FuzzBytes bytes) {
    checkRoundTrip(checked(bytes, "input.ply"), MeshFormat::ply);
}

void fuzzStl(FuzzBytes bytes) {
    checked(bytes, "input.stl");
}

void fuzzGlb(FuzzBytes bytes) {
    checkRoundTrip(checked(bytes, "input.glb"), MeshFormat::glb);
}

void fuzzXyz(FuzzBytes bytes) {
    checkRoundTrip(checked(bytes, "input.xyz"), MeshFormat::xyz);
}

void fuzzOff(FuzzBytes bytes) {
    checked(bytes, "input.off");
}

}  // namespace threefold::test
