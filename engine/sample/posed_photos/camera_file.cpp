#include "engine/sample/posed_photos/camera_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr const char* kColmapCameras = "cameras.txt";
constexpr const char* kColmapImages = "images.txt";

CameraFile readColmap(const Path& folder) {
    // Mapped: images.txt is long because it lists points, which are skipped.
    const MappedFile cameras(folder / kColmapCameras);
    const MappedFile images(folder / kColmapImages);
    return decodeColmap(cameras.bytes(), images.bytes(), folder);
}

bool isColmapName(const Path& file) {
    return file.filename() == kColmapCameras || file.filename() == kColmapImages;
}

}  // namespace

Path cameraFileIn(const Path& folder) {
    for (const char* name : {"transforms.json", "cameras.json"})
        if (isFile(folder / name)) return folder / name;
    for (const Path& place : {folder, folder / "sparse/0", folder / "sparse"})
        if (isFile(place / kColmapCameras) && isFile(place / kColmapImages))
            return place / kColmapImages;
    return {};
}

bool isCameraFileName(const Path& file) {
    return file.extension() == ".json" || isColmapName(file);
}

CameraFile decodeCameraJson(std::span<const std::byte> bytes, const Path& file) {
    constexpr const char* kRemedy = "Correct it; docs/OWN_DATA.md shows an example.";
    const nlohmann::json document = parseJson(bytes, file, kRemedy);
    if (document.is_object()) {
        const JsonObject root(document, "", file, kRemedy);
        if (document.contains("frames")) return readTransforms(root);
        if (document.contains("views") && !document.contains("threefold"))
            return readCamerasJson(root);
    }
    throw NotThisFormat({file.string(), "", "has no cameras: neither 'frames' nor 'views'",
                         "Give a transforms.json or a cameras.json; docs/OWN_DATA.md shows both."});
}

CameraFile readCameraFile(const Path& file) {
    CameraFile read = isColmapName(file) ? readColmap(file.parent_path())
                                         : decodeCameraJson(readFile(file, kLargestJson), file);
    read.path = file;
    requireEnough(file.string(), read.photos.size(), "view");
    return read;
}

int CameraValues::pixels(const char* key) const {
    const std::optional<double> value = number(key);
    if (!value) return 0;
    if (*value != std::floor(*value) || *value <= 0 || *value > std::numeric_limits<int>::max())
        holderOf(key).fail(key, fmt::format("{:g} is not a number of pixels", *value));
    return static_cast<int>(*value);
}

Path findPhoto(const Path& folder, const std::string& name) {
    constexpr std::size_t kLongestName = 4096;  // the limit of Linux
    if (name.empty() || name.size() > kLongestName) return {};
    Path plain = (folder / name).lexically_normal();
    if (isFile(plain)) return plain;
    for (const char* ending : {".png", ".jpg", ".jpeg", ".PNG", ".JPG", ".JPEG"}) {
        Path longer = plain;
        longer += ending;
        if (isFile(longer)) return longer;
    }
    return {};
}

bool completeSize(Lens& lens, const Photo& photo) {
    if (lens.width != 0 && lens.height != 0) return true;
    if (photo.image.empty()) return false;
    try {
        const ImageSize size = readImageSize(photo.image);
        if (lens.width == 0) lens.width = size.width;
        if (lens.height == 0) lens.height = size.height;
        return true;
    } catch (const Error&) {
        return false;  // reported where the view is chosen
    }
}

PoseMatrix poseIn(const JsonObject& object, const char* key) {
    const std::vector<std::vector<double>> rows = object.matrix(key, 3, 4, 4);
    PoseMatrix pose{};
    pose[3][3] = 1;
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy(rows[row], pose[row].begin());
    return pose;
}

ObjectPlace placeIn(const JsonObject& root) {
    ObjectPlace place;
    place.centre = root.maybeVector("object_centre");
    place.size = root.maybeNumber("object_size");
    place.up = root.maybeVector("up");
    if (place.size && *place.size <= 0) root.fail("object_size", "is not above zero");
    if (place.up && glm::length(*place.up) == 0) root.fail("up", "has no direction");
    return place;
}

void checkLens(const Lens& lens, const Path& file, const std::string& place) {
    const auto refuse = [&](std::string problem, std::string remedy) {
        throw InputError({file.string(), place, std::move(problem), std::move(remedy)});
    };
    for (const double value : {lens.focalX, lens.focalY, lens.centreX, lens.centreY, lens.k1,
                               lens.k2, lens.k3, lens.p1, lens.p2})
        if (!std::isfinite(value))
            refuse("the lens holds a value that is not finite", "Correct it.");
    if (lens.width <= 0 || lens.height <= 0)
        refuse(fmt::format("a photograph of {} × {} pixels", lens.width, lens.height),
               "Give its width and height in pixels.");
    if (lens.focalX <= 0 || lens.focalY <= 0)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels, expected above zero", lens.focalX,
                           lens.focalY),
               "Give it in pixels; 35 mm of a 36 mm film are 35 ÷ 36 × the width.");
    constexpr double kLongest = 1e7;
    constexpr double kMostBent = 1e3;
    if (lens.focalX > kLongest || lens.focalY > kLongest)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels, expected at most {:g}",
                           lens.focalX, lens.focalY, kLongest),
               "Give it in pixels.");
    for (const double value : {lens.k1, lens.k2, lens.k3, lens.p1, lens.p2})
        if (std::abs(value) > kMostBent)
            refuse(fmt::format("a distortion of {:g}", value), "Calibrate the camera again.");
    const bool far = std::abs(lens.centreX - lens.width / 2.0) > lens.width ||
                     std::abs(lens.centreY - lens.height / 2.0) > lens.height;
    if (far)
        refuse(fmt::format("the principal point {:g}, {:g} lies far outside the {} × {} pixels",
                           lens.centreX, lens.centreY, lens.width, lens.height),
               "Give it in pixels from the upper left corner.");
}

}  // namespace threefold
