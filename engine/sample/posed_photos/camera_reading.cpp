#include "engine/sample/posed_photos/camera_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/mat2x2.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/formats/pictures/picture_listing.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/text.h"

namespace threefold {

namespace {

using Path = std::filesystem::path;

}  // namespace

int CameraValues::pixels(const char* key) const {
    const std::optional<double> value = number(key);
    if (!value) return 0;
    if (*value != std::floor(*value) || *value <= 0 || *value > std::numeric_limits<int>::max())
        objectWith(key).fail(key, fmt::format("{:g} is not a number of pixels", *value));
    return static_cast<int>(*value);
}

namespace {

/// Existing file `plain`, or `plain` with the extension of a picture; else empty.
Path withPictureExtension(const Path& plain) {
    if (isFile(plain)) return plain;
    for (const PictureExtension& each : kPictureExtensions) {
        std::string capitals(each.extension);
        for (char& letter : capitals)
            if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
        for (const std::string& ending : {std::string(each.extension), capitals}) {
            Path longer = plain;
            longer += ending;
            if (isFile(longer)) return longer;
        }
    }
    return {};
}

}  // namespace

Path findPhoto(const Path& folder, const std::string& name) {
    // A path ends at a zero byte: "1.jpg\0x" would be 1.jpg.
    if (name.empty() || name.size() > kMaxPathBytes || name.find('\0') != name.npos) return {};
    Path file = withPictureExtension((folder / name).lexically_normal());
    if (!file.empty()) return file;
    std::string slashes = name;
    std::ranges::replace(slashes, '\\', '/');
    // Tries path suffixes, longest first: "C:/data/fox/images/1.jpg" as images/1.jpg, then 1.jpg.
    constexpr int kMaxComponents = 64;
    for (int i = 0; i < kMaxComponents && !slashes.empty(); ++i) {
        if (slashes.front() != '/') {
            file = withPictureExtension((folder / slashes).lexically_normal());
            if (!file.empty()) return file;
        }
        const std::size_t slash = slashes.find('/');
        if (slash == slashes.npos) break;
        slashes.erase(0, slash + 1);
    }
    return slashes.empty() ? Path() : withPictureExtension(folder / "images" / slashes);
}

Path findPhotoAround(const Path& folder, const std::string& name) {
    constexpr int kLevels = 3;  // COLMAP's sparse/0 lies two folders below its project
    Path parent = folder;
    for (int i = 0; i < kLevels; ++i, parent = parent.parent_path()) {
        for (const char* subfolder : {"", kImagesFolder, "image", "blended_images"}) {
            // Loose files in a parent folder belong to something else.
            if (i > 0 && *subfolder == '\0') continue;
            Path found = findPhoto(parent / subfolder, name);
            if (!found.empty()) return found;
        }
        if (!parent.has_relative_path()) break;
    }
    return {};
}

std::vector<Path> picturesInOrder(const std::vector<Path>& folders, std::size_t cameras,
                                  const Path& file) {
    for (const Path& folder : folders) {
        std::vector<Path> pictures = tryListPictures(folder);
        if (pictures.empty()) continue;
        if (pictures.size() == cameras) return pictures;
        throw InputError(
            {file.string(), "",
             fmt::format("{} cameras, '{}' holds {} pictures; expected equal numbers, since the "
                         "file pairs them by their order",
                         cameras, folder.filename().string(), pictures.size()),
             "Keep only the pictures that have a camera in that folder, or give a camera file that "
             "names them, such as COLMAP's model."});
    }
    return {};
}

void finishLens(Photo& photo, bool centred, const Path& file, const std::string& place) {
    Lens& lens = photo.lens;
    if (!completeSize(lens, photo, PixelOrder::stored)) return;
    if (centred) {
        lens.principalX = lens.width / 2.0;
        lens.principalY = lens.height / 2.0;
    }
    requireValidLens(lens, file, place);
}

void noteLeftOut(CameraFile& cameras, std::size_t leftOut, const Path& file) {
    if (leftOut == 0) return;
    const std::size_t total = leftOut + cameras.photos.size();
    if (cameras.photos.empty())
        throw InputError({file.string(), "",
                          fmt::format("none of {} photographs has a camera", total),
                          "Align the photographs first, in the program that wrote the file."});
    cameras.notes.push_back(
        fmt::format("{} of {} photographs have no camera: they were left out.", leftOut, total));
}

bool completeSize(Lens& lens, const Photo& photo, PixelOrder order) {
    if (lens.width != 0 && lens.height != 0) return true;
    if (photo.image.empty()) return false;
    try {
        const ImageSize size = readImageInfo(photo.image).size(order);
        if (lens.width == 0) lens.width = size.width;
        if (lens.height == 0) lens.height = size.height;
        return true;
    } catch (const Error&) {
        return false;  // reported where the view is chosen
    }
}

namespace {

/// Converts the camera of the stored picture to that of the upright picture.
void turn(Photo& photo, const Exif& exif) {
    Lens& lens = photo.lens;
    const double x = exif.flipsX() ? -1 : 1;
    const double y = exif.flipsY() ? -1 : 1;
    const glm::dmat2 pixels = exif.swapsSides() ? glm::dmat2(0, y, x, 0) : glm::dmat2(x, 0, 0, y);
    const glm::dvec2 middle(lens.width / 2.0, lens.height / 2.0);
    const glm::dvec2 centreOffset =
        pixels * (glm::dvec2(lens.principalX, lens.principalY) - middle);
    const glm::dvec2 tangential = pixels * glm::dvec2(lens.p2, lens.p1);
    if (exif.swapsSides()) {
        std::swap(lens.width, lens.height);
        std::swap(lens.focalX, lens.focalY);
    }
    lens.principalX = lens.width / 2.0 + centreOffset.x;
    lens.principalY = lens.height / 2.0 + centreOffset.y;
    lens.p2 = tangential.x;
    lens.p1 = tangential.y;
    // The camera's y axis points up, pixel rows run down.
    const glm::dmat3 axes(pixels[0][0], -pixels[0][1], 0, -pixels[1][0], pixels[1][1], 0, 0, 0, 1);
    photo.pose.rotation = axes * photo.pose.rotation;
}

}  // namespace

void turnUpright(CameraFile& file, PixelOrder byDefault) {
    for (Photo& photo : file.photos) {
        try {
            const ImageInfo head = readImageInfo(photo.image);
            const ImageSize lensSize{photo.lens.width, photo.lens.height};
            const bool isStored = lensSize == head.stored &&
                                  (byDefault == PixelOrder::stored || lensSize != head.size());
            if (!isStored || head.exif.orientation == 1) continue;
            if (head.exif.isMirrored()) {
                photo.mirrored = true;
                continue;
            }
            turn(photo, head.exif);
            ++file.rotatedCameras;
        } catch (const Error&) {
            // reported where the view is chosen
        }
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

ObjectPlacement placementIn(const JsonObject& root) {
    ObjectPlacement place;
    place.centre = root.optionalVector("object_centre");
    place.size = root.optionalNumber("object_size");
    place.up = root.optionalVector("up");
    if (place.size && *place.size <= 0) root.fail("object_size", "is not above zero");
    if (place.up && glm::length(*place.up) == 0) root.fail("up", "has no direction");
    return place;
}

void requireValidLens(const Lens& lens, const Path& file, const std::string& place) {
    const auto refuse = [&](std::string problem, std::string remedy) {
        throw InputError({file.string(), place, std::move(problem), std::move(remedy)});
    };
    for (const double value : {lens.focalX, lens.focalY, lens.principalX, lens.principalY, lens.k1,
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
    // An angle of view of 157°, beyond every lens without a fisheye's projection.
    constexpr double kMinFocalOfSide = 0.1;
    if (lens.focalX < kMinFocalOfSide * lens.width || lens.focalY < kMinFocalOfSide * lens.height)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels for {} × {}: an angle of view of "
                           "{:.0f}°; is it in millimetres?",
                           lens.focalX, lens.focalY, lens.width, lens.height,
                           glm::degrees(2 * std::atan(0.5 * std::max(lens.width / lens.focalX,
                                                                     lens.height / lens.focalY)))),
               "Give it in pixels; 35 mm of a 36 mm film are 35 ÷ 36 × the width.");
    constexpr double kMaxFocal = 1e7;
    constexpr double kMaxDistortion = 1e3;
    if (lens.focalX > kMaxFocal || lens.focalY > kMaxFocal)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels, expected at most {:g}",
                           lens.focalX, lens.focalY, kMaxFocal),
               "Give it in pixels.");
    for (const double value : {lens.k1, lens.k2, lens.k3, lens.p1, lens.p2})
        if (std::abs(value) > kMaxDistortion)
            refuse(fmt::format("a distortion of {:g}", value), "Calibrate the camera again.");
    const bool far = std::abs(lens.principalX - lens.width / 2.0) > lens.width ||
                     std::abs(lens.principalY - lens.height / 2.0) > lens.height;
    if (far)
        refuse(fmt::format("the principal point {:g}, {:g} lies far outside the {} × {} pixels",
                           lens.principalX, lens.principalY, lens.width, lens.height),
               "Give it in pixels from the upper left corner.");
}

}  // namespace threefold
