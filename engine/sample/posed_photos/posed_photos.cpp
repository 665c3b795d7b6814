#include "engine/sample/posed_photos/posed_photos.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

constexpr const char* kSizeRemedy =
    "Use the photographs that the cameras were made for, or scale width, height and intrinsics.";

std::string sizeProblem(int width, int height, const Lens& lens) {
    return fmt::format("is {} × {} pixels, its camera is for {} × {}", width, height, lens.width,
                       lens.height);
}

CameraRow rowOf(const Photo& photo, const SimilarityTransform& world) {
    constexpr double kDegrees = 180 / std::numbers::pi;
    const glm::dvec3 position = world.apply(photo.camera.centre);
    CameraRow row;
    row.distance = glm::length(position);
    if (row.distance == 0) return {0, 0, 0, 1, 25};  // unusable; examine() reports the reason
    row.elevation = std::asin(std::clamp(position.y / row.distance, -1.0, 1.0)) * kDegrees;
    glm::dvec2 horizontal(position.x, position.z);
    constexpr double kVertical = 1e-6;
    if (glm::length(horizontal) < kVertical * row.distance) {
        // Straight above or below, any azimuth fits: uses the one that keeps the photograph's up.
        const glm::dvec3 up = world.rotation * (glm::transpose(photo.camera.rotation)[1]);
        horizontal = glm::dvec2(up.x, up.z) * (position.y > 0 ? -1.0 : 1.0);
    }
    row.azimuth = std::atan2(horizontal.y, horizontal.x) * kDegrees;
    return row;
}

void examine(PosedPhoto& view, const ObjectFrame& frame) {
    const Photo& photo = view.photo;
    const auto refuse = [&](std::string problem, std::string remedy) {
        view.problem = std::move(problem);
        view.remedy = std::move(remedy);
    };
    if (photo.image.empty())
        return refuse(fmt::format("its image '{}' was not found", photo.name),
                      "Put it where the file says (COLMAP: in the folder images), choose other "
                      "views, or remove it from the file.");
    try {
        const ImageInfo head = readImageInfo(photo.image);
        const ImageSize size = head.size();
        if (photo.mirrored)
            return refuse(fmt::format("its image {} is stored mirrored, by its EXIF, and its "
                                      "camera is of the stored pixels",
                                      photo.name),
                          "Save it as it should be seen, without an orientation.");
        if (size.width != photo.lens.width || size.height != photo.lens.height)
            return refuse(fmt::format("its image {} {}", photo.name,
                                      sizeProblem(size.width, size.height, photo.lens)),
                          kSizeRemedy);
    } catch (const Error& error) {
        return refuse(fmt::format("its image {} {}", photo.name, error.report().problem),
                      error.report().remedy);
    }
    const glm::dvec3 centre = photo.camera.toView(*frame.placement.centre);
    view.showsObject = false;
    if (centre.z >= 0)
        return refuse(fmt::format("the object's centre lies {:.3g} behind its camera", centre.z),
                      "Check the convention of the matrices, and the object's centre.");
    const auto pixel = LensProjection(photo.lens).pixelOf(centre);
    if (!pixel || !photo.lens.contains(*pixel))
        return refuse(pixel
                          ? fmt::format("the object's centre lies outside its photograph, at pixel "
                                        "({:.0f}, {:.0f}) of {} × {}",
                                        pixel->x, pixel->y, photo.lens.width, photo.lens.height)
                          : "the object's centre lies outside its photograph",
                      "Check its camera, and the object's centre.");
    view.showsObject = true;
}

/// Virtual camera rotated about the centre of a photograph's camera, to resample the photograph.
class TurnedView {
  public:
    /// `turn` rotates directions of the network's camera to the photograph's.
    TurnedView(const Lens& lens, const glm::dmat3& turn, double zoom)
        : lens_(lens), turn_(turn), focal_(zoom * kFocalLength), projection_(lens) {}

    /// Projects a pixel of the 224×224 picture into the photograph.
    std::optional<glm::dvec2> pixelOf(double x, double y) const {
        return projection_.pixelOf(
            turn_ * glm::dvec3((x - kImageCentre) / focal_, (kImageCentre - y) / focal_, -1));
    }

    /// Projects a pixel as pixelOf(), in fractions of the photograph's sides.
    std::optional<PicturePoint> relativePointOf(glm::dvec2 pixel) const {
        auto point = pixelOf(pixel.x, pixel.y);
        if (point) *point /= glm::dvec2(lens_.width, lens_.height);
        return point;
    }

    /// Projects a pixel of the photograph into the 224×224 picture: inverts pixelOf(). None behind
    /// the virtual camera, and where the lens has no ray.
    std::optional<glm::dvec2> pictureOf(glm::dvec2 pixel) const {
        const std::optional<glm::dvec3> inPhotograph = rayThrough(lens_, pixel);
        if (!inPhotograph) return std::nullopt;
        const glm::dvec3 ray = glm::transpose(turn_) * *inPhotograph;
        if (!(ray.z < 0)) return std::nullopt;
        return glm::dvec2(kImageCentre - focal_ * ray.x / ray.z,
                          kImageCentre + focal_ * ray.y / ray.z);
    }

    ImageSize size() const { return {lens_.width, lens_.height}; }

    /// Whether the photograph only needs resizing.
    bool onlyResizes() const {
        constexpr double kTolerance = 0.01;
        for (const double x : {0.0, kImageCentre, 2 * kImageCentre})
            for (const double y : {0.0, kImageCentre, 2 * kImageCentre}) {
                const auto pixel = pixelOf(x, y);
                if (!pixel) return false;
                const glm::dvec2 scaled(pixel->x * kImageSize / lens_.width,
                                        pixel->y * kImageSize / lens_.height);
                if (glm::length(scaled - glm::dvec2(x, y)) > kTolerance) return false;
            }
        return true;
    }

    /// Resamples the photograph; sets `reached` to 1 for pixels inside the photograph, else 0.
    Image resample(const Image& photograph, ViewResolution resolution,
                   std::vector<std::uint8_t>& reached) const;

  private:
    Lens lens_;
    glm::dmat3 turn_;
    double focal_;
    LensProjection projection_;
};

/// Box-filters an image by `factor`, so that all pixels contribute to a strong reduction.
/// Transparent pixels count as white (METHOD.md §3); alpha is rounded up, as only 0 is transparent
/// to the network. Drops columns and rows that do not fill a last block.
Image shrunk(const Image& image, int factor) {
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

/// Samples bilinearly between pixel centres, with the border repeated. Rounds alpha up, as shrunk()
/// does.
void sample(const Image& image, glm::dvec2 at, std::uint8_t* out) {
    const double x = std::clamp(at.x - 0.5, 0.0, image.width - 1.0);
    const double y = std::clamp(at.y - 0.5, 0.0, image.height - 1.0);
    const auto left = static_cast<std::size_t>(x);
    const auto top = static_cast<std::size_t>(y);
    const std::size_t right =
        std::min<std::size_t>(left + 1, static_cast<std::size_t>(image.width) - 1);
    const std::size_t bottom =
        std::min<std::size_t>(top + 1, static_cast<std::size_t>(image.height) - 1);
    const double u = x - static_cast<double>(left);
    const double v = y - static_cast<double>(top);
    struct Corner {
        std::size_t x, y;
        double weight;
    };
    std::array<double, 3> sum{};
    double alpha = 0;
    for (const Corner& corner :
         {Corner{left, top, (1 - u) * (1 - v)}, Corner{right, top, u * (1 - v)},
          Corner{left, bottom, (1 - u) * v}, Corner{right, bottom, u * v}}) {
        const std::uint8_t* pixel =
            image.rgba.data() + 4 * (corner.y * static_cast<std::size_t>(image.width) + corner.x);
        const bool isOpaque = pixel[3] != 0;
        alpha += corner.weight * pixel[3];
        for (std::size_t c = 0; c < 3; ++c) sum[c] += corner.weight * (isOpaque ? pixel[c] : 255);
    }
    for (std::size_t c = 0; c < 3; ++c) out[c] = static_cast<std::uint8_t>(std::lround(sum[c]));
    constexpr double kRounding = 1e-9;  // error of the weights, whose sum is 1
    out[3] = static_cast<std::uint8_t>(std::ceil(alpha - kRounding));
}

Image TurnedView::resample(const Image& photograph, ViewResolution resolution,
                           std::vector<std::uint8_t>& reached) const {
    const double pixels =
        std::min(lens_.focalX, lens_.focalY) / focal_;  // photograph pixels per network pixel
    const int side = resolution == ViewResolution::network
                         ? kImageSize
                         : static_cast<int>(std::lround(std::clamp<double>(
                               kImageSize * pixels, kMinViewSide, kMaxViewSide)));
    constexpr double kMaxFactor = 64;
    const int factor = static_cast<int>(std::clamp(pixels * kImageSize / side, 1.0, kMaxFactor));
    const int blockSide = std::min({factor, lens_.width, lens_.height});
    const Image small = blockSide > 1 ? shrunk(photograph, blockSide) : Image{};
    const Image& source = blockSide > 1 ? small : photograph;

    Image result;
    result.width = result.height = side;
    result.rgba.assign(4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 255);
    reached.assign(result.rgba.size() / 4, 0);
    const double step = static_cast<double>(kImageSize) / side;
    std::uint8_t* isReached = reached.data();
    std::uint8_t* out = result.rgba.data();
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x, out += 4, ++isReached) {
            const auto pixel = pixelOf(step * (x + 0.5), step * (y + 0.5));
            if (pixel && lens_.contains(*pixel)) {
                sample(source, *pixel / static_cast<double>(blockSide), out);
                *isReached = 1;
            } else {
                out[3] = 0;
            }
        }
    }
    return result;
}

ObjectView objectIn(Image photograph, const TurnedView& turned) {
    const std::optional<Mask> object = foregroundOf(photograph);
    // Makes a white background transparent: next to the transparent pixels outside the photograph,
    // white would count as the object.
    for (std::size_t i = 0; object && i < object->inside.size(); ++i)
        if (object->inside[i] == 0 && photograph.rgba[4 * i + 3] == 255)
            photograph.rgba[4 * i + 3] = 0;
    std::vector<std::uint8_t> reached;
    ObjectView view{turned.resample(photograph, ViewResolution::photograph, reached), {}};
    if (!object) return view;
    view.mask = foregroundOf(view.picture);
    if (!view.mask || view.mask->inside == reached) return {std::move(view.picture), {}};
    if (std::ranges::count(reached, 0) > 0) view.mask->known = std::move(reached);
    return view;
}

/// Virtual camera for a camera row; none if the picture stays unchanged.
std::optional<TurnedView> turnedView(const CameraRow& row, ImageSize picture) {
    const bool square = picture.width == picture.height;
    if (isAsTrained(row) || !(square || row.hasOwnLens())) return {};
    const double longer = std::max(picture.width, picture.height);
    const double focal = row.hasOwnLens()
                             ? longer / (2 * std::tan(glm::radians(row.fieldOfView) / 2))
                             : longer * kFocalLength / kImageSize;
    const Lens lens{picture.width, picture.height,      focal,
                    focal,         picture.width / 2.0, picture.height / 2.0};
    const double roll = glm::radians(row.inPlane);
    const glm::dmat3 turn(std::cos(roll), -std::sin(roll), 0, std::sin(roll), std::cos(roll), 0, 0,
                          0, 1);
    return TurnedView(lens, turn, Camera::fromRow(row).zoom);
}

/// Whether a mask shows the object at a point, in its pixels: bilinear, half or more.
bool isInside(const Mask& mask, glm::dvec2 at) {
    const double x = std::clamp(at.x - 0.5, 0.0, mask.width - 1.0);
    const double y = std::clamp(at.y - 0.5, 0.0, mask.height - 1.0);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const double u = x - left, v = y - top;
    const auto value = [&](int column, int row) {
        const auto index = static_cast<std::size_t>(std::min(row, mask.height - 1)) *
                               static_cast<std::size_t>(mask.width) +
                           static_cast<std::size_t>(std::min(column, mask.width - 1));
        return mask.inside[index] != 0 ? 1.0 : 0.0;
    };
    return (1 - v) * ((1 - u) * value(left, top) + u * value(left + 1, top)) +
               v * ((1 - u) * value(left, top + 1) + u * value(left + 1, top + 1)) >=
           0.5;
}

/// Mask of a photograph; `pointOf` maps its pixels to points of `mask`, in its pixels, if any.
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

Image maskOfPhotograph(const TurnedView& turned, const Mask& mask) {
    const double scale = double(mask.width) / kImageSize;
    return maskOfPhotograph(turned.size(), mask, [&](glm::dvec2 pixel) {
        auto at = turned.pictureOf(pixel);
        if (at) *at *= scale;
        return at;
    });
}

TurnedView turnedView(const PosedPhoto& view, const SimilarityTransform& world) {
    const Camera camera = Camera::fromRow(view.row);
    const glm::dmat3 turn = view.photo.camera.rotation * glm::transpose(world.rotation) *
                            glm::transpose(camera.rotation);
    return {view.photo.lens, turn, camera.zoom};
}

TurnedView turnedView(const PosedPhoto& view, const SimilarityTransform& world,
                      const Image& photograph) {
    const Lens& lens = view.photo.lens;
    if (photograph.width != lens.width || photograph.height != lens.height)
        throw InputError({view.photo.image.string(), "",
                          sizeProblem(photograph.width, photograph.height, lens), kSizeRemedy});
    return turnedView(view, world);
}

}  // namespace

namespace {

/// Camera for the inverse of its matrix, in OpenGL's or OpenCV's axes.
Camera inverted(const Camera& camera, CameraAxes axes) {
    Camera result = camera;
    result.rotation = glm::transpose(camera.rotation);
    result.centre = -(camera.rotation * camera.centre);
    if (axes == CameraAxes::opencv)
        result.rotation =
            glm::dmat3(glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1)) *
            result.rotation;
    return result;
}

/// Runs placeObject(). If the cameras agree on an object only with inverted matrices, the error
/// says so.
ObjectFrame frameOf(const std::vector<Photo>& photos, const ObjectPlacement& object,
                    const std::filesystem::path& file) try {
    return placeObject(photos, object, file);
} catch (const InputError& error) {
    for (const CameraAxes axes : {CameraAxes::opencv, CameraAxes::opengl}) {
        std::vector<Photo> others = photos;
        for (Photo& photo : others) {
            photo.camera = inverted(photo.camera, axes);
            photo.image.clear();  // without masks
        }
        try {
            static_cast<void>(placeObject(others, object, file));
        } catch (const InputError&) {
            continue;
        }
        ErrorReport report = error.report();
        report.problem +=
            " (are these world to camera? With the matrices inverted they look at one object)";
        report.remedy = fmt::format(
            "Add \"matrices\": \"world_to_camera\" and \"convention\": \"{}\" to the file, beside "
            "its "
            "frames, or invert the matrices.",
            axes == CameraAxes::opencv ? "opencv" : "opengl");
        throw InputError(report);
    }
    throw;
}

}  // namespace

PosedPhotos readPosedPhotos(const std::filesystem::path& file, const ObjectPlacement& given) {
    CameraFile cameras = readCameraFile(file);
    ObjectPlacement object = given;
    if (!object.centre) object.centre = cameras.placement.centre;
    if (!object.size) object.size = cameras.placement.size;
    if (!object.up) object.up = cameras.placement.up;

    PosedPhotos posed;
    posed.file = file;
    posed.format = cameras.format;
    posed.given = given;
    posed.frame = frameOf(cameras.photos, object, file);
    std::ranges::move(cameras.notes, std::back_inserter(posed.frame.notes));
    if (cameras.rotatedCameras > 0)
        posed.frame.notes.push_back(fmt::format(
            "{} of {} cameras are of the pixels as stored, turned as EXIF turns the photographs",
            cameras.rotatedCameras, cameras.photos.size()));
    std::vector<std::filesystem::path> images;
    for (const Photo& photo : cameras.photos)
        if (photo.mask.empty()) images.push_back(photo.image);
    if (std::string note = unusedMasksNote(images); !note.empty())
        posed.frame.notes.push_back(std::move(note));
    const PosedPhoto* firstUnusable = nullptr;
    std::size_t usableCount = 0;
    posed.views.reserve(cameras.photos.size());
    for (Photo& photo : cameras.photos) {
        PosedPhoto& view = posed.views.emplace_back();
        view.photo = std::move(photo);
        view.row = rowOf(view.photo, posed.frame.world);
        examine(view, posed.frame);
        usableCount += view.problem.empty() ? 1 : 0;
        if (!view.problem.empty() && firstUnusable == nullptr) firstUnusable = &view;
    }
    if (usableCount < kMinViews)
        throw InputError(
            {file.string(), fmt::format("view {}", firstUnusable - posed.views.data()),
             fmt::format("{}; of {} views {} can be used, at least {} are needed",
                         firstUnusable->problem, posed.views.size(), usableCount, kMinViews),
             firstUnusable->remedy});
    return posed;
}

Image networkImage(const PosedPhoto& view, const SimilarityTransform& world,
                   const Image& photograph, ViewResolution resolution) {
    const TurnedView turned = turnedView(view, world, photograph);
    std::vector<std::uint8_t> reached;
    return turned.onlyResizes() ? photograph : turned.resample(photograph, resolution, reached);
}

Image networkImage(const CameraRow& row, Image rendering, ViewResolution resolution) {
    const std::optional<TurnedView> turned = turnedView(row, {rendering.width, rendering.height});
    std::vector<std::uint8_t> reached;
    return turned ? turned->resample(rendering, resolution, reached) : rendering;
}

bool isAsTrained(const CameraRow& row) {
    return !row.hasOwnLens() && row.inPlane == 0 && Camera::fromRow(row).zoom == 1;
}

PictureMapping toPhotograph(const PosedPhoto& view, const SimilarityTransform& world) {
    return [turned = turnedView(view, world)](glm::dvec2 pixel) {
        return turned.relativePointOf(pixel);
    };
}

PictureMapping toPhotograph(const CameraRow& row, ImageSize picture) {
    const std::optional<TurnedView> turned = turnedView(row, picture);
    if (!turned) return {};
    return [turned = *turned](glm::dvec2 pixel) { return turned.relativePointOf(pixel); };
}

ObjectView objectView(const PosedPhoto& view, const SimilarityTransform& world, Image photograph) {
    const TurnedView turned = turnedView(view, world, photograph);
    if (!turned.onlyResizes()) return objectIn(std::move(photograph), turned);
    std::optional<Mask> mask = foregroundOf(photograph);
    return {std::move(photograph), std::move(mask)};
}

ObjectView objectView(const CameraRow& row, Image rendering) {
    if (const auto turned = turnedView(row, {rendering.width, rendering.height}))
        return objectIn(std::move(rendering), *turned);
    std::optional<Mask> mask = foregroundOf(rendering);
    return {std::move(rendering), std::move(mask)};
}

Image photographMask(const PosedPhoto& view, const SimilarityTransform& world, const Mask& mask) {
    return maskOfPhotograph(turnedView(view, world), mask);
}

Image photographMask(const CameraRow& row, ImageSize size, const Mask& mask) {
    if (const auto turned = turnedView(row, size)) return maskOfPhotograph(*turned, mask);
    const glm::dvec2 scale(double(mask.width) / size.width, double(mask.height) / size.height);
    return maskOfPhotograph(size, mask,
                            [&](glm::dvec2 pixel) { return std::optional(pixel * scale); });
}

}  // namespace threefold
