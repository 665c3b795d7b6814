#include "engine/formats/mesh_writers.h"

#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/file_bytes.h"

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

}  // namespace

std::string formatObj(const Mesh& mesh) {
    checkFinite(mesh.vertices);
    checkFaces(mesh);
    std::string text;
    const auto out = std::back_inserter(text);
    for (const glm::dvec3 v : mesh.vertices)
        fmt::format_to(out, "v {:.6f} {:.6f} {:.6f}\n", v.x, v.y, v.z);
    for (const glm::u32vec3& f : mesh.faces)
        fmt::format_to(out, "f {} {} {}\n", f.x + 1, f.y + 1, f.z + 1);
    return text;
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

}  // namespace threefold
