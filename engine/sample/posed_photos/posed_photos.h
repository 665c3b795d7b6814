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
#include "engine/views/mask.h"

namespace threefold {

/// Photograph with the camera that the network sees it from.
struct PosedPhoto {
    Photo photo;
    /// Camera at the photograph's position in object space, looking at the origin, y up, as a row
    /// of rendering_metadata.txt describes it.
    CameraRow row;
    std::string problem;  ///< why the view cannot be chosen; empty: it can
    std::string remedy;
    /// False: the object's centre is behind the camera or outside the photograph.
    bool showsObject = true;
};

/// Photographs with cameras from a file, converted to the network's training conditions.
///
/// The network knows objects of one size in the middle of its picture, and ShapeNet's scale
/// (METHOD.md §2). Therefore:
/// - The world is transformed by an exact similarity, undone in world-space exports.
/// - Each photograph is resampled as if a camera at the same point, with the lens of
///   Camera::fromRow(), looked at the object's centre: the homography K' R K⁻¹ after removing the
///   distortion. This is exact up to the resampling of pixels, as no camera moves.
/// Pixels that a photograph does not reach are white, like the background the network knows.
struct PosedPhotos {
    std::filesystem::path file;
    std::string format;
    ObjectPlacement given;  ///< values given to readPosedPhotos()
    ObjectFrame frame;
    std::vector<PosedPhoto> views;
};

/// Reads a camera file and estimates the object's frame. `given` overrides the file. Reads the
/// first bytes of all photographs and decodes up to twelve for their masks. Throws what
/// readCameraFile() and placeObject() throw, and InputError if fewer than two views can be used,
/// with the reason of the first unusable one.
PosedPhotos readPosedPhotos(const std::filesystem::path& file, const ObjectPlacement& given = {});

/// Side of a view's picture: the network's input size, or the photograph's resolution over the same
/// angle, kMinViewSide to kMaxViewSide pixels.
enum class ViewResolution { network, photograph };
inline constexpr int kMinViewSide = 128;
inline constexpr int kMaxViewSide = 1024;

/// Resamples a photograph to the network's camera: square, transparent white outside the
/// photograph, with the photograph's mean alpha around each pixel. A photograph that already has
/// this camera, to a hundredth of a pixel, is returned unchanged at any size. Throws InputError if
/// its size is not that of its lens.
Image networkImage(const PosedPhoto& view, const SimilarityTransform& world,
                   const Image& photograph, ViewResolution resolution = ViewResolution::network);

/// Resamples a picture with ShapeNet's camera row to the network's camera: upright, with the
/// training lens, at a training distance. A row without its own lens has the method's. Returns the
/// picture unchanged if isAsTrained(row), or if a picture of the method's lens is not square, which
/// loadViews() refuses.
Image networkImage(const CameraRow& row, Image rendering,
                   ViewResolution resolution = ViewResolution::network);

/// Whether the network was trained with pictures of such a camera row.
bool isAsTrained(const CameraRow& row);

/// Point of a picture, in fractions of width and height from the upper left corner.
using PicturePoint = glm::dvec2;

/// Maps a pixel of a view's 224×224 picture to its photograph, with distortion; nullopt if the lens
/// cannot project that direction. The result may be outside the photograph.
using PictureMapping = std::function<std::optional<PicturePoint>(glm::dvec2 pixel)>;
PictureMapping toPhotograph(const PosedPhoto& view, const SimilarityTransform& world);
/// Mapping to a picture with this camera row; an empty function if networkImage() leaves the
/// picture unchanged.
PictureMapping toPhotograph(const CameraRow& row, ImageSize picture);

/// View at ViewResolution::photograph with the object's mask.
struct ObjectView {
    Image picture;
    /// Mask by foregroundOf(), known only inside the photograph; nullopt if the photograph shows no
    /// object or nothing else.
    std::optional<Mask> mask;
};

/// Resample as networkImage() at ViewResolution::photograph, with the object's mask. Throw as
/// networkImage().
ObjectView objectView(const PosedPhoto& view, const SimilarityTransform& world, Image photograph);
ObjectView objectView(const CameraRow& row, Image rendering);

/// Inverse of the resampling in networkImage(): the mask of a whole photograph, white on the
/// object, from the mask of its view at any size. Black beyond the view's picture.
Image photographMask(const PosedPhoto& view, const SimilarityTransform& world, const Mask& mask);
Image photographMask(const CameraRow& row, ImageSize size, const Mask& mask);

}  // namespace threefold
