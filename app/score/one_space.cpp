#include "app/score/one_space.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/sample/sample_name.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

/// Box of points in their file's space.
Box3d boxOf(std::span<const glm::vec3> points, const glm::dvec3& origin) {
    const Box3f box = boundsOf(points);
    return {origin + glm::dvec3(box.min), origin + glm::dvec3(box.max)};
}

bool touch(const Box3d& a, const Box3d& b) {
    return glm::all(glm::lessThanEqual(a.min, b.max)) && glm::all(glm::lessThanEqual(b.min, a.max));
}

const char* spaceName(MeshSpace space) {
    return space == MeshSpace::camera ? "a view's" : "the world's";
}

std::string spaceWarning(const LoadedMesh& mesh, const GroundTruth& truth, bool spacesGiven) {
    const MeshSpace ofMesh = detectSpace(mesh.vertices, mesh.origin);
    const MeshSpace ofTruth = detectSpace(truth.points, truth.origin);
    if (!spacesGiven && ofMesh != ofTruth)
        return fmt::format(
            "{} seems to be in {} space, but {} in {} space: if so, the numbers are meaningless. "
            "Name --space, --truth-space and --cameras.",
            mesh.source.string(), spaceName(ofMesh), truth.source.string(), spaceName(ofTruth));
    const Box3f box = boundsOf(mesh.vertices);
    const Box3f truthBox = boundsOf(truth.points);
    const auto diagonal = [](const Box3f& each) {
        return glm::distance(glm::dvec3(each.min), glm::dvec3(each.max));
    };
    if (suspiciousSizeRatio(mesh.vertices, truth.points))
        return fmt::format(
            "{} is {:.3g} units across, {} {:.3g}: are both in the same unit? Scale one of them.",
            mesh.source.string(), diagonal(box), truth.source.string(), diagonal(truthBox));
    // The box of a surface is that of its vertices: sampled points do not reach the box's sides.
    const Points& corners = truth.surface.faces.empty() ? truth.points : truth.surface.vertices;
    if (!touch(boxOf(mesh.vertices, mesh.origin), boxOf(corners, truth.origin)))
        return fmt::format("{} and {} do not overlap. Check that both are in the same space.",
                           mesh.source.string(), truth.source.string());
    return {};
}

/// Warning for two files in a view's space if the truth's name ends with another view than the one
/// that the options give: the files are then assumed to be in the same space. Empty: no warning.
std::string viewWarning(const SpaceOptions& options, const LoadedMesh& mesh,
                        const GroundTruth& truth) {
    const auto name = parseTruthName(truth.source.filename());
    if (options.cameras.empty() || !name || static_cast<std::size_t>(name->view) == options.view)
        return {};
    return fmt::format(
        "{} is taken to be in the space of {}, whose name ends with view {}, not {}. If it is in "
        "the space of view {}, the numbers are meaningless: bring it into the world's space.",
        mesh.source.string(), truth.source.string(), name->view, options.view, options.view);
}

Camera viewCamera(const SpaceOptions& options) {
    if (options.cameras.empty())
        throw UsageError({"--cameras", "", "is not given, and the two spaces differ",
                          "Name the sample's rendering_metadata.txt."});
    if (lowered(options.cameras.extension().string()) == ".json")
        throw UsageError({"--cameras", options.cameras.string(), "is no rendering_metadata.txt",
                          "Name the sample's rendering_metadata.txt: --view is a row of it."});
    const std::vector<CameraRow> rows = readRenderingMetadata(options.cameras);
    if (options.view >= rows.size())
        throw InputError({options.cameras.string(), fmt::format("view {}", options.view),
                          fmt::format("is not there: the file has {} rows", rows.size()),
                          "Count from 0."});
    return Camera::fromRow(rows[options.view]);
}

void intoView(const Camera& camera, glm::dvec3 origin, Points& points) {
    for (glm::vec3& point : points) point = glm::vec3(camera.toCamera(origin + glm::dvec3(point)));
}

void intoView(const Camera& camera, glm::dvec3 origin, Points& points, Points& normals) {
    intoView(camera, origin, points);
    for (glm::vec3& normal : normals) normal = glm::vec3(camera.rotation * glm::dvec3(normal));
}

}  // namespace

std::string intoOneSpace(const SpaceOptions& options, LoadedMesh& mesh, GroundTruth& truth) {
    // If only one of the two spaces is given, the other one is detected.
    const auto resolveSpace = [](std::optional<MeshSpace> space, std::span<const glm::vec3> points,
                                 glm::dvec3 origin) {
        return space ? *space : detectSpace(points, origin);
    };
    const bool given = options.mesh || options.truth;
    if (!given && !options.cameras.empty())
        throw UsageError({"--cameras", options.cameras.string(),
                          "is given, but neither --space nor --truth-space",
                          "Add --space world or --truth-space world, whichever file is in it."});
    const MeshSpace space = resolveSpace(options.mesh, mesh.vertices, mesh.origin);
    const MeshSpace ofTruth = resolveSpace(options.truth, truth.points, truth.origin);
    if (given && space != ofTruth) {
        const Camera camera = viewCamera(options);
        if (space == MeshSpace::world) {
            intoView(camera, std::exchange(mesh.origin, {}), mesh.vertices, mesh.normals);
        } else {
            intoView(camera, truth.origin, truth.surface.vertices);
            intoView(camera, std::exchange(truth.origin, {}), truth.points, truth.normals);
        }
    }
    std::string warning;
    if (space == MeshSpace::camera && ofTruth == MeshSpace::camera)
        warning = viewWarning(options, mesh, truth);
    if (warning.empty()) warning = spaceWarning(mesh, truth, given);
    // The mesh moves, so that the truth's points keep their full precision.
    moveOrigin(mesh, truth.origin);
    return warning;
}

}  // namespace threefold
