#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/object_frame.h"
#include "engine/views/rendering_metadata.h"

namespace threefold {

/// A photograph, and how the network is shown it.
struct OwnView {
    Photo photo;
    /// A camera at the photograph's place in object space that looks at the origin, y up: what a
    /// row of rendering_metadata.txt says, exactly.
    CameraRow row;
    std::string problem;  ///< why the view cannot be chosen; empty: it can
    std::string remedy;
};

/// Photographs with cameras from a file, made fit for the network.
///
/// The network knows one lens (focal length 248, centre 112 of 224 pixels), cameras that look at
/// the object, which is about 0.8 away, and ShapeNet's scale (METHOD.md §2). What is done to get
/// there:
/// - The world is moved, turned and scaled: a similarity, which is exact and undone in the world
///   space of exports.
/// - Each photograph is resampled as a camera at the same point, with the network's lens, looking
/// at
///   the object's centre, would have taken it: the homography K' R K⁻¹ after undoing the
///   distortion. That is exact too, up to the resampling of pixels, as no camera is moved.
/// - What is not done is to move a camera nearer: that is no homography. Where the cameras stand
/// far
///   away for the object's size, the object stays small in the picture, and a note tells so.
/// What the photographs do not reach is white, as the background of what the network knows.
struct OwnCameras {
    std::filesystem::path file;
    std::string format;
    ObjectPlace given;  ///< what findSample() was told of the object
    ObjectFrame frame;
    std::vector<OwnView> views;
};

/// Reads and places. `given` wins over what the file says. Reads the first bytes of all photographs
/// and decodes up to twelve for their masks. Throws what readCameraFile() and placeObject() throw,
/// and InputError where fewer than two views can be used, with the first one's reason.
OwnCameras readOwnCameras(
    const std::filesystem::path& file, const ObjectPlace& given = {},
    const std::function<Image(const std::filesystem::path&)>& read = readImage);

/// The photograph as the network's camera would have taken it: 224×224, transparent (and white)
/// where the photograph does not reach or is transparent itself. A photograph that already is of
/// that camera, to a hundredth of a pixel, comes back untouched, whatever its size: then
/// preprocess() alone resizes it, as it does ShapeNet's. Throws InputError where its size is not
/// what the cameras' file says.
Image networkImage(const OwnView& view, const Similarity& world, const Image& photograph);

}  // namespace threefold
