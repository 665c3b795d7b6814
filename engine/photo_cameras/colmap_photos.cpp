#include "engine/photo_cameras/colmap_photos.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/json_text.h"
#include "engine/order_statistics.h"
#include "engine/photo_cameras/cameras_json.h"
#include "engine/photo_cameras/photo_masks.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/posed_photos/object_frame.h"
#include "engine/silhouettes/object_box.h"
#include "engine/structure_from_motion/colmap.h"
#include "engine/structure_from_motion/sparse_object.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
namespace sfm = structure_from_motion;
using Json = nlohmann::ordered_json;

constexpr const char* kColmapMaker = "threefold cameras";
constexpr const char* kNotRegisteredRemedy =
    "Take more photographs in between, 10° to 20° apart, of an object with texture, or on a "
    "patterned ground; or use the board or a turntable (docs/PHOTOGRAPHS.md).";

/// Photographs that COLMAP can be shown; the others get their problem.
struct Readable {
    std::vector<sfm::ColmapInput> photos;
    std::vector<std::size_t> indices;  ///< of each of `photos` among all
};

Readable readableOf(std::vector<ColmapPhotograph>& photographs) {
    Readable readable;
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        try {
            const fs::path& file = photographs[i].file;
            requireNameInJson(file);
            sfm::ColmapInput photo{file, readImageInfo(file), {}};
            if (photo.info.exif.focalLength35mm)
                photo.focal = focalLengthPixels(photo.info.stored, photo.info.exif.focalLength35mm);
            readable.photos.push_back(std::move(photo));
            readable.indices.push_back(i);
        } catch (const Error& error) {
            photographs[i].problem = error.what();
        }
    }
    return readable;
}

/// Middle of the points, in each coordinate.
glm::dvec3 medianPoint(const sfm::SparseModel& model) {
    glm::dvec3 median(0.0);
    if (model.points.empty()) return median;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> values;
        for (const sfm::SparsePoint& point : model.points) values.push_back(point.position[axis]);
        median[axis] = upperMedian(std::move(values));
    }
    return median;
}

/// Centre of the object that the cameras look at, and the upward direction.
ObjectPlacement placementOf(const sfm::SparseModel& model, const fs::path& folder) {
    std::vector<Photo> photos;
    for (const sfm::RegisteredPhotograph& camera : model.cameras)
        photos.push_back(
            {.name = {}, .image = {}, .mask = {}, .pose = camera.pose, .lens = camera.lens});
    try {
        return placeObject(photos, {}, folder).placement;
    } catch (const InputError&) {
        // Cameras that face the same way, or outwards, have no common point, although they are
        // right.
        try {
            return placeObject(photos, {.centre = medianPoint(model), .size = {}, .up = {}}, folder)
                .placement;
        } catch (const InputError& error) {
            throw InputError({folder.string(), "", error.report().problem,
                              "Take the photographs from several places, the camera held level."});
        }
    }
}

/// Rotation of the world such that `up` becomes z, and `ahead` lies over x.
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
void moveModel(sfm::SparseModel& model, const glm::dmat3& rotation, glm::dvec3 centre,
               double scale) {
    for (sfm::RegisteredPhotograph& camera : model.cameras) {
        camera.pose.centre = scale * (rotation * (camera.pose.centre - centre));
        camera.pose.rotation = camera.pose.rotation * glm::transpose(rotation);
    }
    for (sfm::SparsePoint& point : model.points)
        point.position = scale * (rotation * (point.position - centre));
}

/// Object of a model whose world is upright.
struct UprightObject {
    std::optional<sfm::SparseObject> object;
    std::size_t tablePointCount = 0;  ///< as ColmapCamerasResult::tablePointCount
};

/// Puts the world upright around the object: by the cameras, then by the plane that the object
/// stands on, if there is one. After that rotation the plane may no longer be found, if its points
/// are near the limits: the count of the first search is then kept.
UprightObject makeUpright(sfm::SparseModel& model, double distance, const fs::path& folder) {
    const ObjectPlacement placement = placementOf(model, folder);
    const glm::dvec3 ahead = model.cameras.front().pose.centre - *placement.centre;
    moveModel(model, uprightRotation(*placement.up, ahead), *placement.centre, 1);
    UprightObject result{sfm::sparseObject(model, glm::dvec3(0.0))};
    std::optional<sfm::SparseObject>& object = result.object;
    if (object && object->stands) {
        result.tablePointCount = object->planePointCount;
        moveModel(model, uprightRotation(object->up, model.cameras.front().pose.centre),
                  glm::dvec3(0.0), 1);
        object = sfm::sparseObject(model, glm::dvec3(0.0));
        if (object && object->stands) result.tablePointCount = object->planePointCount;
    }
    const glm::dvec3 centre = object ? object->box.centre() : glm::dvec3(0.0);
    const double scale = distance / model.meanCameraDistance(centre);
    const glm::dvec3 origin(centre.x, centre.y, object ? object->box.min.z : 0.0);
    moveModel(model, glm::dmat3(1.0), origin, scale);
    if (object)
        object->box = {scale * (object->box.min - origin), scale * (object->box.max - origin)};
    return result;
}

/// Masks of the registered photographs. Notes warnings and errors in `result`.
std::vector<std::optional<Mask>> masksOf(ColmapCamerasResult& result, const sfm::SparseModel& model,
                                         const ColmapCamerasOptions& options,
                                         const std::stop_token& cancel) {
    std::vector<CameraPhotograph*> registered;
    for (const sfm::RegisteredPhotograph& camera : model.cameras)
        registered.push_back(&result.photos[camera.photograph]);
    return masksOfPhotographs(registered, options.cutOut, nullptr, options.callbacks, cancel);
}

/// Bounds the object by the masks, unless they contradict the points that COLMAP found: these then
/// decide, and `result` notes the warning.
void boundObject(ColmapCamerasResult& result, const sfm::SparseModel& model,
                 const std::optional<sfm::SparseObject>& sparse,
                 std::vector<std::optional<Mask>> masks, const std::stop_token& cancel) {
    constexpr std::size_t kMinMasks = 3;
    constexpr double kMaxRatio = 1.7, kMaxShift = 0.25;
    if (sparse) result.object = sparse->box;
    const std::vector<CalibratedMask> views = calibratedMasks(model.cameras, std::move(masks));
    if (views.size() < kMinMasks) return;
    const std::optional<Box3d> byMasks = objectBox(views, sparse && sparse->stands, cancel);
    if (!result.object) {
        result.object = byMasks;
        return;
    }
    const Box3d& byPoints = *result.object;
    const double ratio = byMasks ? byMasks->diagonal() / byPoints.diagonal() : 0;
    const bool agree = byMasks && ratio < kMaxRatio && ratio > 1 / kMaxRatio &&
                       glm::length(byMasks->centre() - byPoints.centre()) <
                           kMaxShift * std::max(byMasks->diagonal(), byPoints.diagonal());
    if (agree)
        result.object = byMasks;
    else
        result.warning = fmt::format(
            "{}: the masks and the cameras' common points show different objects: look at the "
            "masks, or give the object's place and size (`object_centre`, `object_size`).",
            result.file.string());
}

void writeColmapCameras(const ColmapCamerasResult& result, const sfm::SparseModel& model,
                        double distance) {
    const Json details = {{"camera_distance", distance},
                          {"up_from", result.upSource()},
                          {"reprojection_error_px", result.reprojectionError}};
    Json views = jsonArray(model.cameras, [&](const sfm::RegisteredPhotograph& camera) {
        Json view = cameraView(result.photos[camera.photograph].file, camera.pose, camera.lens);
        view["points"] = camera.pointCount;
        return view;
    });
    writeCameras(result, kColmapMaker, details, std::move(views));
}

std::string whyNotRegistered(const ColmapPhotograph& photo) {
    constexpr std::size_t kMinFeatures = 200;
    if (photo.featureCount < kMinFeatures)
        return fmt::format(
            "{}: has no camera: {} features were found in it; it shows too little "
            "texture, or is out of focus.",
            photo.file.string(), photo.featureCount);
    return fmt::format(
        "{}: has no camera: too few of its {} features are in other photographs; "
        "take more in between, 10° to 20° apart.",
        photo.file.string(), photo.featureCount);
}

/// Reports the problem of each photograph, and returns an error for their folder.
InputError reportedError(const ColmapCamerasResult& result, const ProgressCallbacks& callbacks,
                         std::string problem, std::string remedy) {
    for (const ColmapPhotograph& photo : result.photos) callbacks.reportProblem(photo.problem);
    return InputError(
        {result.file.parent_path().string(), "", std::move(problem), std::move(remedy)});
}

/// Runs COLMAP on the readable photographs of `result`, and notes in each photograph what COLMAP
/// found. Cameras of the model have indices into ColmapCamerasResult::photos. Throws InputError:
/// fewer than two photographs can be read, or get a camera.
sfm::SparseModel registeredModel(ColmapCamerasResult& result, const fs::path& program,
                                 const ColmapCamerasOptions& options,
                                 const std::stop_token& cancel) {
    const Readable readable = readableOf(result.photos);
    if (readable.photos.size() < 2)
        throw reportedError(
            result, options.callbacks,
            fmt::format("only {} of {} photographs can be read, at least two are needed",
                        readable.photos.size(), result.photos.size()),
            "Add photographs.");
    sfm::ColmapResult found =
        sfm::runColmap(readable.photos,
                       {program, options.scratchFolder, result.file.parent_path() / "colmap.log",
                        options.callbacks.onProgress},
                       cancel);
    for (std::size_t i = 0; i < readable.indices.size(); ++i)
        result.photos[readable.indices[i]].featureCount = found.featureCounts[i];
    std::vector<bool> isRegistered(result.photos.size(), false);
    for (sfm::RegisteredPhotograph& camera : found.model.cameras) {
        camera.photograph = readable.indices[camera.photograph];
        result.photos[camera.photograph].pointCount = camera.pointCount;
        isRegistered[camera.photograph] = true;
    }
    for (std::size_t i = 0; i < result.photos.size(); ++i)
        if (ColmapPhotograph& photo = result.photos[i]; photo.problem.empty() && !isRegistered[i])
            photo.problem = whyNotRegistered(photo);
    result.registeredCount = found.model.cameras.size();
    if (result.registeredCount < 2)
        throw reportedError(
            result, options.callbacks,
            fmt::format("no cameras were found: COLMAP registered {} of {} photographs",
                        result.registeredCount == 0 ? "none" : "only one", result.photos.size()),
            kNotRegisteredRemedy);
    result.pointCount = found.model.points.size();
    result.reprojectionError = found.model.meanReprojectionError();
    return std::move(found.model);
}

}  // namespace

bool colmapIsInstalled() {
    return !sfm::colmapProgram().empty();
}

ColmapCamerasResult findColmapCameras(std::span<const fs::path> photographs,
                                      const ColmapCamerasOptions& options,
                                      const std::stop_token& cancel) {
    const Stopwatch time;
    ColmapCamerasResult result;
    const fs::path program = sfm::colmapProgram();
    if (program.empty())
        throw InputError({"COLMAP", "", "is not installed, and finds cameras without a board",
                          "Install it (Debian: apt install colmap), or take the photographs on the "
                          "printed board or a turntable (docs/PHOTOGRAPHS.md)."});
    result.file = camerasFileFor(photographs, kColmapMaker, options.overwrite);
    result.photos = sortedByName<ColmapPhotograph>(photographs);
    sfm::SparseModel model = registeredModel(result, program, options, cancel);
    const UprightObject upright = makeUpright(model, options.distance, result.file.parent_path());
    result.tablePointCount = upright.tablePointCount;
    boundObject(result, model, upright.object, masksOf(result, model, options, cancel), cancel);
    writeColmapCameras(result, model, options.distance);
    result.milliseconds = time.milliseconds();
    return result;
}

}  // namespace threefold
