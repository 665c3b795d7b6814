// COLMAP's models, as text (cameras.txt, images.txt) and binary (cameras.bin, images.bin): lenses,
// and for each image a quaternion and a translation, world to camera, axes of OpenCV. An image's
// points are counted in binary models, and skipped in text.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"
#include "engine/text.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

int pixels(TextScanner& scanner, std::string_view expected) {
    const std::int64_t value = scanner.requireInteger(expected);
    if (value < 1 || value > std::numeric_limits<int>::max())
        scanner.fail(fmt::format("{} is not a number of pixels", value));
    return static_cast<int>(value);
}

/// A camera model of COLMAP, with its parameter count. kModels is in the order of COLMAP's numbers.
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

/// Sets the parameters of a lens in the model's order. False if this model cannot be undistorted.
bool setLens(std::string_view model, std::span<const double> parameters, Lens& lens) {
    std::vector<double*> targets;
    const bool single = model.starts_with("SIMPLE_") || model == "RADIAL";
    if (model == "SIMPLE_PINHOLE")
        targets = {&lens.focalX, &lens.principalX, &lens.principalY};
    else if (model == "PINHOLE")
        targets = {&lens.focalX, &lens.focalY, &lens.principalX, &lens.principalY};
    else if (model == "SIMPLE_RADIAL")
        targets = {&lens.focalX, &lens.principalX, &lens.principalY, &lens.k1};
    else if (model == "RADIAL")
        targets = {&lens.focalX, &lens.principalX, &lens.principalY, &lens.k1, &lens.k2};
    else if (model == "OPENCV" || model == "FULL_OPENCV")
        targets = {&lens.focalX, &lens.focalY, &lens.principalX, &lens.principalY,
                   &lens.k1,     &lens.k2,     &lens.p1,         &lens.p2};
    else
        return false;
    if (model == "FULL_OPENCV") targets.push_back(&lens.k3);
    for (std::size_t i = 0; i < targets.size(); ++i) *targets[i] = parameters[i];
    if (single) lens.focalY = lens.focalX;
    // k4 to k6, the denominator of FULL_OPENCV's distortion, must be 0.
    return std::ranges::all_of(parameters.subspan(targets.size()),
                               [](double parameter) { return parameter == 0; });
}

std::string cannotUndistort(std::string_view model) {
    return fmt::format(
        "the lens '{}' cannot be undistorted here; undistort the photographs with colmap "
        "image_undistorter",
        textPrefix(model, 40));
}

Lens lensOf(std::string_view model, TextScanner& scanner) {
    Lens lens;
    lens.width = pixels(scanner, "the width");
    lens.height = pixels(scanner, "the height");
    const auto* const knownModel = std::ranges::find(kModels, model, &LensModel::name);
    std::vector<double> parameters;
    for (std::size_t i = 0; knownModel != std::end(kModels) && i < knownModel->parameters; ++i)
        parameters.push_back(scanner.requireDouble("a lens parameter"));
    if (parameters.empty() || !setLens(model, parameters, lens))
        scanner.fail(cannotUndistort(model));
    return lens;
}

std::map<std::int64_t, Lens> readLenses(std::span<const std::byte> bytes, const Path& file) {
    TextScanner scanner(asText(bytes), file);
    scanner.setComment('#');
    std::map<std::int64_t, Lens> lenses;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (!scanner.hasWord()) continue;
        const std::int64_t id = scanner.requireInteger("the camera's number");
        const std::string_view model = scanner.word();
        const Lens lens = lensOf(model, scanner);
        if (scanner.hasWord())
            scanner.fail(fmt::format("more parameters than the lens {} has", model));
        requireValidLens(lens, file, fmt::format("line {}", scanner.line()));
        if (!lenses.emplace(id, lens).second)
            scanner.fail(fmt::format("camera {} occurs twice", id));
        if (lenses.size() > kMaxPosedPhotos)
            scanner.fail(fmt::format("more than {} cameras", kMaxPosedPhotos));
    }
    return lenses;
}

/// Quaternion w x y z, then translation.
using ColmapPose = std::array<double, 7>;

double quaternionLength(const ColmapPose& v) {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
}

/// Whether the quaternion is not of length 1.
bool isOffUnit(const ColmapPose& pose) {
    constexpr double kOff = 1e-3;
    return std::abs(quaternionLength(pose) - 1) > kOff;
}

PoseMatrix matrixOf(const ColmapPose& v) {
    const double length = quaternionLength(v);
    const double w = v[0] / length;
    const double x = v[1] / length;
    const double y = v[2] / length;
    const double z = v[3] / length;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), v[4]},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), v[5]},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), v[6]},
             {0, 0, 0, 1}}};
}

/// Collects the photographs of a COLMAP model, text or binary, one image after another.
class ColmapImages {
  public:
    /// `format` names the model; `file` lists its images, and is the subject of errors.
    ColmapImages(std::string format, const Path& file) : file_(file) {
        cameraFile_.format = std::move(format);
    }

    std::size_t count() const { return cameraFile_.photos.size(); }

    /// Records an image's id. Returns false if an earlier image has the same id.
    bool isNew(std::uint64_t id) { return ids_.insert(id).second; }

    void add(std::string name, const Lens& lens, const ColmapPose& pose, const std::string& place) {
        Photo photo;
        photo.name = std::move(name);
        photo.image = findPhotoAround(file_.parent_path(), photo.name);
        photo.lens = lens;
        photo.pose = poseOfMatrix(matrixOf(pose), CameraAxes::opencv,
                                  MatrixConvention::worldToCamera, file_.string(), place)
                         .pose;
        offUnit_ += isOffUnit(pose) ? 1 : 0;
        cameraFile_.photos.push_back(std::move(photo));
    }

    /// Returns the cameras of the upright pictures, sorted by name, because COLMAP lists images in
    /// the order in which COLMAP found them.
    CameraFile finished() && {
        if (offUnit_ > 0)
            cameraFile_.notes.push_back(
                fmt::format("The quaternions of {} of {} images were not of length 1: "
                            "they were normalised.",
                            offUnit_, count()));
        turnUpright(cameraFile_, PixelOrder::stored);
        std::ranges::sort(cameraFile_.photos, naturalLess, &Photo::name);
        return std::move(cameraFile_);
    }

  private:
    Path file_;
    CameraFile cameraFile_;
    std::set<std::uint64_t> ids_;
    std::size_t offUnit_ = 0;  // quaternions that are not of length 1
};

/// Whether a line describes an image: nine numbers and a name. A line of points has three numbers a
/// point, so a line that holds only numbers is an image if their count is no multiple of three.
bool isImageLine(std::string_view line) {
    constexpr std::size_t kWords = 10;
    std::size_t words = 0;
    bool onlyNumbers = true;
    while (!line.empty()) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
        if (word.empty()) break;
        line.remove_prefix(word.size());
        ++words;
        const bool isNumber = parseNumber<double>(word).has_value();
        if (words < kWords && !isNumber) return false;
        onlyNumbers = onlyNumbers && isNumber;
    }
    return words >= kWords && !(onlyNumbers && words % 3 == 0);
}

}  // namespace

CameraFile decodeColmap(std::span<const std::byte> cameras, std::span<const std::byte> images,
                        const Path& folder) {
    const std::map<std::int64_t, Lens> lenses = readLenses(cameras, folder / "cameras.txt");
    const Path file = folder / "images.txt";
    TextScanner scanner(asText(images), file);
    ColmapImages photos("COLMAP", file);
    bool expectsPoints = false;  // next is the line of points, which may be empty or missing
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (expectsPoints) {
            expectsPoints = false;
            const std::string_view rest = asText(images).substr(scanner.offset());
            if (!isImageLine(rest.substr(0, rest.find('\n')))) continue;
        }
        if (!scanner.hasWord()) continue;
        const std::string_view first = scanner.word();
        if (first.starts_with('#')) continue;
        const std::int64_t id = scanner.toInteger(first, "the image's number");
        if (!photos.isNew(static_cast<std::uint64_t>(id)))
            scanner.fail(fmt::format("image {} occurs twice", id));
        ColmapPose pose{};
        for (double& value : pose) value = scanner.requireDouble("the camera's pose");
        if (!(quaternionLength(pose) > 0)) scanner.fail("a quaternion of length 0");
        const std::int64_t camera = scanner.requireInteger("the camera's number");
        const auto lens = lenses.find(camera);
        if (lens == lenses.end())
            scanner.fail(fmt::format("camera {} is not in cameras.txt", camera));
        std::string name(scanner.restOfLine());  // names may hold spaces
        if (name.empty()) scanner.fail("the image has no name");
        photos.add(std::move(name), lens->second, pose, fmt::format("line {}", scanner.line()));
        if (photos.count() > kMaxPosedPhotos)
            scanner.fail(fmt::format("more than {} images", kMaxPosedPhotos));
        expectsPoints = true;
    }
    return std::move(photos).finished();
}

namespace {

CameraFile readColmapText(const Path& first) {
    const Path folder = first.parent_path();
    // The files are mapped, because images.txt is long: it lists points, which are skipped.
    const MappedFile cameras(folder / "cameras.txt");
    const MappedFile images(folder / "images.txt");
    return images.decode([&](auto imageBytes) {
        return cameras.decode(
            [&](auto cameraBytes) { return decodeColmap(cameraBytes, imageBytes, folder); });
    });
}

CameraFile readColmapBinary(const Path& first) {
    const Path folder = first.parent_path();
    const MappedFile cameras(folder / "cameras.bin");
    const MappedFile images(folder / "images.bin");
    return images
        .decode([&](auto imageBytes) {
            return cameras.decode([&](auto cameraBytes) {
                return decodeColmapBinary(cameraBytes, imageBytes, folder);
            });
        })
        .cameras;
}

/// Reads the number of `noun`, cameras or images, that follow.
std::uint64_t readCount(ByteCursor& cursor, const char* noun) {
    const std::uint64_t count = cursor.readLittleEndian(8);
    if (count > kMaxPosedPhotos)
        cursor.fail(fmt::format("{} {}, at most {}", count, noun, kMaxPosedPhotos));
    return count;
}

/// Refuses bytes after the last of `count` cameras or images: such bytes show that the count is
/// wrong.
void requireEnd(const ByteCursor& cursor, std::uint64_t count, const char* noun) {
    if (cursor.remaining() > 0)
        cursor.fail(fmt::format("{} {} by the file's count, but {} bytes follow the last one",
                                count, noun, cursor.remaining()));
}

/// Reads cameras.bin.
std::map<std::uint64_t, Lens> readBinaryLenses(std::span<const std::byte> bytes, const Path& file) {
    ByteCursor cursor(bytes, file);
    std::map<std::uint64_t, Lens> lenses;
    const std::uint64_t count = readCount(cursor, "cameras");
    for (std::uint64_t number = 0; number < count; ++number) {
        const std::uint64_t id = cursor.readLittleEndian(4);
        const std::uint64_t model = cursor.readLittleEndian(4);
        if (model >= std::size(kModels))
            cursor.fail(fmt::format("a camera model of number {}, which is not known", model));
        Lens lens;
        for (int* side : {&lens.width, &lens.height})
            *side =
                static_cast<int>(std::min<std::uint64_t>(cursor.readLittleEndian(8), 1U << 30U));
        std::vector<double> parameters;
        for (std::size_t i = 0; i < kModels[model].parameters; ++i)
            parameters.push_back(cursor.readLittleEndianDouble());
        if (!setLens(kModels[model].name, parameters, lens))
            cursor.fail(cannotUndistort(kModels[model].name));
        requireValidLens(lens, file, fmt::format("camera {}", id));
        if (!lenses.emplace(id, lens).second)
            cursor.fail(fmt::format("camera {} occurs twice", id));
    }
    requireEnd(cursor, count, "cameras");
    return lenses;
}

/// Reads a name that ends with a zero byte.
std::string readName(ByteCursor& cursor) {
    std::string name;
    for (auto c = static_cast<char>(cursor.readLittleEndian(1)); c != '\0';
         c = static_cast<char>(cursor.readLittleEndian(1))) {
        name += c;
        if (name.size() > kMaxPathBytes) cursor.fail("an image's name does not end");
    }
    if (name.empty()) cursor.fail("the image has no name");
    return name;
}

/// Reads an image's features. Returns how many have a 3D point; the point number of the others is
/// −1.
std::size_t readPointCount(ByteCursor& cursor) {
    constexpr std::uint64_t kCoordinateBytes = 2 * 8;
    // x, y and the id of the point.
    constexpr std::uint64_t kFeatureBytes = kCoordinateBytes + 8;
    const std::uint64_t features = cursor.readLittleEndian(8);
    if (features > cursor.remaining() / kFeatureBytes)
        cursor.fail(fmt::format("{} points, {} bytes are left", features, cursor.remaining()));
    std::size_t count = 0;
    for (std::uint64_t i = 0; i < features; ++i) {
        const std::span<const std::byte> feature = cursor.read(kFeatureBytes);
        if (std::ranges::any_of(feature.subspan(kCoordinateBytes),
                                [](std::byte byte) { return byte != std::byte{0xff}; }))
            ++count;
    }
    return count;
}

}  // namespace

ColmapModel decodeColmapBinary(std::span<const std::byte> cameras,
                               std::span<const std::byte> images, const Path& folder) {
    const std::map<std::uint64_t, Lens> lenses = readBinaryLenses(cameras, folder / "cameras.bin");
    const Path file = folder / "images.bin";
    ByteCursor cursor(images, file);
    ColmapImages photos("COLMAP, binary", file);
    std::map<std::string, std::size_t> pointCounts;
    const std::uint64_t count = readCount(cursor, "images");
    for (std::uint64_t number = 0; number < count; ++number) {
        const std::uint64_t id = cursor.readLittleEndian(4);
        if (!photos.isNew(id)) cursor.fail(fmt::format("image {} occurs twice", id));
        ColmapPose pose{};
        for (double& value : pose) value = cursor.readLittleEndianDouble();
        if (!(quaternionLength(pose) > 0)) cursor.fail("a quaternion of length 0");
        const std::uint64_t camera = cursor.readLittleEndian(4);
        const auto lens = lenses.find(camera);
        if (lens == lenses.end())
            cursor.fail(fmt::format("camera {} is not in cameras.bin", camera));
        std::string name = readName(cursor);
        pointCounts[name] += readPointCount(cursor);
        photos.add(std::move(name), lens->second, pose, fmt::format("image {}", id));
    }
    requireEnd(cursor, count, "images");
    return {std::move(photos).finished(), std::move(pointCounts)};
}

const CameraFormat camera_formats::colmapText{.name = "COLMAP, text",
                                              .writers = "COLMAP",
                                              .files = {"images.txt", "cameras.txt"},
                                              .read = readColmapText};
const CameraFormat camera_formats::colmapBinary{.name = "COLMAP, binary",
                                                .writers = "COLMAP",
                                                .files = {"images.bin", "cameras.bin"},
                                                .read = readColmapBinary};

}  // namespace threefold
