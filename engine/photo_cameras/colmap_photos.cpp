#include "engine/photo_cameras/colmap_photos.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/json_text.h"
#include "engine/photo_cameras/cameras_json.h"
#include "engine/photo_cameras/photo_masks.h"
#include "engine/profile/stopwatch.h"
#include "engine/silhouettes/object_box.h"
#include "engine/structure_from_motion/colmap.h"
#include "engine/structure_from_motion/upright_model.h"

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
struct ColmapInputs {
    std::vector<sfm::ColmapInput> photos;
    std::vector<std::size_t> indices;  ///< of each of `photos` among all
};

ColmapInputs colmapInputsOf(std::vector<ColmapPhoto>& photographs) {
    ColmapInputs inputs;
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        try {
            const fs::path& file = photographs[i].file;
            requireNameInJson(file);
            sfm::ColmapInput photo{file, readImageInfo(file), {}};
            if (photo.info.exif.focalLength35mm)
                photo.focal = focalLengthPixels(photo.info.stored, photo.info.exif.focalLength35mm);
            inputs.photos.push_back(std::move(photo));
            inputs.indices.push_back(i);
        } catch (const Error& error) {
            photographs[i].problem = error.what();
        }
    }
    return inputs;
}

/// Masks of the registered photographs. Notes warnings and errors in `result`.
std::vector<std::optional<Mask>> masksOf(ColmapCamerasResult& result, const sfm::SparseModel& model,
                                         const ColmapCamerasOptions& options,
                                         const std::stop_token& cancel) {
    std::vector<CameraPhoto*> registered;
    for (const sfm::RegisteredImage& camera : model.images)
        registered.push_back(&result.photos[camera.photograph]);
    return makeAndReadMasks(registered, options.makesMasks, nullptr, options.callbacks, cancel);
}

/// Bounds the object by the masks, unless they contradict the points that COLMAP found: these then
/// decide, and `result` notes the warning.
void boundObject(ColmapCamerasResult& result, const sfm::SparseModel& model,
                 const std::optional<sfm::SparseObject>& sparse,
                 std::vector<std::optional<Mask>> masks, const std::stop_token& cancel) {
    constexpr std::size_t kMinMasks = 3;
    constexpr double kMaxRatio = 1.7, kMaxShift = 0.25;
    if (sparse) result.objectBox = sparse->box;
    const std::vector<PosedMask> views = posedMasks(model.images, std::move(masks));
    if (views.size() < kMinMasks) return;
    const std::optional<Box3d> byMasks = objectBox(views, sparse && sparse->hasSupport, cancel);
    if (!result.objectBox) {
        result.objectBox = byMasks;
        return;
    }
    const Box3d& byPoints = *result.objectBox;
    const double ratio = byMasks ? byMasks->diagonal() / byPoints.diagonal() : 0;
    const bool agree = byMasks && ratio < kMaxRatio && ratio > 1 / kMaxRatio &&
                       glm::length(byMasks->centre() - byPoints.centre()) <
                           kMaxShift * std::max(byMasks->diagonal(), byPoints.diagonal());
    if (agree)
        result.objectBox = byMasks;
    else
        result.warning = fmt::format(
            "{}: the masks and the cameras' common points show different objects: look at the "
            "masks, or give the object's place and size (`object_centre`, `object_size`).",
            result.cameraFile.string());
}

void writeColmapCameras(const ColmapCamerasResult& result, const sfm::SparseModel& model,
                        double distance) {
    const Json details = {{"camera_distance", distance},
                          {"up_from", result.upSource()},
                          {"reprojection_error_px", result.reprojectionError}};
    Json views = jsonArray(model.images, [&](const sfm::RegisteredImage& camera) {
        Json view = viewJson(result.photos[camera.photograph].file, camera.pose, camera.lens);
        view["points"] = camera.pointCount;
        return view;
    });
    writeCameras(result, kColmapMaker, details, std::move(views));
}

std::string whyNotRegistered(const ColmapPhoto& photo) {
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
    for (const ColmapPhoto& photo : result.photos) callbacks.reportProblem(photo.problem);
    return InputError(
        {result.cameraFile.parent_path().string(), "", std::move(problem), std::move(remedy)});
}

/// Runs COLMAP on the readable photographs of `result`, and notes in each photograph what COLMAP
/// found. Cameras of the model have indices into ColmapCamerasResult::photos. Throws InputError:
/// fewer than two photographs can be read, or get a camera.
sfm::SparseModel registeredModel(ColmapCamerasResult& result, const fs::path& program,
                                 const ColmapCamerasOptions& options,
                                 const std::stop_token& cancel) {
    const ColmapInputs inputs = colmapInputsOf(result.photos);
    if (inputs.photos.size() < 2)
        throw reportedError(
            result, options.callbacks,
            fmt::format("only {} of {} photographs can be read, at least two are needed",
                        inputs.photos.size(), result.photos.size()),
            "Add photographs.");
    sfm::ColmapResult found = sfm::runColmap(
        inputs.photos,
        {program, options.scratchFolder, result.cameraFile.parent_path() / "colmap.log",
         options.callbacks.onProgress},
        cancel);
    for (std::size_t i = 0; i < inputs.indices.size(); ++i)
        result.photos[inputs.indices[i]].featureCount = found.featureCounts[i];
    std::vector<bool> isRegistered(result.photos.size(), false);
    for (sfm::RegisteredImage& camera : found.largestModel.images) {
        camera.photograph = inputs.indices[camera.photograph];
        result.photos[camera.photograph].pointCount = camera.pointCount;
        isRegistered[camera.photograph] = true;
    }
    for (std::size_t i = 0; i < result.photos.size(); ++i)
        if (ColmapPhoto& photo = result.photos[i]; photo.problem.empty() && !isRegistered[i])
            photo.problem = whyNotRegistered(photo);
    result.registeredCount = found.largestModel.images.size();
    if (result.registeredCount < 2)
        throw reportedError(
            result, options.callbacks,
            fmt::format("no cameras were found: COLMAP registered {} of {} photographs",
                        result.registeredCount == 0 ? "none" : "only one", result.photos.size()),
            kNotRegisteredRemedy);
    result.pointCount = found.largestModel.points.size();
    result.reprojectionError = found.largestModel.meanReprojectionError();
    return std::move(found.largestModel);
}

}  // namespace

bool colmapIsInstalled() {
    return !sfm::colmapProgram().empty();
}

ColmapCamerasResult findColmapCameras(std::span<const fs::path> photographs,
                                      const ColmapCamerasOptions& options,
                                      const std::stop_token& cancel) {
    const Stopwatch watch;
    ColmapCamerasResult result;
    const fs::path program = sfm::colmapProgram();
    if (program.empty())
        throw InputError({"COLMAP", "", "is not installed, and finds cameras without a board",
                          "Install it (Debian: apt install colmap), or take the photographs on the "
                          "printed board or a turntable (docs/PHOTOGRAPHS.md)."});
    result.cameraFile = cameraFileFor(photographs, kColmapMaker, options.overwrite);
    result.photos = sortedByName<ColmapPhoto>(photographs);
    sfm::SparseModel model = registeredModel(result, program, options, cancel);
    const sfm::UprightObject upright =
        sfm::makeUpright(model, options.meanCameraDistance, result.cameraFile.parent_path());
    result.supportPointCount = upright.supportPointCount;
    boundObject(result, model, upright.object, masksOf(result, model, options, cancel), cancel);
    writeColmapCameras(result, model, options.meanCameraDistance);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
