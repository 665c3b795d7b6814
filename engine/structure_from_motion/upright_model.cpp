#include "engine/structure_from_motion/upright_model.h"

#include <cmath>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/order_statistics.h"
#include "engine/sample/posed_photos/object_frame.h"

namespace threefold::structure_from_motion {
namespace {

namespace fs = std::filesystem;

/// Upper median of the points' positions, in each coordinate.
glm::dvec3 medianPoint(const SparseModel& model) {
    glm::dvec3 median(0.0);
    if (model.points.empty()) return median;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> values;
        for (const SparsePoint& point : model.points) values.push_back(point.position[axis]);
        median[axis] = upperMedian(std::move(values));
    }
    return median;
}

/// Centre of the object that the cameras look at, and the upward direction.
ObjectPlacement placementOf(const SparseModel& model, const fs::path& folder) {
    std::vector<Photo> photos;
    for (const RegisteredImage& camera : model.images)
        photos.push_back(
            {.name = {}, .image = {}, .mask = {}, .pose = camera.pose, .lens = camera.lens});
    try {
        return placeObject(photos, {}, {}, folder).placement;
    } catch (const InputError&) {
        // Cameras that face the same way, or outwards, have no common point, although they are
        // right.
        try {
            return placeObject(photos, {}, {.centre = medianPoint(model), .size = {}, .up = {}},
                               folder)
                .placement;
        } catch (const InputError& error) {
            throw InputError({folder.string(), "", error.report().problem,
                              "Take the photographs from several places, the camera held level."});
        }
    }
}

/// Rotation of the world that maps `up` to z and the horizontal part of `ahead` to x.
glm::dmat3 uprightRotation(glm::dvec3 up, glm::dvec3 ahead) {
    const glm::dvec3 z = glm::normalize(up);
    glm::dvec3 x = ahead - glm::dot(ahead, z) * z;
    constexpr double kAbove = 1e-6;  // a camera straight above has no direction along the ground
    if (glm::length(x) < kAbove * glm::length(ahead))
        x = std::abs(z.x) < 0.5 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    x = glm::normalize(x - glm::dot(x, z) * z);
    return glm::transpose(glm::dmat3(x, glm::cross(z, x), z));
}

/// Moves cameras and points by p → scale · rotation · (p − centre).
void transformModel(SparseModel& model, const glm::dmat3& rotation, glm::dvec3 centre,
                    double scale) {
    for (RegisteredImage& camera : model.images) {
        camera.pose.centre = scale * (rotation * (camera.pose.centre - centre));
        camera.pose.rotation = camera.pose.rotation * glm::transpose(rotation);
    }
    for (SparsePoint& point : model.points)
        point.position = scale * (rotation * (point.position - centre));
}

}  // namespace

UprightObject makeUpright(SparseModel& model, double meanCameraDistance, const fs::path& folder) {
    const ObjectPlacement placement = placementOf(model, folder);
    const glm::dvec3 ahead = model.images.front().pose.centre - *placement.centre;
    transformModel(model, uprightRotation(*placement.up, ahead), *placement.centre, 1);
    UprightObject result{sparseObject(model, glm::dvec3(0.0))};
    std::optional<SparseObject>& object = result.object;
    if (object && object->support) {
        result.supportPointCount = object->support->pointCount;
        transformModel(model,
                       uprightRotation(object->support->normal, model.images.front().pose.centre),
                       glm::dvec3(0.0), 1);
        // The plane may no longer be found, if its points are near the limits: the count of the
        // first search is then kept.
        object = sparseObject(model, glm::dvec3(0.0));
        if (object && object->support) result.supportPointCount = object->support->pointCount;
    }
    const glm::dvec3 centre = object ? object->box.centre() : glm::dvec3(0.0);
    const double scale = meanCameraDistance / model.meanCameraDistance(centre);
    const glm::dvec3 origin(centre.x, centre.y, object ? object->box.min.z : 0.0);
    transformModel(model, glm::dmat3(1.0), origin, scale);
    if (object)
        object->box = {scale * (object->box.min - origin), scale * (object->box.max - origin)};
    return result;
}

}  // namespace threefold::structure_from_motion
