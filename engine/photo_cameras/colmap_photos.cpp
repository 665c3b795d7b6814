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
#include "engine/silhouettes/object_box.h"
#include "engine/structure_from_motion/colmap.h"
#include "engine/structure_from_motion/upright_model.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
namespace sfm = structure_from_motion;
using Json = nlohmann::ordered_json;

constexpr const char* kNotRegisteredRemedy =
    "Take more photographs in between, 10° to 20° apart, of an object with texture, or on a "
    "patterned ground; or use the board or a turntable (docs/PHOTOGRAPHS.md).";

/// Input of COLMAP: the photographs that can be read.
struct ColmapInputs {
    std::vector<sfm::ColmapInput> photos;
    std::vector<std::size_t> indices;  ///< index of each of `photos` among all photographs
};

/// Makes COLMAP's input, and sets `problem` of the photographs that cannot be read.
ColmapInputs colmapInputsOf(std::vector<ColmapPhoto>& photographs,
                            std::span<const std::optional<Mask>> featureMasks) {
    ColmapInputs inputs;
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        try {
            const fs::path& file = photographs[i].file;
            requireNameInJson(file);
            sfm::ColmapInput photo{file, readImageInfo(file), {}};
            if (photo.info.exif.focalLength35mm)
                photo.focal = focalLengthPixels(photo.info.stored, photo.info.exif.focalLength35mm);
            if (!featureMasks.empty()) photo.mask = featureMasks[i];
            inputs.photos.push_back(std::move(photo));
            inputs.indices.push_back(i);
        } catch (const Error& error) {
            photographs[i].problem = error.what();
        }
    }
    return inputs;
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
        "take more photographs in between, 10° to 20° apart.",
        photo.file.string(), photo.featureCount);
}

/// Reports the problem of each photograph, and returns an error for their folder.
InputError reportedError(const ColmapCamerasResult& result, const ProgressCallbacks& callbacks,
                         std::string problem, std::string remedy) {
    for (const ColmapPhoto& photo : result.photos) callbacks.reportProblem(photo.problem);
    return InputError(
        {result.cameraFile.parent_path().string(), "", std::move(problem), std::move(remedy)});
}

/// Runs COLMAP on the readable photographs of `result`, and records in each photograph what COLMAP
/// found. In the returned model, RegisteredImage::photograph is an index into
/// ColmapCamerasResult::photos. Throws InputError if fewer than two photographs can be read or get
/// a camera.
sfm::SparseModel registeredModel(ColmapCamerasResult& result, const fs::path& program,
                                 std::span<const std::optional<Mask>> featureMasks,
                                 const ColmapCamerasOptions& options,
                                 const std::stop_token& cancel) {
    const ColmapInputs inputs = colmapInputsOf(result.photos, featureMasks);
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

ColmapCamerasResult searchByColmap(const fs::path& file, std::span<const fs::path> photographs,
                                   std::span<const std::optional<Mask>> featureMasks,
                                   const ColmapCamerasOptions& options,
                                   const std::stop_token& cancel) {
    const fs::path program = sfm::colmapProgram();
    if (program.empty())
        throw InputError({"COLMAP", "",
                          "is not installed, but is needed to find cameras without a board",
                          "Install it (Debian: apt install colmap), or take the photographs on the "
                          "printed board or a turntable (docs/PHOTOGRAPHS.md)."});
    ColmapCamerasResult result;
    result.cameraFile = file;
    result.photos = sortedByName<ColmapPhoto>(photographs);
    result.model = registeredModel(result, program, featureMasks, options, cancel);
    sfm::UprightObject upright =
        sfm::makeUpright(result.model, options.meanCameraDistance, file.parent_path());
    result.supportPointCount = upright.supportPointCount;
    result.sparseObject = std::move(upright.object);
    return result;
}

void boundObject(ColmapCamerasResult& result, std::span<const std::optional<Mask>> masks,
                 const std::stop_token& cancel) {
    constexpr std::size_t kMinMasks = 3;
    constexpr double kMaxRatio = 1.7, kMaxShift = 0.25;
    const std::optional<sfm::SparseObject>& sparse = result.sparseObject;
    if (sparse) result.objectBox = sparse->box;
    std::vector<PosedMask> views;
    for (const sfm::RegisteredImage& camera : result.model.images)
        if (const std::optional<Mask>& mask = masks[camera.photograph])
            views.push_back({camera.pose, camera.lens, *mask});
    if (views.size() < kMinMasks) return;
    const std::optional<Box3d> byMasks = objectBox(views, sparse && sparse->support, cancel);
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
            "{}: the object's box by the masks contradicts the one by COLMAP's points: look at "
            "the masks, or give the object's place and size (`object_centre`, `object_size`).",
            result.cameraFile.string());
}

void writeColmapCameras(const ColmapCamerasResult& result, const std::string& maker,
                        CameraMethod method, double meanCameraDistance) {
    const Json details = {{"method", nameOf(method)},
                          {"camera_distance", meanCameraDistance},
                          {"up_from", result.upSource()},
                          {"reprojection_error_px", result.reprojectionError}};
    Json views = jsonArray(result.model.images, [&](const sfm::RegisteredImage& camera) {
        Json view = viewJson(result.photos[camera.photograph].file, camera.pose, camera.lens);
        view["points"] = camera.pointCount;
        return view;
    });
    writeCameras(result, maker, details, std::move(views));
}

}  // namespace threefold
