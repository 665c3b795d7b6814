#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/camera_matrices.h"
#include "engine/sample/posed_photos/cameras_json_fields.h"
#include "engine/sample/posed_photos/json_camera_values.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"
#include "engine/text.h"
#include "engine/utf8.h"

// transforms.json of NeRF, instant-ngp and nerfstudio: one matrix per frame, camera to world,
// OpenGL axes. Intrinsics are at the top or in the frame, which takes precedence.
// cameras.json: 4×4 matrices, 3×3 intrinsics and the names of their conventions; docs/OWN_DATA.md.

namespace threefold {
namespace {

void refuseOtherLenses(const PerViewValues& values) {
    constexpr const char* kUndistort =
        "Undistort the photographs first, for instance with colmap image_undistorter.";
    constexpr std::array<std::string_view, 5> kKnown = {"PINHOLE", "SIMPLE_PINHOLE", "OPENCV",
                                                        "SIMPLE_RADIAL", "RADIAL"};
    if (values.has("camera_model")) {
        const JsonObject& holder = values.objectWith("camera_model");
        const std::string model = holder.text("camera_model");
        if (std::ranges::find(kKnown, model) == kKnown.end())
            holder.fail("camera_model",
                        fmt::format("the lens model '{}' cannot be undistorted; supported are {}",
                                    textPrefix(model, 40),
                                    "PINHOLE, SIMPLE_PINHOLE, OPENCV, SIMPLE_RADIAL, RADIAL"),
                        kUndistort);
    }
    for (const char* key : {"k4", "k5", "k6", "ftheta_p0"})
        if (values.number(key).value_or(0) != 0)
            values.objectWith(key).fail(key, "belongs to a lens that cannot be undistorted",
                                        kUndistort);
    if (values.has("is_fisheye")) {
        const JsonObject& holder = values.objectWith("is_fisheye");
        if (holder.boolean("is_fisheye"))
            holder.fail("is_fisheye", "a fisheye lens cannot be undistorted", kUndistort);
    }
}

double focalOfAngle(double angle, int pixels, const JsonObject& holder, const char* key) {
    if (angle <= 0 || angle >= std::numbers::pi)
        holder.fail(
            key, fmt::format("an angle of view of {:g}, expected radians between 0 and π", angle),
            "Give it in radians; 40° are 0.698.");
    return 0.5 * pixels / std::tan(0.5 * angle);
}

Lens lensOf(const PerViewValues& values, const Photo& photo, const std::filesystem::path& file,
            const std::string& place) {
    refuseOtherLenses(values);
    Lens lens;
    lens.width = values.pixels("w");
    lens.height = values.pixels("h");
    const bool hasSize = completeSize(lens, photo, PixelOrder::stored);
    if (!hasSize) lens.width = lens.height = 1;  // placeholder for focal lengths from angles

    const auto focalX = values.number("fl_x");
    const auto angleX = values.number("camera_angle_x");
    const auto focalY = values.number("fl_y");
    const auto angleY = values.number("camera_angle_y");
    if (!focalX && !angleX)
        throw FormatError({file.string(), place, "has no focal length",
                           "Give fl_x in pixels or camera_angle_x in radians, for the frame or for "
                           "the whole file."});
    lens.focalX = focalX ? *focalX
                         : focalOfAngle(*angleX, lens.width, values.objectWith("camera_angle_x"),
                                        "camera_angle_x");
    lens.focalY = focalY   ? *focalY
                  : focalX ? lens.focalX
                  : angleY ? focalOfAngle(*angleY, lens.height, values.objectWith("camera_angle_y"),
                                          "camera_angle_y")
                           : lens.focalX;
    lens.principalX = values.number("cx").value_or(lens.width / 2.0);
    lens.principalY = values.number("cy").value_or(lens.height / 2.0);
    lens.k1 = values.number("k1").value_or(0);
    lens.k2 = values.number("k2").value_or(0);
    lens.k3 = values.number("k3").value_or(0);
    lens.p1 = values.number("p1").value_or(0);
    lens.p2 = values.number("p2").value_or(0);
    if (!hasSize) lens.width = lens.height = 0;
    if (hasSize) requireValidLens(lens, file, place);
    return lens;
}

CameraAxes axesOf(const JsonObject& root) {
    const std::string name = root.text("convention");
    if (name == "opencv") return CameraAxes::opencv;
    if (name == "opengl") return CameraAxes::opengl;
    root.fail("convention", fmt::format("'{}' is neither opencv nor opengl", textPrefix(name, 40)),
              "opencv: y down, looking along +z. opengl: y up, looking along −z.");
}

MatrixConvention conventionOf(const JsonObject& root) {
    const std::string name = root.text("matrices");
    if (name == "camera_to_world") return MatrixConvention::cameraToWorld;
    if (name == "world_to_camera") return MatrixConvention::worldToCamera;
    root.fail(
        "matrices",
        fmt::format("'{}' is neither camera_to_world nor world_to_camera", textPrefix(name, 40)),
        "In camera_to_world the last column is the camera's centre.");
}

Lens lensOf(const PerViewValues& values, const Photo& photo, double firstPixelCentre,
            const std::filesystem::path& file) {
    const JsonObject& holder = values.objectWith("intrinsics");
    const std::string place = holder.placeOf("intrinsics");
    const auto k = holder.matrix("intrinsics", 3, 3, 3);
    Matrix3 rows{};
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy(k[row], rows[row].begin());
    Lens lens;
    setIntrinsics(lens, rows, 0.5 - firstPixelCentre, file, place);
    lens.width = values.pixels("width");
    lens.height = values.pixels("height");
    const bool hasSize = completeSize(lens, photo, PixelOrder::upright);
    if (values.has("distortion")) {
        const auto coefficients = values.objectWith("distortion").numbers("distortion", 4, 5);
        double* const order[] = {&lens.k1, &lens.k2, &lens.p1, &lens.p2, &lens.k3};
        for (std::size_t i = 0; i < coefficients.size(); ++i) *order[i] = coefficients[i];
    }
    if (hasSize) requireValidLens(lens, file, place);
    return lens;
}

void noteRepaired(CameraFile& read, std::size_t repaired) {
    if (repaired > 0)
        read.notes.push_back(fmt::format(
            "The axes of {} of {} matrices were not of length 1 or not at right angles: "
            "they were normalised.",
            repaired, read.photos.size()));
}

/// Why the program that wrote a cameras.json is not sure of its cameras; empty: it is, or the file
/// does not say.
std::vector<std::string> warningsOf(const JsonObject& root) {
    constexpr std::size_t kMaxWarnings = 100, kMaxLength = 500;
    if (!root.has("sure") || root.boolean("sure")) return {};
    std::vector<std::string> warnings;
    if (root.has("doubts"))
        for (const nlohmann::json& text : root.list("doubts", kMaxWarnings)) {
            if (!text.is_string()) root.fail("doubts", "is not a list of texts");
            warnings.push_back(
                escapeControls(textPrefix(text.get_ref<const std::string&>(), kMaxLength)));
        }
    if (warnings.empty())
        warnings.emplace_back("The program that found them was not sure of them.");
    return warnings;
}

/// Whether Threefold's own mask replaces the mask that the camera file names, see maskFileOf().
bool hasOverridingMask(const Photo& photo) {
    if (photo.image.empty() || photo.mask.empty()) return false;
    std::error_code ignored;
    return !std::filesystem::equivalent(photo.mask, maskFileOf(photo.image, photo.mask), ignored);
}

CameraFile readSplitTransforms(const std::filesystem::path& first) {
    const std::filesystem::path folder = first.parent_path();
    CameraFile merged;
    for (const char* name :
         {"transforms_train.json", "transforms_test.json", "transforms_val.json"}) {
        const std::filesystem::path file = folder / name;
        if (!merged.photos.empty() && !isFile(file)) continue;
        CameraFile split = decodeCameraJson(readFile(file, kMaxSkippedJsonBytes), file);
        if (merged.photos.empty()) {
            merged = std::move(split);
            continue;
        }
        std::ranges::move(split.photos, std::back_inserter(merged.photos));
        std::ranges::move(split.notes, std::back_inserter(merged.notes));
        merged.rotatedCameraCount += split.rotatedCameraCount;
    }
    return merged;
}

}  // namespace

CameraFile readTransforms(const JsonObject& root) {
    const std::filesystem::path& file = root.file();
    CameraFile read;
    read.format = "transforms.json";
    read.placement = readPlacement(root);
    const MatrixConvention convention =
        root.has("matrices") ? conventionOf(root) : MatrixConvention::cameraToWorld;
    const CameraAxes axes = root.has("convention") ? axesOf(root) : CameraAxes::opengl;
    std::size_t repaired = 0;
    std::size_t overridingMasks = 0;
    std::size_t missingMasks = 0;
    for (const JsonObject& frame : root.objects("frames", kMaxPosedPhotos)) {
        Photo photo;
        photo.name = frame.text("file_path");
        photo.image = findPhoto(file.parent_path(), photo.name);
        const PoseOfMatrix fromMatrix =
            poseOfMatrix(readPoseMatrix(frame, "transform_matrix"), axes, convention, file.string(),
                         frame.placeOf("transform_matrix"));
        photo.pose = fromMatrix.pose;
        repaired += fromMatrix.repaired ? 1 : 0;
        if (frame.has("mask_path")) {
            photo.mask = findPhoto(file.parent_path(), frame.text("mask_path"));
            missingMasks += photo.mask.empty() ? 1 : 0;
            overridingMasks += hasOverridingMask(photo) ? 1 : 0;
        }
        photo.lens = lensOf({frame, root}, photo, file, frame.place());
        read.photos.push_back(std::move(photo));
    }
    noteRepaired(read, repaired);
    if (overridingMasks > 0)
        read.notes.push_back(fmt::format(
            "{} photographs take their masks from masks/, not from the files that mask_path names",
            overridingMasks));
    if (missingMasks > 0)
        read.notes.push_back(
            fmt::format("{} files that mask_path names are not there", missingMasks));
    // COLMAP and instant-ngp ignore EXIF orientation.
    turnUpright(read, PixelOrder::stored);
    return read;
}

CameraFile readCamerasJson(const JsonObject& root) {
    const std::filesystem::path& file = root.file();
    CameraFile read;
    read.format = kCamerasJsonName;
    read.placement = readPlacement(root);
    read.warnings = warningsOf(root);
    const CameraAxes axes = axesOf(root);
    const MatrixConvention convention = conventionOf(root);
    const double firstPixelCentre = root.optionalNumber("pixel_centre").value_or(0.5);
    if (firstPixelCentre != 0 && firstPixelCentre != 0.5)
        root.fail("pixel_centre", fmt::format("{:g} is neither 0 nor 0.5", firstPixelCentre),
                  "Give 0.5 if the first pixel's centre is at (0.5, 0.5), as in COLMAP; 0 if it is "
                  "at (0, 0), as in OpenCV's calibration.");
    std::size_t repaired = 0;
    for (const JsonObject& view : root.objects("views", kMaxPosedPhotos)) {
        Photo photo;
        photo.name = view.text("image");
        photo.image = findPhoto(file.parent_path(), photo.name);
        const PoseOfMatrix fromMatrix =
            poseOfMatrix(readPoseMatrix(view, "matrix"), axes, convention, file.string(),
                         view.placeOf("matrix"));
        photo.pose = fromMatrix.pose;
        repaired += fromMatrix.repaired ? 1 : 0;
        photo.lens = lensOf({view, root}, photo, firstPixelCentre, file);
        read.photos.push_back(std::move(photo));
    }
    noteRepaired(read, repaired);
    // OpenCV's imread() applies the EXIF orientation.
    turnUpright(read, PixelOrder::upright);
    return read;
}

const CameraFormat camera_formats::transformsJson{.name = "transforms.json",
                                                  .writers = "instant-ngp, nerfstudio",
                                                  .files = {"transforms.json"},
                                                  .read = readJsonCameras};
const CameraFormat camera_formats::camerasJson{.name = kCamerasJsonName,
                                               .writers = "Threefold",
                                               .files = {kCamerasJsonName},
                                               .read = readJsonCameras};
const CameraFormat camera_formats::transformsTrain{.name = "transforms_train.json",
                                                   .writers = "NeRF's synthetic scenes",
                                                   .files = {"transforms_train.json"},
                                                   .read = readSplitTransforms};

}  // namespace threefold
