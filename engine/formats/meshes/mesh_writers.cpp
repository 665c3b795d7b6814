#include "engine/formats/meshes/mesh_writers.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {
namespace {

[[noreturn]] void refuse(std::string place, std::string problem, std::string remedy) {
    throw InputError({"mesh", std::move(place), std::move(problem), std::move(remedy)});
}

void check(const Mesh& mesh, const VertexExtras& extras) {
    const std::size_t count = mesh.vertices.size();
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3& p = mesh.vertices[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            refuse(fmt::format("vertex {}", i),
                   fmt::format("({}, {}, {}) is not finite", p.x, p.y, p.z),
                   "Check the model and the cameras that it comes from.");
    }
    for (std::size_t i = 0; i < mesh.faces.size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            if (mesh.faces[i][corner] >= count)
                refuse(
                    fmt::format("face {}", i),
                    fmt::format("names the vertex {}, there are {}", mesh.faces[i][corner], count),
                    "Check the template that the model holds.");
    for (const std::size_t values : {extras.colours.size(), extras.values.size()})
        if (values != 0 && values != count)
            refuse("", fmt::format("{} colours or values for {} vertices", values, count),
                   "Give one for each vertex, or none.");
}

}  // namespace

std::string encodeMesh(MeshFormat format, const Mesh& mesh, const VertexExtras& extras) {
    check(mesh, extras);
    const MeshFormatInfo& info = infoOf(format);
    if (info.write == nullptr)
        refuse("", fmt::format("cannot be written as {}", info.names),
               fmt::format("Choose {}.", meshFormatNames(" or ", mesh_formats::written)));
    return info.write(mesh, extras);
}

void writeMesh(const std::filesystem::path& file, MeshFormat format, const Mesh& mesh,
               const VertexExtras& extras) {
    writeFileWhole(file, std::string_view(encodeMesh(format, mesh, extras)));
}

}  // namespace threefold
