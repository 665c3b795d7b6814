#include <stdexcept>

#include "engine/formats/pictures/heic_boxes.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/formats/pictures/image_writers.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

void checkPixels(const Image& image) {
    const std::size_t pixels =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    if (pixels == 0 || image.rgba.size() != pixels * 4)
        throw std::runtime_error("an image whose pixels do not fit its sides");
}

}  // namespace

void fuzzPng(FuzzBytes bytes) {
    const Image image = decodeImage(bytes, "input.png");
    checkPixels(image);
    constexpr std::size_t kQuick = 1 << 14;
    if (!isPng(bytes) || image.rgba.size() > kQuick) return;
    const Image again = decodePng(encodePng(image), "written.png");
    if (again.width != image.width || again.rgba != image.rgba)
        throw std::runtime_error("a PNG that reads back as another picture");
}

void fuzzJpeg(FuzzBytes bytes) {
    checkPixels(decodeImage(bytes, "input.jpg"));
}

void fuzzWebp(FuzzBytes bytes) {
    checkPixels(decodeImage(bytes, "input.webp"));
}

void fuzzExif(FuzzBytes bytes) {
    const Exif exif = readExif(bytes);
    if (exif.orientation < 1 || exif.orientation > 8 || exif.focalLength35mm.value_or(1) < 1)
        throw std::runtime_error("an orientation outside 1 to 8, or a focal length below 1 mm");
    if (nonSrgbProfileName(bytes).size() > 100)
        throw std::runtime_error("a profile name of more than 100 bytes");
}

void fuzzHeicBoxes(FuzzBytes bytes) {
    pixelsOfHeic(bytes, "input.heic");
}

void fuzzImageSize(FuzzBytes bytes) {
    const ImageSize size = decodeImageInfo(bytes, "input.png").size();
    if (size.width <= 0 || size.height <= 0)
        throw std::runtime_error("an image of width or height 0");
}

}  // namespace threefold::test
