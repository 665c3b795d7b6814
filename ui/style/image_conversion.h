#pragma once

#include <QImage>

#include "engine/formats/pictures/image.h"

namespace threefold::ui {

/// The same pixels in Qt's own memory; null for an empty image.
QImage toQImage(const Image& image);
Image fromQImage(const QImage& image);

}  // namespace threefold::ui
