#include "app/score/spaces.h"

#include <algorithm>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/views/camera.h"
#include "engine/views/rendering_metadata.h"

namespace threefold {
namespace {

struct Box {
    explicit Box(std::span<const glm::vec3> points) : low(points.front()), high(low) {
        for (const glm::vec3& point : points) {
            low = glm::min(low, point);
            high = glm::max(high, point);
        }
    }
    double diagonal() const { return glm::length(glm::dvec3(high) - glm::dvec3(low)); }
    bool touches(const Box& other) const {
        for (int axis = 0; axis < 3; ++axis) {
            if (low[axis] > other.high[axis] || other.low[axis] > high[axis]) return false;
        }
        return true;
    }

    glm::vec3 low;
    glm::vec3 high;
};

const char* spaceName(MeshSpace space) {
    return space == MeshSpace::view ? "a view's" : "the world's";
}

std::string suspicion(const MeshFile& mesh, const GroundTruth& truth, bool spacesGiven) {
    const MeshSpace of = guessSpace(mesh.vertices);
    const MeshSpace ofTruth = guessSpace(truth.points);
    if (!spacesGiven && of != ofTruth) {
        return fmt::format(
            "{} lies as if in {} space, {} as if in {}: the numbers mean nothing if so. Name "
            "--space, --truth-space and --cameras.",
            mesh.source.string(), spaceName(of), truth.source.string(), spaceName(ofTruth));
    }
    const Box box(mesh.vertices);
    const Box truthBox(truth.points);
    constexpr double kOtherUnit = 5;
    const double smaller = std::min(box.diagonal(), truthBox.diagonal());
    const double larger = std::max(box.diagonal(), truthBox.diagonal());
    if (smaller > 0 && larger > kOtherUnit * smaller) {
        return fmt::format(
            "{} is {:.3g} units across, {} {:.3g}: are both in the same unit? Scale one of them.",
            mesh.source.string(), box.diagonal(), truth.source.string(), truthBox.diagonal());
    }
    if (!box.touches(truthBox)) {
        return fmt::format("{} and {} do not overlap anywhere: are both in the same space?",
                           mesh.source.string(), truth.source.string());
    }
    return {};
}

Camera cameraOf(const SpaceOptions& options) {
    if (options.cameras.empty()) {
        throw UsageError({"--cameras", "", "is not given, and the two spaces differ",
                          "Name the item's rendering_metadata.txt."});
    }
    const std::vector<CameraRow> rows = readRenderingMetadata(options.cameras);
    if (options.view >= rows.size()) {
        throw InputError({options.cameras.string(), fmt::format("view {}", options.view),
                          fmt::format("is not there: the file has {} rows", rows.size()),
                          "Count from 0."});
    }
    return Camera::fromRow(rows[options.view]);
}

void intoView(const Camera& camera, Points& points, Points& normals) {
    for (glm::vec3& point : points) point = glm::vec3(camera.toView(glm::dvec3(point)));
    for (glm::vec3& normal : normals) {
        normal = glm::vec3(camera.rotation * glm::dvec3(normal));
    }
}

}  // namespace

std::string intoOneSpace(const SpaceOptions& options, MeshFile& mesh, GroundTruth& truth) {
    // Where only one is given, the other is detected.
    const auto spaceOf = [](const std::string& said, std::span<const glm::vec3> points) {
        return said.empty() ? guessSpace(points)
                            : (said == "view" ? MeshSpace::view : MeshSpace::world);
    };
    const bool given = !options.mesh.empty() || !options.truth.empty();
    const MeshSpace space = spaceOf(options.mesh, mesh.vertices);
    if (given && space != spaceOf(options.truth, truth.points)) {
        const Camera camera = cameraOf(options);
        if (space == MeshSpace::world) {
            intoView(camera, mesh.vertices, mesh.normals);
        } else {
            intoView(camera, truth.points, truth.normals);
        }
    }
    return suspicion(mesh, truth, given);
}

}  // namespace threefold
