#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/object_frame.h"
#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold {

/// A photograph and the camera the network sees it from.
struct PosedPhoto {
    Photo photo;
    /// A camera at the photograph's position in object space that looks at the origin, y up:
    /// exactly what a row of rendering_metadata.txt describes.
    CameraRow row;
    std::string problem;  ///< why the view cannot be chosen; empty: it can
    std::string remedy;
    bool showsObject = true;  ///< false: by its camera, the object's centre is outside it
};

/// Photographs with cameras from a file, converted to what the network was trained with.
///
/// The network knows objects of one size in the middle of its picture, and ShapeNet's scale
/// (METHOD.md §2). Therefore:
/// - The world is moved, rotated and scaled: an exact similarity, undone in world-space exports.
/// - Each photograph is resampled as if a camera at the same point, with the lens of
///   Camera::fromRow(), looked at the object's centre: the homography K' R K⁻¹ after removing the
///   distortion. This is exact up to the resampling of pixels, as no camera moves.
/// Pixels that a photograph does not reach are white, like the background the network knows.
struct PosedPhotos {
    std::filesystem::path file;
    std::string format;
    ObjectPlace given;  ///< as findSample() was given it
    ObjectFrame frame;
    std::vector<PosedPhoto> views;
};

/// Reads the file and places the object. `given` overrides the file. Reads the first bytes of all
/// photographs and decodes up to twelve for their masks. Throws what readCameraFile() and
/// placeObject() throw, and InputError where fewer than two views can be used, with the first one's
/// reason.
PosedPhotos readPosedPhotos(const std::filesystem::path& file, const ObjectPlace& given = {});

/// Pixels on a side of a view's picture: what the network takes, or as many as the photograph has
/// for the same angle, kLeastSide to kMostSide.
enum class Resolution { network, photograph };
inline constexpr int kLeastSide = 128;
inline constexpr int kMostSide = 1024;

/// The photograph as the network's camera would take it: square, transparent (and white) where the
/// photograph does not reach, and partly transparent as the photograph is in the mean around a
/// pixel. A photograph already of that camera, to a hundredth of a pixel, comes back untouched,
/// whatever its size. Throws InputError where its size is not the camera file's.
Image networkImage(const PosedPhoto& view, const Similarity& world, const Image& photograph,
                   Resolution resolution = Resolution::network);

/// Resamples a picture with ShapeNet's camera row to the network's camera: upright, with the
/// training lens, at a training distance. A row without a lens of its own has the method's.
/// Unchanged where isAsTrained(row), and where a picture of the method's lens is not square, which
/// loadViews() refuses.
Image networkImage(const CameraRow& row, Image rendering,
                   Resolution resolution = Resolution::network);

/// Whether pictures of a camera with this row are what the network was trained with.
bool isAsTrained(const CameraRow& row);

/// A point of a picture, as shares of its width and height from its upper left corner.
using PicturePoint = glm::dvec2;

/// Where a pixel of a view's 224×224 picture falls in its photograph, lens and all; none where the
/// lens shows no such direction. It may be outside the photograph.
using PicturePlaces = std::function<std::optional<PicturePoint>(glm::dvec2 pixel)>;
PicturePlaces toPhotograph(const PosedPhoto& view, const Similarity& world);
/// Likewise of a picture whose camera has this row; empty where networkImage() leaves it untouched.
PicturePlaces toPhotograph(const CameraRow& row, const Image& picture);

/// A view at Resolution::photograph.
struct ObjectView {
    Image picture;
    /// The photograph's foregroundOf(), known where the photograph reaches; none where that has no
    /// object or nothing but the object.
    std::optional<Mask> mask;
};

/// The same pictures, and where the object is in them. Throw as networkImage().
ObjectView objectView(const PosedPhoto& view, const Similarity& world, Image photograph);
ObjectView objectView(const CameraRow& row, Image rendering);

}  // namespace threefold
