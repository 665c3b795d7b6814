// poses_bounds.npy of LLFF: for each picture, in the order of the pictures' names, 17 numbers: a
// matrix of 3 × 5, whose columns are the camera's axes down, right and backward, its centre, and
// height, width and focal length; then the nearest and farthest depth. LLFF makes the file from
// COLMAP's cameras, with the principal point in the picture's centre.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/tensors/npy.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"

namespace threefold {
namespace {

constexpr std::size_t kRowNumbers = 17;

/// Scales the lens to a picture that was resized as a whole, as in images_4 and images_8.
void fitToPicture(Photo& photo) {
    Lens actual;
    if (!completeSize(actual, photo, PixelOrder::stored)) return;
    Lens& lens = photo.lens;
    const double scale = static_cast<double>(actual.width) / lens.width;
    if (std::abs(lens.height * scale - actual.height) > 1) return;
    lens.focalX *= scale;
    lens.focalY *= static_cast<double>(actual.height) / lens.height;
    lens.width = actual.width;
    lens.height = actual.height;
}

[[noreturn]] void failInLlff(const std::filesystem::path& file, std::string place,
                             std::string problem) {
    throw FormatError({file.string(), std::move(place), std::move(problem),
                       "Write it again, for instance with LLFF's imgs2poses.py."});
}

/// Photograph of a row: its camera, lens and `picture`, which may be empty.
Photo photoOfRow(std::span<const double> row, std::size_t number, std::filesystem::path picture,
                 const std::filesystem::path& file) {
    const std::string place = fmt::format("row {}", number);
    for (const double value : row)
        if (!std::isfinite(value)) failInLlff(file, place, fmt::format("holds {:g}", value));
    const auto at = [&](std::size_t axis, std::size_t column) { return row[5 * axis + column]; };
    PoseMatrix matrix{};
    matrix[3][3] = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
        matrix[axis] = {at(axis, 1), -at(axis, 0), at(axis, 2), at(axis, 3)};
    Photo photo;
    photo.image = std::move(picture);
    photo.name =
        photo.image.empty() ? fmt::format("picture {}", number) : photo.image.filename().string();
    Lens& lens = photo.lens;
    const std::pair<double, int*> sides[] = {{at(0, 4), &lens.height}, {at(1, 4), &lens.width}};
    for (const auto& [pixels, side] : sides) {
        if (pixels != std::floor(pixels) || pixels <= 0 || pixels > 1 << 30)
            failInLlff(file, place, fmt::format("{:g} is not a number of pixels", pixels));
        *side = static_cast<int>(pixels);
    }
    lens.focalX = lens.focalY = at(2, 4);
    fitToPicture(photo);
    photo.pose = poseOfMatrix(matrix, CameraAxes::opengl, MatrixConvention::cameraToWorld,
                              file.string(), place)
                     .pose;
    completeLens(photo, true, file, place);
    return photo;
}

}  // namespace

CameraFile decodeLlff(std::span<const std::byte> bytes, const std::filesystem::path& file) {
    const Array array = decodeNpy(bytes, file);
    if (array.shape.size() != 2 || array.shape[1] != kRowNumbers)
        failInLlff(file, "",
                   fmt::format("is an array {}, expected [N, 17]",
                               array.shape.size() <= 4 ? shapeText(array.shape) : "of many axes"));
    if (array.shape[0] > kMaxPosedPhotos)
        failInLlff(file, "",
                   fmt::format("{} cameras, at most {}", array.shape[0], kMaxPosedPhotos));
    const std::vector<double> values = array.toDouble();
    const std::filesystem::path folder = file.parent_path();
    const auto pictures =
        picturesInOrder({folder / "images", folder / "images_2", folder / "images_4",
                         folder / "images_8", folder / "image"},
                        array.shape[0], file);
    CameraFile read;
    read.format = "LLFF";
    for (std::size_t i = 0; i < array.shape[0]; ++i)
        read.photos.push_back(photoOfRow(std::span(values).subspan(kRowNumbers * i, kRowNumbers), i,
                                         pictures.empty() ? std::filesystem::path() : pictures[i],
                                         file));
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

CameraFile readLlff(const std::filesystem::path& file) {
    return decodeLlff(readFile(file, kMaxContentBytes), file);
}

/// Whether no COLMAP model lies beside LLFF's file. LLFF makes its file from such a model, which is
/// preferred, because LLFF's file lacks the distortion.
bool isLlffAlone(const std::filesystem::path& file) {
    for (const char* model :
         {"sparse/0/images.bin", "sparse/0/images.txt", "sparse/images.bin", "sparse/images.txt"})
        if (isFile(file.parent_path() / model)) return false;
    return true;
}

}  // namespace

const CameraFormat camera_formats::llff{.name = "LLFF",
                                        .writers = "LLFF, NeRF",
                                        .files = {"poses_bounds.npy"},
                                        .read = readLlff,
                                        .accepts = isLlffAlone};

}  // namespace threefold
