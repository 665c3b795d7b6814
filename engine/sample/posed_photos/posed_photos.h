#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/object_frame.h"
#include "engine/sample/posed_photos/virtual_camera.h"
#include "engine/views/camera.h"

namespace threefold {

/// Photograph, with the camera that the network assumes for this photograph.
struct PosedPhoto {
    Photo photo;
    /// Camera at the photograph's position in object space, looking at the origin, y up, as a row
    /// of rendering_metadata.txt describes it.
    CameraRow row;
    std::string problem;  ///< why the view cannot be chosen; else empty
    std::string remedy;
    /// Whether the object's centre is in front of the camera and inside the photograph.
    bool showsObject = true;
};

/// Photographs with cameras from a file, and the transform to object space, in which VirtualCamera
/// resamples the photographs for the network; see docs/OWN_DATA.md, "How the photographs are used".
struct PosedPhotos {
    std::filesystem::path file;
    std::string format;
    ObjectFrame frame;
    std::vector<PosedPhoto> views;
    std::vector<std::string> warnings = {};  ///< CameraFile::warnings; also in the frame's notes
};

/// Reads a camera file and estimates the object's frame. Values that `given` sets override the
/// file's placement. Reads the first bytes of all photographs and decodes up to twelve for their
/// masks. Throws the exceptions of readCameraFile() and placeObject(), and InputError if fewer than
/// two views can be used, with the reason of the first unusable view.
PosedPhotos readPosedPhotos(const std::filesystem::path& file, const ObjectPlacement& given = {});

/// Virtual camera that resamples a posed photograph for the network.
VirtualCamera virtualCameraOfPhoto(const PosedPhoto& view,
                                   const SimilarityTransform& photosToObjectSpace);

/// Throws InputError unless the decoded photograph has the width and height of its Lens.
void requireLensSize(const PosedPhoto& view, ImageSize photograph);

}  // namespace threefold
