// Cameras as text files of numbers: MVSNet's cams/00000000_cam.txt, Middlebury's name_par.txt, and
// the three matrices of neural deferred shading beside each picture. Poses are world to camera, in
// OpenCV's axes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/camera_matrices.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"
#include "engine/text.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr std::uintmax_t kMaxCameraTextBytes = std::uintmax_t{4} << 20;

Matrix3 matrix3(const std::vector<double>& values, std::size_t offset) {
    Matrix3 matrix{};
    for (std::size_t i = 0; i < 9; ++i) matrix[i / 3][i % 3] = values[offset + i];
    return matrix;
}

PoseMatrix worldToCamera(const Matrix3& rotation, const std::vector<double>& values,
                         std::size_t offset) {
    PoseMatrix pose{};
    pose[3][3] = 1;
    for (std::size_t row = 0; row < 3; ++row) {
        std::ranges::copy(rotation[row], pose[row].begin());
        pose[row][3] = values[offset + row];
    }
    return pose;
}

/// Names of the files in `folder` with this ending, without the ending, in natural order.
std::vector<std::string> stemsIn(const Path& folder, std::string_view ending) {
    std::vector<std::string> stems;
    for (const Path& entry : tryListFolder(folder)) {
        const std::string name = entry.filename();
        if (!name.ends_with(ending) || name.size() == ending.size()) continue;
        stems.push_back(name.substr(0, name.size() - ending.size()));
    }
    std::ranges::sort(stems, naturalLess);
    if (stems.size() > kMaxPosedPhotos)
        throw FormatError(
            {folder.string(), "",
             fmt::format("holds {} files '*{}', at most {}", stems.size(), ending, kMaxPosedPhotos),
             "Give a folder with fewer."});
    return stems;
}

constexpr std::string_view kMvsnetEnd = "_cam.txt";

void expectWord(TextScanner& scanner, std::string_view expected) {
    const std::string_view word = scanner.nextWordOfText();
    if (word != expected)
        scanner.fail(
            fmt::format("found '{}'; expected the word '{}'", textPrefix(word, 40), expected));
}

std::vector<double> numbersOf(TextScanner& scanner, std::size_t count, std::string_view expected) {
    std::vector<double> values;
    while (values.size() < count) {
        const std::string_view word = scanner.nextWordOfText();
        if (word.empty()) scanner.fail(fmt::format("ends here; expected {}", expected));
        values.push_back(scanner.toDouble(word, expected));
    }
    return values;
}

}  // namespace

// MVSNet warps pictures with the centre of the first pixel at (0.5, 0.5), as in COLMAP, the source
// of its cameras.
void decodeMvsnet(std::span<const std::byte> bytes, const Path& file, Photo& photo) {
    TextScanner scanner(asText(bytes), file);
    expectWord(scanner, "extrinsic");
    const std::size_t line = scanner.line() + 1;
    const std::vector<double> pose = numbersOf(scanner, 16, "the extrinsic matrix");
    expectWord(scanner, "intrinsic");
    const std::vector<double> intrinsics = numbersOf(scanner, 9, "the intrinsic matrix");
    const std::string place = fmt::format("line {}", scanner.line() - 2);
    // Skips the range of depths; a file without one is truncated.
    numbersOf(scanner, 2, "the range of depths");
    PoseMatrix matrix{};
    for (std::size_t i = 0; i < pose.size(); ++i) matrix[i / 4][i % 4] = pose[i];
    photo.pose = poseOfMatrix(matrix, CameraAxes::opencv, MatrixConvention::worldToCamera,
                              file.string(), fmt::format("line {}", line))
                     .pose;
    setIntrinsics(photo.lens, matrix3(intrinsics, 0), 0, file, place);
    completeLens(photo, false, file, place);
}

namespace {

CameraFile readMvsnet(const Path& file) {
    const Path folder = file.parent_path();
    CameraFile read;
    read.format = "MVSNet";
    for (const std::string& stem : stemsIn(folder, kMvsnetEnd)) {
        const Path cameraFile = folder / (stem + std::string(kMvsnetEnd));
        Photo photo;
        photo.name = stem;
        photo.image = findPhotoAround(folder.parent_path(), stem);
        if (!photo.image.empty()) photo.name = photo.image.filename();
        decodeMvsnet(readFile(cameraFile, kMaxCameraTextBytes), cameraFile, photo);
        read.photos.push_back(std::move(photo));
    }
    turnUpright(read, PixelOrder::stored);
    return read;
}

}  // namespace

// Middlebury's cameras are from Bouguet's toolbox, which counts from the centre of the first pixel.
CameraFile decodeMiddlebury(std::span<const std::byte> bytes, const Path& file) {
    constexpr double kPrincipalPointShift = 0.5;
    TextScanner scanner(asText(bytes), file);
    const std::string_view first = scanner.nextWordOfText();
    const std::int64_t count = scanner.toInteger(first, "the number of pictures");
    if (count < 1 || count > static_cast<std::int64_t>(kMaxPosedPhotos))
        scanner.fail(fmt::format("{} pictures, expected 1 to {}", count, kMaxPosedPhotos));
    scanner.nextLine();
    CameraFile read;
    read.format = "Middlebury";
    for (std::int64_t i = 0; i < count; ++i) {
        Photo photo;
        photo.name = scanner.nextWordOfText();
        if (photo.name.empty()) scanner.fail(fmt::format("ends after {} of {} pictures", i, count));
        std::vector<double> values;
        constexpr std::size_t kNumbers = 21;
        while (values.size() < kNumbers)
            values.push_back(scanner.requireDouble("a number of K, R or t"));
        const std::string place = fmt::format("line {}", scanner.line());
        if (scanner.hasWord()) scanner.fail(fmt::format("more than {} numbers", kNumbers));
        photo.image = findPhotoAround(file.parent_path(), photo.name);
        photo.pose = poseOfMatrix(worldToCamera(matrix3(values, 9), values, 18), CameraAxes::opencv,
                                  MatrixConvention::worldToCamera, file.string(), place)
                         .pose;
        setIntrinsics(photo.lens, matrix3(values, 0), kPrincipalPointShift, file, place);
        completeLens(photo, false, file, place);
        read.photos.push_back(std::move(photo));
    }
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

CameraFile readMiddlebury(const Path& file) {
    return decodeMiddlebury(readFile(file, kMaxCameraTextBytes), file);
}

// The renderer of neural deferred shading maps 0 … width to OpenGL's −1 … 1: pixels count from the
// corner of the first pixel.
CameraFile readDeferredShading(const Path& file) {
    const Path folder = file.parent_path();
    CameraFile read;
    read.format = "neural deferred shading";
    for (const std::string& stem : stemsIn(folder, "_k.txt")) {
        const auto numbersIn = [&](const char* suffix, std::size_t count, Path& source) {
            source = folder / (stem + suffix);
            return decodeNumbers(readFile(source, kMaxCameraTextBytes), source, count);
        };
        Path intrinsicsFile, rotationFile, translationFile;
        const std::vector<double> intrinsics = numbersIn("_k.txt", 9, intrinsicsFile);
        const std::vector<double> rotation = numbersIn("_r.txt", 9, rotationFile);
        const std::vector<double> translation = numbersIn("_t.txt", 3, translationFile);
        Photo photo;
        photo.image = findPhotoAround(folder, stem);
        photo.name = photo.image.empty() ? stem : photo.image.filename().string();
        photo.pose =
            poseOfMatrix(worldToCamera(matrix3(rotation, 0), translation, 0), CameraAxes::opencv,
                         MatrixConvention::worldToCamera, rotationFile.string(), "")
                .pose;
        setIntrinsics(photo.lens, matrix3(intrinsics, 0), 0, intrinsicsFile, "");
        completeLens(photo, false, intrinsicsFile, "");
        read.photos.push_back(std::move(photo));
    }
    turnUpright(read, PixelOrder::stored);
    return read;
}

}  // namespace

const CameraFormat camera_formats::mvsnet{.name = "MVSNet",
                                          .writers = "MVSNet, BlendedMVS, DTU",
                                          .files = {"cams/*_cam.txt"},
                                          .read = readMvsnet};
const CameraFormat camera_formats::middlebury{.name = "Middlebury",
                                              .writers = "Middlebury multi-view",
                                              .files = {"*_par.txt"},
                                              .read = readMiddlebury};
const CameraFormat camera_formats::neuralDeferredShading{.name = "neural deferred shading",
                                                         .writers = "Neural Deferred Shading",
                                                         .files = {"*_k.txt", "*_r.txt", "*_t.txt"},
                                                         .read = readDeferredShading};

}  // namespace threefold
