#include "ui/style/image_conversion.h"

#include <algorithm>

namespace threefold::ui {

QImage toQImage(const Image& image) {
    if (image.rgba.empty()) return {};
    return QImage(image.rgba.data(), image.width, image.height, image.width * 4,
                  QImage::Format_RGBA8888)
        .copy();
}

Image fromQImage(const QImage& image) {
    const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888);
    Image result;
    result.width = rgba.width();
    result.height = rgba.height();
    const auto rowBytes = static_cast<std::size_t>(result.width) * 4;
    result.rgba.resize(rowBytes * static_cast<std::size_t>(result.height));
    for (int row = 0; row < result.height; ++row) {
        std::copy_n(rgba.constScanLine(row), rowBytes,
                    result.rgba.begin() +
                        static_cast<std::ptrdiff_t>(rowBytes * static_cast<std::size_t>(row)));
    }
    return result;
}

}  // namespace threefold::ui
