// COLMAP's text model: cameras.txt (lenses), images.txt (a quaternion and a translation, world to
// camera, axes of OpenCV; every second line lists points and is skipped).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/camera_formats.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

int pixels(TextScanner& scanner, std::string_view what) {
    const std::int64_t value = scanner.integer(what);
    if (value < 1 || value > std::numeric_limits<int>::max())
        scanner.fail(fmt::format("{} is not a number of pixels", value));
    return static_cast<int>(value);
}

/// The order of a model's parameters.
Lens lensOf(std::string_view model, TextScanner& scanner) {
    Lens lens;
    lens.width = pixels(scanner, "the width");
    lens.height = pixels(scanner, "the height");
    std::vector<double*> order;
    const bool single = model.starts_with("SIMPLE_") || model == "RADIAL";
    if (model == "SIMPLE_PINHOLE")
        order = {&lens.focalX, &lens.centreX, &lens.centreY};
    else if (model == "PINHOLE")
        order = {&lens.focalX, &lens.focalY, &lens.centreX, &lens.centreY};
    else if (model == "SIMPLE_RADIAL")
        order = {&lens.focalX, &lens.centreX, &lens.centreY, &lens.k1};
    else if (model == "RADIAL")
        order = {&lens.focalX, &lens.centreX, &lens.centreY, &lens.k1, &lens.k2};
    else if (model == "OPENCV")
        order = {&lens.focalX, &lens.focalY, &lens.centreX, &lens.centreY,
                 &lens.k1,     &lens.k2,     &lens.p1,      &lens.p2};
    else
        scanner.fail(
            fmt::format("the lens '{}' cannot be undistorted here; undistort the photographs with "
                        "colmap image_undistorter",
                        model.substr(0, 40)));
    for (double* value : order) *value = scanner.real("a lens parameter");
    if (single) lens.focalY = lens.focalX;
    return lens;
}

std::map<std::int64_t, Lens> readLenses(std::span<const std::byte> bytes, const Path& file) {
    TextScanner scanner(asText(bytes), file);
    scanner.setComment('#');
    std::map<std::int64_t, Lens> lenses;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (!scanner.moreOnLine()) continue;
        const std::int64_t id = scanner.integer("the camera's number");
        const std::string_view model = scanner.word();
        const Lens lens = lensOf(model, scanner);
        checkLens(lens, file, fmt::format("line {}", scanner.line()));
        if (!lenses.emplace(id, lens).second)
            scanner.fail(fmt::format("camera {} is there already", id));
        if (lenses.size() > kMostPhotos)
            scanner.fail(fmt::format("more than {} cameras", kMostPhotos));
    }
    return lenses;
}

PoseMatrix poseOf(TextScanner& scanner) {
    std::array<double, 7> v{};  // quaternion w x y z, translation
    for (double& value : v) value = scanner.real("the camera's pose");
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    constexpr double kOff = 1e-3;
    if (std::abs(length - 1) > kOff)
        scanner.fail(fmt::format("a quaternion of length {:g}, expected 1", length));
    const double w = v[0] / length;
    const double x = v[1] / length;
    const double y = v[2] / length;
    const double z = v[3] / length;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), v[4]},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), v[5]},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), v[6]},
             {0, 0, 0, 1}}};
}

/// Names in images.txt are relative to COLMAP's image folder, which the model does not name.
Path findImage(const Path& model, const std::string& name) {
    for (const Path& folder : {model, model / "images", model.parent_path() / "images",
                               model.parent_path().parent_path() / "images"}) {
        Path found = findPhoto(folder, name);
        if (!found.empty()) return found;
    }
    return {};
}

}  // namespace

CameraFile decodeColmap(std::span<const std::byte> cameras, std::span<const std::byte> images,
                        const Path& folder) {
    const std::map<std::int64_t, Lens> lenses = readLenses(cameras, folder / "cameras.txt");
    const Path file = folder / "images.txt";
    TextScanner scanner(asText(images), file);
    CameraFile read;
    read.format = "COLMAP";
    bool points = false;  // the line after an image's, which may be empty
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (points) {
            points = false;
            continue;
        }
        if (!scanner.moreOnLine()) continue;
        const std::string_view first = scanner.word();
        if (first.starts_with('#')) continue;
        scanner.toInteger(first, "the image's number");
        const PoseMatrix pose = poseOf(scanner);
        const std::int64_t camera = scanner.integer("the camera's number");
        const auto lens = lenses.find(camera);
        if (lens == lenses.end())
            scanner.fail(fmt::format("camera {} is not in cameras.txt", camera));
        Photo photo;
        while (scanner.moreOnLine()) {  // names may hold spaces
            if (!photo.name.empty()) photo.name += ' ';
            photo.name += scanner.word();
        }
        if (photo.name.empty()) scanner.fail("the image has no name");
        photo.image = findImage(folder, photo.name);
        photo.lens = lens->second;
        photo.camera = cameraOfMatrix(pose, CameraAxes::opencv, MatrixConvention::worldToCamera,
                                      file.string(), fmt::format("line {}", scanner.line()));
        read.photos.push_back(std::move(photo));
        if (read.photos.size() > kMostPhotos)
            scanner.fail(fmt::format("more than {} images", kMostPhotos));
        points = true;
    }
    turnUpright(read, PixelOrder::stored);
    // COLMAP lists images in the order in which it found them; people number them by name.
    std::ranges::sort(read.photos, {}, &Photo::name);
    return read;
}

}  // namespace threefold
