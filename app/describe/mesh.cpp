#include <fmt/format.h>
#include <glm/common.hpp>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/mesh_space.h"

namespace threefold {

Description describeMesh(const std::filesystem::path& file, const InspectOptions&) {
    // A text of numbers might be anything, so the name decides.
    const auto format = meshFormatFromName(file.extension().string());
    if (!format || infoOf(*format).isArrays)
        throw NotThisFormat({file.string(), "", "is not named as meshes are", ""});
    const MeshFile mesh = readMesh(file);
    Description description{std::string(meshFormatName(mesh.format)) + " mesh", {}, {}};
    auto& facts = description.facts;
    facts.emplace_back("vertices", std::to_string(mesh.vertices.size()));
    facts.emplace_back("triangles", std::to_string(mesh.faces.size()));
    facts.emplace_back("normals", mesh.normals.empty() ? "no" : "yes");
    facts.emplace_back("colours", mesh.colours.empty() ? "no" : "yes");
    glm::vec3 low = mesh.vertices.front();
    glm::vec3 high = low;
    for (const glm::vec3& vertex : mesh.vertices) {
        low = glm::min(low, vertex);
        high = glm::max(high, vertex);
    }
    facts.emplace_back("box", fmt::format("({:.4f}, {:.4f}, {:.4f}) to ({:.4f}, {:.4f}, {:.4f})",
                                          low.x, low.y, low.z, high.x, high.y, high.z));
    facts.emplace_back("space", guessSpace(mesh.vertices) == MeshSpace::view
                                    ? "a view's camera space (detected)"
                                    : "world space (detected)");
    for (const auto& [what, count] : mesh.ignored)
        facts.emplace_back("ignored", fmt::format("{} {}", count, what));
    return description;
}

}  // namespace threefold
