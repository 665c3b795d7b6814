#pragma once

#include <QImage>

#include "engine/formats/pictures/image.h"

namespace threefold::ui {

/// A copy of the pixels; null for an empty image.
QImage toQImage(const Image& image);
Image fromQImage(const QImage& image);

}  // namespace threefold::ui
