#pragma once

#include <QImage>

#include "engine/formats/pictures/image.h"

namespace threefold::ui {

/// Copies the pixels into a QImage; null for an empty image.
inline QImage toQImage(const Image& image) {
    if (image.rgba.empty()) return {};
    return QImage(image.rgba.data(), image.width, image.height, image.width * 4,
                  QImage::Format_RGBA8888)
        .copy();
}

/// Copies the pixels into an Image, as RGBA.
inline Image fromQImage(const QImage& image) {
    const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888);
    // Four bytes a pixel leave no gap between rows.
    return {rgba.width(), rgba.height(), {rgba.constBits(), rgba.constBits() + rgba.sizeInBytes()}};
}

}  // namespace threefold::ui
