// cameras.json: 4×4 matrices and 3×3 intrinsics, each convention named; docs/OWN_DATA.md.
#include <cmath>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/sample/posed_photos/camera_formats.h"

namespace threefold {
namespace {

CameraAxes axesOf(const JsonObject& root) {
    const std::string name = root.text("convention");
    if (name == "opencv") return CameraAxes::opencv;
    if (name == "opengl") return CameraAxes::opengl;
    root.fail("convention", fmt::format("'{}' is neither opencv nor opengl", name.substr(0, 40)),
              "opencv: y down, looking along +z. opengl: y up, looking along −z.");
}

MatrixConvention conventionOf(const JsonObject& root) {
    const std::string name = root.text("matrices");
    if (name == "camera_to_world") return MatrixConvention::cameraToWorld;
    if (name == "world_to_camera") return MatrixConvention::worldToCamera;
    root.fail(
        "matrices",
        fmt::format("'{}' is neither camera_to_world nor world_to_camera", name.substr(0, 40)),
        "In camera_to_world the last column is where the camera stands.");
}

Lens lensOf(const CameraValues& values, const Photo& photo, double middle,
            const std::filesystem::path& file) {
    const JsonObject& holder = values.holderOf("intrinsics");
    const std::string place = holder.placeOf("intrinsics");
    const auto k = holder.matrix("intrinsics", 3, 3, 3);
    constexpr double kRounding = 1e-6;
    const bool affine = std::abs(k[2][0]) <= kRounding && std::abs(k[2][1]) <= kRounding &&
                        std::abs(k[2][2] - 1) <= kRounding && std::abs(k[1][0]) <= kRounding;
    if (!affine)
        throw InputError({file.string(), place,
                          "is not of the form [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]",
                          "Write it by rows, in pixels."});
    if (std::abs(k[0][1]) > kRounding * std::abs(k[0][0]))
        throw InputError({file.string(), place,
                          fmt::format("a skew of {:g}: the pixels are not rectangular", k[0][1]),
                          "Resample the photographs to rectangular pixels, or set it to 0."});
    Lens lens;
    lens.focalX = k[0][0];
    lens.focalY = k[1][1];
    // From the file's pixel origin to the first pixel's corner.
    lens.centreX = k[0][2] + 0.5 - middle;
    lens.centreY = k[1][2] + 0.5 - middle;
    lens.width = values.pixels("width");
    lens.height = values.pixels("height");
    const bool known = completeSize(lens, photo);
    if (values.has("distortion")) {
        const auto given = values.holderOf("distortion").numbers("distortion", 4, 5);
        double* const order[] = {&lens.k1, &lens.k2, &lens.p1, &lens.p2, &lens.k3};
        for (std::size_t i = 0; i < given.size(); ++i) *order[i] = given[i];
    }
    if (known) checkLens(lens, file, place);
    return lens;
}

}  // namespace

CameraFile readCamerasJson(const JsonObject& root) {
    const std::filesystem::path& file = root.file();
    CameraFile read;
    read.format = "cameras.json";
    read.place = placeIn(root);
    const CameraAxes axes = axesOf(root);
    const MatrixConvention convention = conventionOf(root);
    const double middle = root.maybeNumber("pixel_centre").value_or(0.5);
    if (middle != 0 && middle != 0.5)
        root.fail(
            "pixel_centre", fmt::format("{:g} is neither 0 nor 0.5", middle),
            "0.5 where the first pixel's middle is at (0.5, 0.5), as in COLMAP; 0 where it is "
            "at (0, 0), as OpenCV's calibration has it.");
    for (const JsonObject& view : root.objects("views", kMostPhotos)) {
        Photo photo;
        photo.name = view.text("image");
        photo.image = findPhoto(file.parent_path(), photo.name);
        photo.camera = cameraOfMatrix(poseIn(view, "matrix"), axes, convention, file.string(),
                                      view.placeOf("matrix"));
        photo.lens = lensOf({view, root}, photo, middle, file);
        read.photos.push_back(std::move(photo));
    }
    return read;
}

}  // namespace threefold
