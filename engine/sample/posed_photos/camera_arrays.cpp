// cameras.npz and cameras_sphere.npz of IDR, NeuS and similar: for each picture, in the order of
// names, world_mat_0 … as K [R | t] of any scale, and scale_mat_0 …, which maps the unit sphere to
// a sphere around the object. IDR and NeuS cast rays through integer coordinates: the centre of the
// first pixel is at (0, 0). DVR and occupancy networks have [R | t] in world_mat and K in
// camera_mat: DVR's K gives coordinates from −1, the centre of the first pixel, to 1, the centre of
// the last; the K of occupancy networks gives pixels of a 137 × 137 rendering, counted from its
// corner.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/formats/tensors/npz.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/camera_matrices.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"
#include "engine/text.h"
#include "engine/utf8.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;
using Matrix34 = std::array<std::array<double, 4>, 3>;
using Matrix44 = PoseMatrix;

constexpr std::string_view kWorld = "world_mat_";

/// Matrices of one file by name.
class NamedMatrices {
  public:
    NamedMatrices(const ArrayMap& arrays, const Path& file) : arrays_(arrays), file_(file) {}

    bool has(const std::string& name) const { return arrays_.contains(name); }
    /// Reads a 4×4, 3×4 or 3×3 matrix, completed with rows and columns of the identity.
    Matrix44 get(const std::string& name) const {
        const auto match = arrays_.find(name);
        if (match == arrays_.end()) fail(name, "is missing");
        const Array& array = match->second;
        const std::vector<std::size_t>& shape = array.shape;
        const bool fits = shape.size() == 2 && (shape[0] == 3 || shape[0] == 4) &&
                          (shape[1] == 4 || (shape[0] == 3 && shape[1] == 3));
        if (!fits)
            fail(name, fmt::format("is an array {}, expected [4, 4] or [3, 4]",
                                   shape.size() <= 4 ? shapeText(shape) : "of many axes"));
        Matrix44 matrix{};
        for (std::size_t i = 0; i < 4; ++i) matrix[i][i] = 1;
        const std::vector<double> values = array.toDouble();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i])) fail(name, fmt::format("holds {:g}", values[i]));
            matrix[i / shape[1]][i % shape[1]] = values[i];
        }
        return matrix;
    }
    [[noreturn]] void fail(const std::string& name, const std::string& problem) const {
        throw FormatError({file_.string(), fmt::format("array '{}'", textPrefix(name, 40)), problem,
                           "Write world_mat_i and scale_mat_i as 4×4 matrices."});
    }

  private:
    const ArrayMap& arrays_;
    const Path& file_;
};

/// Picture indices of the arrays world_mat_.
std::set<std::size_t> pictureNumbersIn(const ArrayMap& arrays, const Path& file) {
    std::set<std::size_t> numbers;
    for (const auto& [name, array] : arrays) {
        if (!name.starts_with(kWorld)) continue;
        const auto number = parseNumber<std::size_t>(std::string_view(name).substr(kWorld.size()));
        if (number && *number < kMaxPosedPhotos) numbers.insert(*number);
    }
    if (numbers.empty())
        throw NotThisFormat({file.string(), "", "has no cameras: no array world_mat_0",
                             "Give IDR's or NeuS's cameras.npz; docs/OWN_DATA.md says more."});
    return numbers;
}

/// Upper three rows of a matrix product.
Matrix34 upperProduct(const Matrix44& left, const Matrix44& right) {
    Matrix34 product{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 4; ++column)
            for (std::size_t i = 0; i < 4; ++i)
                product[row][column] += left[row][i] * right[i][column];
    return product;
}

/// Conversion of a projection's coordinates to pixels: scale × coordinate + shift. By default, the
/// coordinates are pixels, and the centre of the first pixel is at (0, 0).
struct PlaneInPixels {
    double scaleX = 1, shiftX = kCentreToEdge, scaleY = 1, shiftY = kCentreToEdge;
    static constexpr double kCentreToEdge = 0.5;  // of a pixel
};

PlaneInPixels planeOf(const Matrix44& camera, const Lens& size) {
    constexpr double kNormalised = 1;
    constexpr double kRendering = 137;
    const bool normalised =
        std::abs(camera[0][2]) <= kNormalised && std::abs(camera[1][2]) <= kNormalised;
    if (normalised)
        return {(size.width - 1) / 2.0, size.width / 2.0, (size.height - 1) / 2.0,
                size.height / 2.0};
    return {size.width / kRendering, 0, size.height / kRendering, 0};
}

/// Whether masks or backgrounds of the photographs locate the object, more exactly than a sphere
/// does. Tests only the first picture, as pictures are large.
bool photosShowObject(const std::vector<Photo>& photos) {
    constexpr std::ptrdiff_t kMinPhotos = 6;
    const auto hasImage = [](const Photo& photo) { return !photo.image.empty(); };
    if (std::ranges::count_if(photos, hasImage) < kMinPhotos) return false;
    try {
        const Photo& first = *std::ranges::find_if(photos, hasImage);
        return foregroundOf(readPhotograph(first.image, first.mask)).has_value();
    } catch (const Error&) {
        return false;  // the error is reported when the view is chosen
    }
}

/// Sets the object's centre and size from the sphere of scale_mat, unless the photographs show the
/// object (photosShowObject()).
void placeBySphere(CameraFile& read, const Matrix44& scale, const NamedMatrices& matrices,
                   const std::string& name) {
    const double radius = glm::length(glm::dvec3(scale[0][0], scale[1][0], scale[2][0]));
    if (!(radius > 0) || radius > kMaxWorldCoordinate)
        matrices.fail(name, fmt::format("puts a sphere of radius {:g} around the object", radius));
    if (photosShowObject(read.photos)) return;
    read.placement.centre = glm::dvec3(scale[0][3], scale[1][3], scale[2][3]);
    read.placement.size = 2 * radius;
}

void failWithoutPicture(const Path& file, const std::string& place, const Photo& photo) {
    throw InputError(
        {file.string(), place,
         fmt::format("the picture '{}' is needed for its size, and was not found", photo.name),
         "Put the pictures into a folder image beside the file."});
}

/// Photograph with the matrices numbered `number`, and with `picture`, which may be empty.
Photo photoOfMatrices(const NamedMatrices& matrices, std::size_t number, Path picture,
                      const Path& file) {
    const std::string name = fmt::format("{}{}", kWorld, number);
    const std::string place = fmt::format("array '{}'", name);
    Photo photo;
    photo.image = std::move(picture);
    photo.name =
        photo.image.empty() ? fmt::format("picture {}", number) : photo.image.filename().string();
    Matrix44 world = matrices.get(name);
    const std::string cameraName = fmt::format("camera_mat_{}", number);
    PlaneInPixels plane;
    Matrix44 camera{};
    for (std::size_t i = 0; i < 4; ++i) camera[i][i] = 1;
    if (matrices.has(cameraName)) {
        camera = matrices.get(cameraName);
        if (!completeSize(photo.lens, photo, PixelOrder::stored))
            failWithoutPicture(file, place, photo);
        plane = planeOf(camera, photo.lens);
    }
    const DecomposedProjection projection =
        decomposeProjection(upperProduct(camera, world), file, place);
    Lens& lens = photo.lens;
    setIntrinsics(lens, projection.intrinsics, 0, file, place);
    lens.focalX *= plane.scaleX;
    lens.focalY *= plane.scaleY;
    lens.principalX = lens.principalX * plane.scaleX + plane.shiftX;
    lens.principalY = lens.principalY * plane.scaleY + plane.shiftY;
    photo.pose = poseOfMatrix(projection.worldToCamera, CameraAxes::opencv,
                              MatrixConvention::worldToCamera, file.string(), place)
                     .pose;
    completeLens(photo, false, file, place);
    return photo;
}

}  // namespace

CameraFile decodeCameraArrays(std::span<const std::byte> bytes, const Path& file) {
    const ArrayMap arrays = decodeNpz(bytes, file);
    const NamedMatrices matrices(arrays, file);
    const std::set<std::size_t> numbers = pictureNumbersIn(arrays, file);
    const Path folder = file.parent_path();
    const std::vector<Path> pictures =
        picturesInOrder({folder / "image", folder / kImagesFolder, folder / "rgb", folder},
                        *numbers.rbegin() + 1, file);
    CameraFile read;
    read.format = file.filename() == "cameras.npz" ? "IDR" : "NeuS";
    for (const std::size_t number : numbers)
        read.photos.push_back(
            photoOfMatrices(matrices, number, pictures.empty() ? Path() : pictures[number], file));
    if (!pictures.empty()) noteLeftOut(read, pictures.size() - numbers.size(), file);
    const std::string scale = fmt::format("scale_mat_{}", *numbers.begin());
    // DVR's scale_mat describes a cube, which bounds the object less well.
    if (matrices.has(scale) && !matrices.has(fmt::format("camera_mat_{}", *numbers.begin())))
        placeBySphere(read, matrices.get(scale), matrices, scale);
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

CameraFile readCameraArrays(const Path& file) {
    return decodeCameraArrays(readFile(file, kMaxContentBytes), file);
}

}  // namespace

const CameraFormat camera_formats::neus{.name = "NeuS",
                                        .writers = "NeuS, IDR",
                                        .files = {"cameras_sphere.npz"},
                                        .read = readCameraArrays};
const CameraFormat camera_formats::idr{.name = "IDR",
                                       .writers = "IDR, DVR, occupancy networks",
                                       .files = {"cameras.npz"},
                                       .read = readCameraArrays};

}  // namespace threefold
