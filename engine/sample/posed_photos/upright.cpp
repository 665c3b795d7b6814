#include "engine/sample/posed_photos/upright.h"

#include <utility>

#include <glm/mat2x2.hpp>
#include <glm/mat3x3.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/image_info.h"

namespace threefold {
namespace {

/// Converts the camera of the stored picture to that of the upright picture.
void turn(Photo& photo, const Exif& exif) {
    Lens& lens = photo.lens;
    const double x = exif.flipsX() ? -1 : 1;
    const double y = exif.flipsY() ? -1 : 1;
    const glm::dmat2 storedToUpright =
        exif.swapsSides() ? glm::dmat2(0, y, x, 0) : glm::dmat2(x, 0, 0, y);
    const glm::dvec2 centre(lens.width / 2.0, lens.height / 2.0);
    const glm::dvec2 centreOffset =
        storedToUpright * (glm::dvec2(lens.principalX, lens.principalY) - centre);
    const glm::dvec2 tangential = storedToUpright * glm::dvec2(lens.p2, lens.p1);
    if (exif.swapsSides()) {
        std::swap(lens.width, lens.height);
        std::swap(lens.focalX, lens.focalY);
    }
    lens.principalX = lens.width / 2.0 + centreOffset.x;
    lens.principalY = lens.height / 2.0 + centreOffset.y;
    lens.p2 = tangential.x;
    lens.p1 = tangential.y;
    // The camera's y axis points up, pixel rows run down.
    const glm::dmat3 axes(storedToUpright[0][0], -storedToUpright[0][1], 0, -storedToUpright[1][0],
                          storedToUpright[1][1], 0, 0, 0, 1);
    photo.pose.rotation = axes * photo.pose.rotation;
}

}  // namespace

void turnUpright(CameraFile& file, PixelOrder byDefault) {
    for (Photo& photo : file.photos) {
        try {
            const ImageInfo head = readImageInfo(photo.image);
            const ImageSize lensSize{photo.lens.width, photo.lens.height};
            const bool isStored = lensSize == head.stored &&
                                  (byDefault == PixelOrder::stored || lensSize != head.size());
            if (!isStored || head.exif.orientation == 1) continue;
            if (head.exif.isMirrored()) {
                photo.isMirrored = true;
                continue;
            }
            turn(photo, head.exif);
            ++file.rotatedCameraCount;
        } catch (const Error&) {
            // the error is reported when the view is chosen
        }
    }
}

}  // namespace threefold
