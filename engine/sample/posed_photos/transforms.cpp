// transforms.json of NeRF, instant-ngp and nerfstudio: one matrix per frame, camera to world,
// OpenGL axes. Intrinsics are at the top or in the frame, which takes precedence.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/sample/posed_photos/camera_formats.h"

namespace threefold {
namespace {

void refuseOtherLenses(const CameraValues& values) {
    constexpr const char* kUndistort =
        "Undistort the photographs first, with colmap image_undistorter for one.";
    constexpr std::array<std::string_view, 5> kKnown = {"PINHOLE", "SIMPLE_PINHOLE", "OPENCV",
                                                        "SIMPLE_RADIAL", "RADIAL"};
    if (values.has("camera_model")) {
        const JsonObject& holder = values.holderOf("camera_model");
        const std::string model = holder.text("camera_model");
        if (std::ranges::find(kKnown, model) == kKnown.end())
            holder.fail("camera_model",
                        fmt::format("'{}' is not a lens model that can be undistorted: {}",
                                    model.substr(0, 40),
                                    "PINHOLE, SIMPLE_PINHOLE, OPENCV, SIMPLE_RADIAL, RADIAL"),
                        kUndistort);
    }
    for (const char* key : {"k4", "k5", "k6", "ftheta_p0"})
        if (values.number(key).value_or(0) != 0)
            values.holderOf(key).fail(key, "belongs to a lens that cannot be undistorted",
                                      kUndistort);
    if (values.has("is_fisheye")) {
        const JsonObject& holder = values.holderOf("is_fisheye");
        if (holder.flag("is_fisheye"))
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

Lens lensOf(const CameraValues& values, const Photo& photo, const std::filesystem::path& file,
            const std::string& place) {
    refuseOtherLenses(values);
    Lens lens;
    lens.width = values.pixels("w");
    lens.height = values.pixels("h");
    const bool known = completeSize(lens, photo);
    if (!known) lens.width = lens.height = 1;  // so that angles give some focal length

    const auto focalX = values.number("fl_x");
    const auto angleX = values.number("camera_angle_x");
    const auto focalY = values.number("fl_y");
    const auto angleY = values.number("camera_angle_y");
    if (!focalX && !angleX)
        throw FormatError({file.string(), place, "has no focal length",
                           "Give fl_x in pixels or camera_angle_x in radians, for the frame or for "
                           "the whole file."});
    lens.focalX = focalX ? *focalX
                         : focalOfAngle(*angleX, lens.width, values.holderOf("camera_angle_x"),
                                        "camera_angle_x");
    lens.focalY = focalY   ? *focalY
                  : focalX ? lens.focalX
                  : angleY ? focalOfAngle(*angleY, lens.height, values.holderOf("camera_angle_y"),
                                          "camera_angle_y")
                           : lens.focalX;
    lens.centreX = values.number("cx").value_or(lens.width / 2.0);
    lens.centreY = values.number("cy").value_or(lens.height / 2.0);
    lens.k1 = values.number("k1").value_or(0);
    lens.k2 = values.number("k2").value_or(0);
    lens.k3 = values.number("k3").value_or(0);
    lens.p1 = values.number("p1").value_or(0);
    lens.p2 = values.number("p2").value_or(0);
    if (!known) lens.width = lens.height = 0;
    if (known) checkLens(lens, file, place);
    return lens;
}

}  // namespace

CameraFile readTransforms(const JsonObject& root) {
    const std::filesystem::path& file = root.file();
    CameraFile read;
    read.format = "transforms.json";
    read.place = placeIn(root);
    for (const JsonObject& frame : root.objects("frames", kMostPhotos)) {
        Photo photo;
        photo.name = frame.text("file_path");
        photo.image = findPhoto(file.parent_path(), photo.name);
        photo.camera = cameraOfMatrix(poseIn(frame, "transform_matrix"), CameraAxes::opengl,
                                      MatrixConvention::cameraToWorld, file.string(),
                                      frame.placeOf("transform_matrix"));
        photo.lens = lensOf({frame, root}, photo, file, frame.place());
        read.photos.push_back(std::move(photo));
    }
    return read;
}

}  // namespace threefold
