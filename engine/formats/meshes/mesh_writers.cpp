#include "engine/formats/meshes/mesh_writers.h"

#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/meshes/binary_mesh_writers.h"

namespace threefold {
namespace {

void checkFinite(const Points& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::vec3& p = points[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError({"mesh", fmt::format("vertex {}", i),
                              fmt::format("({}, {}, {}) is not finite", p.x, p.y, p.z),
                              "Check the model and the cameras that it comes from."});
    }
}

void checkFaces(const Mesh& mesh) {
    for (std::size_t i = 0; i < mesh.faces.size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            if (mesh.faces[i][corner] >= mesh.vertices.size())
                throw InputError({"mesh", fmt::format("face {}", i),
                                  fmt::format("names the vertex {}, there are {}",
                                              mesh.faces[i][corner], mesh.vertices.size()),
                                  "Check the template that the model holds."});
}

void checkExtras(std::size_t vertices, const VertexExtras& extras) {
    for (const std::size_t count : {extras.colours.size(), extras.values.size()})
        if (count != 0 && count != vertices)
            throw InputError({"mesh", "",
                              fmt::format("{} colours or values for {} vertices", count, vertices),
                              "Give one for each vertex, or none."});
}

std::string objText(const Mesh& mesh, std::span<const glm::vec3> colours) {
    std::string text;
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 v = mesh.vertices[i];
        fmt::format_to(out, "v {:.6f} {:.6f} {:.6f}", v.x, v.y, v.z);
        if (!colours.empty()) {
            const glm::dvec3 c = colours[i];
            fmt::format_to(out, " {:.4f} {:.4f} {:.4f}", c.x, c.y, c.z);
        }
        text += '\n';
    }
    for (const glm::u32vec3& f : mesh.faces)
        fmt::format_to(out, "f {} {} {}\n", f.x + 1, f.y + 1, f.z + 1);
    return text;
}

}  // namespace

std::string formatObj(const Mesh& mesh) {
    return encodeMesh(MeshFormat::obj, mesh);
}

std::string formatXyz(const Points& points) {
    checkFinite(points);
    std::string text;
    for (const glm::dvec3 p : points)
        fmt::format_to(std::back_inserter(text), "{:.18e} {:.18e} {:.18e}\n", p.x, p.y, p.z);
    return text;
}

void writeObj(const std::filesystem::path& file, const Mesh& mesh) {
    writeFileWhole(file, std::string_view(formatObj(mesh)));
}

void writeXyz(const std::filesystem::path& file, const Points& points) {
    writeFileWhole(file, std::string_view(formatXyz(points)));
}

bool carriesColours(MeshFormat format) {
    return format == MeshFormat::obj || format == MeshFormat::ply || format == MeshFormat::glb;
}

bool carriesFaces(MeshFormat format) {
    return format != MeshFormat::xyz && format != MeshFormat::npy && format != MeshFormat::npz;
}

std::string encodeMesh(MeshFormat format, const Mesh& mesh, const VertexExtras& extras) {
    checkFinite(mesh.vertices);
    checkFaces(mesh);
    checkExtras(mesh.vertices.size(), extras);
    switch (format) {
        case MeshFormat::obj:
            return objText(mesh, extras.colours);
        case MeshFormat::xyz:
            return formatXyz(mesh.vertices);
        case MeshFormat::ply:
            return plyBytes(mesh, extras);
        case MeshFormat::stl:
            return stlBytes(mesh);
        case MeshFormat::glb:
            return glbBytes(mesh, extras);
        case MeshFormat::npy:
        case MeshFormat::npz:
            break;
    }
    throw InputError({"mesh", "", "cannot be written as NPY", "Choose XYZ for points alone."});
}

void writeMesh(const std::filesystem::path& file, MeshFormat format, const Mesh& mesh,
               const VertexExtras& extras) {
    writeFileWhole(file, std::string_view(encodeMesh(format, mesh, extras)));
}

}  // namespace threefold
