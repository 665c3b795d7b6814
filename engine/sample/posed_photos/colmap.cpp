// COLMAP's models, as text (cameras.txt, images.txt) and binary (cameras.bin, images.bin): lenses,
// and for each image a quaternion and a translation, world to camera, axes of OpenCV. Points are
// skipped.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/text_parts.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

int pixels(TextScanner& scanner, std::string_view what) {
    const std::int64_t value = scanner.integer(what);
    if (value < 1 || value > std::numeric_limits<int>::max())
        scanner.fail(fmt::format("{} is not a number of pixels", value));
    return static_cast<int>(value);
}

/// COLMAP's camera models by number, and how many parameters each has.
struct LensModel {
    std::string_view name;
    std::size_t parameters;
};
constexpr LensModel kModels[] = {{"SIMPLE_PINHOLE", 3},
                                 {"PINHOLE", 4},
                                 {"SIMPLE_RADIAL", 4},
                                 {"RADIAL", 5},
                                 {"OPENCV", 8},
                                 {"OPENCV_FISHEYE", 8},
                                 {"FULL_OPENCV", 12},
                                 {"FOV", 5},
                                 {"SIMPLE_RADIAL_FISHEYE", 4},
                                 {"RADIAL_FISHEYE", 5},
                                 {"THIN_PRISM_FISHEYE", 12},
                                 {"RAD_TAN_THIN_PRISM_FISHEYE", 16}};

/// Sets a lens' parameters in the model's order. False where it cannot be undistorted here.
bool setLens(std::string_view model, std::span<const double> given, Lens& lens) {
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
    else if (model == "OPENCV" || model == "FULL_OPENCV")
        order = {&lens.focalX, &lens.focalY, &lens.centreX, &lens.centreY,
                 &lens.k1,     &lens.k2,     &lens.p1,      &lens.p2};
    else
        return false;
    if (model == "FULL_OPENCV") order.push_back(&lens.k3);
    for (std::size_t i = 0; i < order.size(); ++i) *order[i] = given[i];
    if (single) lens.focalY = lens.focalX;
    // The denominator of FULL_OPENCV's distortion, k4 to k6.
    return std::ranges::all_of(given.subspan(order.size()), [](double rest) { return rest == 0; });
}

std::string cannotUndistort(std::string_view model) {
    return fmt::format(
        "the lens '{}' cannot be undistorted here; undistort the photographs with colmap "
        "image_undistorter",
        model.substr(0, 40));
}

Lens lensOf(std::string_view model, TextScanner& scanner) {
    Lens lens;
    lens.width = pixels(scanner, "the width");
    lens.height = pixels(scanner, "the height");
    const auto* const known = std::ranges::find(kModels, model, &LensModel::name);
    std::vector<double> given;
    for (std::size_t i = 0; known != std::end(kModels) && i < known->parameters; ++i)
        given.push_back(scanner.real("a lens parameter"));
    if (given.empty() || !setLens(model, given, lens)) scanner.fail(cannotUndistort(model));
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

/// Quaternion w x y z, translation.
using ColmapPose = std::array<double, 7>;

double lengthOf(const ColmapPose& v) {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
}

/// Whether the quaternion has to be normalised; counted for a note.
bool isOffUnit(const ColmapPose& pose) {
    constexpr double kOff = 1e-3;
    return std::abs(lengthOf(pose) - 1) > kOff;
}

PoseMatrix matrixOf(const ColmapPose& v) {
    const double length = lengthOf(v);
    const double w = v[0] / length;
    const double x = v[1] / length;
    const double y = v[2] / length;
    const double z = v[3] / length;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), v[4]},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), v[5]},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), v[6]},
             {0, 0, 0, 1}}};
}

/// Puts what all of COLMAP's models need at their end.
void finish(CameraFile& read, std::size_t offUnit) {
    if (offUnit > 0)
        read.notes.push_back(
            fmt::format("The quaternions of {} of {} images were not of length 1: "
                        "they were normalised.",
                        offUnit, read.photos.size()));
    turnUpright(read, PixelOrder::stored);
    // COLMAP lists images in the order in which it found them; people number them by name.
    std::ranges::sort(read.photos, naturallyBefore, &Photo::name);
}

/// Whether a line is an image's: ten words of which not all are numbers, as its name is the last.
/// A line of points has three numbers a point.
bool isImageLine(std::string_view line) {
    constexpr std::size_t kWords = 10;
    std::size_t words = 0;
    bool numbers = true;
    while (!line.empty()) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
        if (word.empty()) break;
        line.remove_prefix(word.size());
        ++words;
        const bool isNumber = numberFrom<double>(word).has_value();
        if (words < kWords && !isNumber) return false;
        numbers = numbers && isNumber;
    }
    return words >= kWords && !(numbers && words % 3 == 0);
}

}  // namespace

CameraFile decodeColmap(std::span<const std::byte> cameras, std::span<const std::byte> images,
                        const Path& folder) {
    const std::map<std::int64_t, Lens> lenses = readLenses(cameras, folder / "cameras.txt");
    const Path file = folder / "images.txt";
    TextScanner scanner(asText(images), file);
    CameraFile read;
    read.format = "COLMAP";
    std::size_t offUnit = 0;
    bool points = false;  // the line after an image's, which may be empty, and which some leave out
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (points) {
            points = false;
            const std::string_view rest = asText(images).substr(scanner.offset());
            if (!isImageLine(rest.substr(0, rest.find('\n')))) continue;
        }
        if (!scanner.moreOnLine()) continue;
        const std::string_view first = scanner.word();
        if (first.starts_with('#')) continue;
        scanner.toInteger(first, "the image's number");
        ColmapPose pose{};
        for (double& value : pose) value = scanner.real("the camera's pose");
        if (!(lengthOf(pose) > 0)) scanner.fail("a quaternion of length 0");
        offUnit += isOffUnit(pose) ? 1 : 0;
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
        photo.image = findPhotoAround(folder, photo.name);
        photo.lens = lens->second;
        photo.camera =
            cameraOfMatrix(matrixOf(pose), CameraAxes::opencv, MatrixConvention::worldToCamera,
                           file.string(), fmt::format("line {}", scanner.line()));
        read.photos.push_back(std::move(photo));
        if (read.photos.size() > kMostPhotos)
            scanner.fail(fmt::format("more than {} images", kMostPhotos));
        points = true;
    }
    finish(read, offUnit);
    return read;
}

CameraFile readColmapText(const Path& first) {
    const Path folder = first.parent_path();
    // Mapped: images.txt is long because it lists points, which are skipped.
    const MappedFile cameras(folder / "cameras.txt");
    const MappedFile images(folder / "images.txt");
    return decodeColmap(cameras.bytes(), images.bytes(), folder);
}

CameraFile readColmapBinary(const Path& first) {
    const Path folder = first.parent_path();
    const MappedFile cameras(folder / "cameras.bin");
    const MappedFile images(folder / "images.bin");
    return decodeColmapBinary(cameras.bytes(), images.bytes(), folder);
}

CameraFile decodeColmapBinary(std::span<const std::byte> cameras, std::span<const std::byte> images,
                              const Path& folder) {
    const Path lensFile = folder / "cameras.bin";
    ByteCursor lensBytes(cameras, lensFile);
    const auto real = [](ByteCursor& from) { return std::bit_cast<double>(from.little(8)); };
    const auto counted = [](ByteCursor& from, const char* what) {
        const std::uint64_t count = from.little(8);
        if (count > kMostPhotos)
            from.fail(fmt::format("{} {}, at most {}", count, what, kMostPhotos));
        return count;
    };
    std::map<std::uint64_t, Lens> lenses;
    for (std::uint64_t left = counted(lensBytes, "cameras"); left > 0; --left) {
        const std::uint64_t id = lensBytes.little(4);
        const std::uint64_t model = lensBytes.little(4);
        if (model >= std::size(kModels))
            lensBytes.fail(fmt::format("a camera model of number {}, which is not known", model));
        Lens lens;
        for (int* side : {&lens.width, &lens.height})
            *side = static_cast<int>(std::min<std::uint64_t>(lensBytes.little(8), 1U << 30U));
        std::vector<double> given;
        for (std::size_t i = 0; i < kModels[model].parameters; ++i)
            given.push_back(real(lensBytes));
        if (!setLens(kModels[model].name, given, lens))
            lensBytes.fail(cannotUndistort(kModels[model].name));
        checkLens(lens, lensFile, fmt::format("camera {}", id));
        if (!lenses.emplace(id, lens).second)
            lensBytes.fail(fmt::format("camera {} is there already", id));
    }

    const Path file = folder / "images.bin";
    ByteCursor from(images, file);
    CameraFile read;
    read.format = "COLMAP, binary";
    std::size_t offUnit = 0;
    for (std::uint64_t left = counted(from, "images"); left > 0; --left) {
        const std::uint64_t number = from.little(4);
        ColmapPose pose{};
        for (double& value : pose) value = real(from);
        if (!(lengthOf(pose) > 0)) from.fail("a quaternion of length 0");
        offUnit += isOffUnit(pose) ? 1 : 0;
        const std::uint64_t camera = from.little(4);
        const auto lens = lenses.find(camera);
        if (lens == lenses.end()) from.fail(fmt::format("camera {} is not in cameras.bin", camera));
        Photo photo;
        constexpr std::size_t kLongestName = 4096;
        for (auto c = static_cast<char>(from.little(1)); c != '\0';
             c = static_cast<char>(from.little(1))) {
            photo.name += c;
            if (photo.name.size() > kLongestName) from.fail("an image's name does not end");
        }
        if (photo.name.empty()) from.fail("the image has no name");
        constexpr std::uint64_t kPoint = 24;  // two coordinates and the number of a point
        const std::uint64_t points = from.little(8);
        if (points > from.remaining() / kPoint)
            from.fail(fmt::format("{} points, {} bytes are left", points, from.remaining()));
        from.read(points * kPoint);
        photo.image = findPhotoAround(folder, photo.name);
        photo.lens = lens->second;
        photo.camera =
            cameraOfMatrix(matrixOf(pose), CameraAxes::opencv, MatrixConvention::worldToCamera,
                           file.string(), fmt::format("image {}", number));
        read.photos.push_back(std::move(photo));
    }
    finish(read, offUnit);
    return read;
}

}  // namespace threefold
