#pragma once

#include <memory>

#include <QFont>

#include "render/overlay_view.h"

namespace threefold::ui {

/// The font that Qt chooses for `font` as the bytes of a font file, built from its tables because
/// Qt does not reveal the file. Null if the outlines are not available; the overlay then uses its
/// built-in font.
std::shared_ptr<const render::OverlayFont> overlayFont(const QFont& font);

}  // namespace threefold::ui
