#include "engine/sample/posed_photos/virtual_camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "engine/views/bilinear.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

/// Box-filters an image by `factor`, so that all pixels contribute when an image is strongly
/// reduced. Transparent pixels count as white (METHOD.md §3); alpha is rounded up, as only 0 is
/// transparent to the network. Drops the last columns and rows if they do not fill a block.
Image boxFiltered(const Image& image, int factor) {
    Image result;
    result.width = image.width / factor;
    result.height = image.height / factor;
    result.rgba.resize(4 * static_cast<std::size_t>(result.width) *
                       static_cast<std::size_t>(result.height));
    const auto stride = 4 * static_cast<std::size_t>(image.width);
    std::uint8_t* out = result.rgba.data();
    const auto pixels = static_cast<std::uint32_t>(factor * factor);
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x, out += 4) {
            std::array<std::uint32_t, 3> sum{};
            std::uint32_t alpha = 0;
            for (int dy = 0; dy < factor; ++dy) {
                const std::uint8_t* in = image.rgba.data() +
                                         stride * static_cast<std::size_t>(y * factor + dy) +
                                         4 * static_cast<std::size_t>(x * factor);
                for (int dx = 0; dx < factor; ++dx, in += 4) {
                    const bool isOpaque = in[3] != 0;
                    alpha += in[3];
                    for (std::size_t c = 0; c < 3; ++c) sum[c] += isOpaque ? in[c] : 255U;
                }
            }
            for (std::size_t c = 0; c < 3; ++c)
                out[c] = static_cast<std::uint8_t>((sum[c] + pixels / 2) / pixels);
            out[3] = static_cast<std::uint8_t>((alpha + pixels - 1) / pixels);
        }
    return result;
}

/// Samples bilinearly between pixel centres, with the border repeated. Rounds alpha up, as
/// boxFiltered() does.
void sample(const Image& image, glm::dvec2 at, std::uint8_t* out) {
    const PictureCell cell = pictureCell(at, image.width, image.height);
    std::array<double, 3> sum{};
    double alpha = 0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
        const std::uint8_t* pixel = image.rgba.data() + 4 * cell.pixels[corner];
        const double weight = bilinearWeight(cell.fraction, corner);
        const bool isOpaque = pixel[3] != 0;
        alpha += weight * pixel[3];
        for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * (isOpaque ? pixel[c] : 255);
    }
    for (std::size_t c = 0; c < 3; ++c) out[c] = static_cast<std::uint8_t>(std::lround(sum[c]));
    constexpr double kRounding = 1e-9;  // error of the weights, whose sum is 1
    out[3] = static_cast<std::uint8_t>(std::ceil(alpha - kRounding));
}

/// Whether a mask shows the object at `at`, in the mask's pixels: its bilinear value is at least
/// one half.
bool isInside(const Mask& mask, glm::dvec2 at) {
    const PictureCell cell = pictureCell(at, mask.width, mask.height);
    const auto value = [&](std::size_t corner) {
        return mask.inside[cell.pixels[corner]] != 0 ? 1.0 : 0.0;
    };
    const double u = cell.fraction.x;
    const double v = cell.fraction.y;
    return (1 - v) * ((1 - u) * value(0) + u * value(1)) +
               v * ((1 - u) * value(2) + u * value(3)) >=
           0.5;
}

/// Mask image of a photograph. `pointOf` maps a pixel of the photograph to a point in the pixels of
/// `mask`; nullopt: black.
template <class PointOf>
Image maskOfPhotograph(ImageSize size, const Mask& mask, const PointOf& pointOf) {
    Image image{size.width, size.height, {}};
    image.rgba.reserve(4 * static_cast<std::size_t>(size.width) *
                       static_cast<std::size_t>(size.height));
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const std::optional<glm::dvec2> at = pointOf(glm::dvec2(x + 0.5, y + 0.5));
            const bool isInPicture =
                at && at->x >= 0 && at->y >= 0 && at->x <= mask.width && at->y <= mask.height;
            const auto grey =
                static_cast<std::uint8_t>(isInPicture && isInside(mask, *at) ? 255 : 0);
            image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
        }
    return image;
}

}  // namespace

VirtualCamera::VirtualCamera(const Lens& lens, const glm::dmat3& rotation, double zoom)
    : lens_(lens), rotation_(rotation), focalLength_(zoom * kFocalLength), projection_(lens) {}

std::optional<glm::dvec2> VirtualCamera::project(double x, double y) const {
    return projection_.project(rotation_ * glm::dvec3((x - kPrincipalPoint) / focalLength_,
                                                      (kPrincipalPoint - y) / focalLength_, -1));
}

std::optional<glm::dvec2> VirtualCamera::pictureOf(glm::dvec2 pixel) const {
    const std::optional<glm::dvec3> inPhotograph = directionThrough(lens_, pixel);
    if (!inPhotograph) return std::nullopt;
    const glm::dvec3 direction = glm::transpose(rotation_) * *inPhotograph;
    if (!(direction.z < 0)) return std::nullopt;
    return glm::dvec2(kPrincipalPoint - focalLength_ * direction.x / direction.z,
                      kPrincipalPoint + focalLength_ * direction.y / direction.z);
}

bool VirtualCamera::isIdentity() const {
    constexpr double kTolerance = 0.01;
    for (const double x : {0.0, kPrincipalPoint, 2 * kPrincipalPoint})
        for (const double y : {0.0, kPrincipalPoint, 2 * kPrincipalPoint}) {
            const auto pixel = project(x, y);
            if (!pixel) return false;
            const glm::dvec2 scaled(pixel->x * kInputSide / lens_.width,
                                    pixel->y * kInputSide / lens_.height);
            if (glm::length(scaled - glm::dvec2(x, y)) > kTolerance) return false;
        }
    return true;
}

Image VirtualCamera::resample(const Image& photograph, ViewResolution resolution,
                              std::vector<std::uint8_t>& isInPhoto) const {
    const double pixels =
        std::min(lens_.focalX, lens_.focalY) / focalLength_;  // photograph pixels per network pixel
    const int side = resolution == ViewResolution::network
                         ? kInputSide
                         : static_cast<int>(std::lround(std::clamp<double>(
                               kInputSide * pixels, kMinViewSide, kMaxViewSide)));
    constexpr double kMaxFactor = 64;
    const int factor = static_cast<int>(std::clamp(pixels * kInputSide / side, 1.0, kMaxFactor));
    const int blockSide = std::min({factor, lens_.width, lens_.height});
    const Image small = blockSide > 1 ? boxFiltered(photograph, blockSide) : Image{};
    const Image& source = blockSide > 1 ? small : photograph;

    Image result;
    result.width = result.height = side;
    result.rgba.assign(4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 255);
    isInPhoto.assign(result.rgba.size() / 4, 0);
    const double step = static_cast<double>(kInputSide) / side;
    std::uint8_t* known = isInPhoto.data();
    std::uint8_t* out = result.rgba.data();
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x, out += 4, ++known) {
            const auto pixel = project(step * (x + 0.5), step * (y + 0.5));
            if (pixel && lens_.contains(*pixel)) {
                sample(source, *pixel / static_cast<double>(blockSide), out);
                *known = 1;
            } else {
                out[3] = 0;
            }
        }
    }
    return result;
}

Image VirtualCamera::resample(const Image& photograph, ViewResolution resolution) const {
    std::vector<std::uint8_t> isInPhoto;
    return resample(photograph, resolution, isInPhoto);
}

ObjectView VirtualCamera::objectView(Image photograph) const {
    const std::optional<Mask> object = foregroundOf(photograph);
    // Makes a white background transparent: next to the transparent pixels outside the photograph,
    // white would count as the object.
    for (std::size_t i = 0; object && i < object->inside.size(); ++i)
        if (object->inside[i] == 0 && photograph.rgba[4 * i + 3] == 255)
            photograph.rgba[4 * i + 3] = 0;
    std::vector<std::uint8_t> isInPhoto;
    ObjectView view{resample(photograph, ViewResolution::photograph, isInPhoto), {}};
    if (!object) return view;
    view.mask = foregroundOf(view.picture);
    if (!view.mask || view.mask->inside == isInPhoto) return {std::move(view.picture), {}};
    if (std::ranges::count(isInPhoto, 0) > 0) view.mask->known = std::move(isInPhoto);
    return view;
}

PhotoMapping VirtualCamera::toPhoto() const {
    return [camera = *this](glm::dvec2 pixel) -> std::optional<NormalizedPoint> {
        auto point = camera.project(pixel.x, pixel.y);
        if (point) *point /= glm::dvec2(camera.lens_.width, camera.lens_.height);
        return point;
    };
}

Image VirtualCamera::photoMask(const Mask& mask) const {
    const double scale = double(mask.width) / kInputSide;
    return maskOfPhotograph({lens_.width, lens_.height}, mask, [&](glm::dvec2 pixel) {
        auto at = pictureOf(pixel);
        if (at) *at *= scale;
        return at;
    });
}

bool isAsTrained(const CameraRow& row) {
    return !row.hasOwnFieldOfView() && row.inPlaneRotation == 0 && Camera::fromRow(row).zoom == 1;
}

std::optional<VirtualCamera> virtualCameraOfRow(const CameraRow& row, ImageSize picture) {
    const bool square = picture.width == picture.height;
    if (isAsTrained(row) || !(square || row.hasOwnFieldOfView())) return {};
    const double longer = std::max(picture.width, picture.height);
    const double focal = row.hasOwnFieldOfView()
                             ? longer / (2 * std::tan(glm::radians(row.fieldOfView) / 2))
                             : longer * kFocalLength / kInputSide;
    const Lens lens{picture.width, picture.height,      focal,
                    focal,         picture.width / 2.0, picture.height / 2.0};
    const double roll = glm::radians(row.inPlaneRotation);
    const glm::dmat3 rotation(std::cos(roll), -std::sin(roll), 0, std::sin(roll), std::cos(roll), 0,
                              0, 0, 1);
    return VirtualCamera(lens, rotation, Camera::fromRow(row).zoom);
}

Image scaledMaskImage(ImageSize size, const Mask& mask) {
    const glm::dvec2 scale(double(mask.width) / size.width, double(mask.height) / size.height);
    return maskOfPhotograph(size, mask,
                            [&](glm::dvec2 pixel) { return std::optional(pixel * scale); });
}

}  // namespace threefold
