#pragma once

#include <memory>

#include <QFont>

#include "render/overlay_view.h"

namespace threefold::ui {

/// The font that Qt finds for `font`, as the bytes of a file: its tables put together anew, since
/// Qt does not tell where the file is. Null where its outlines cannot be had; the overlay then uses
/// its built-in font.
std::shared_ptr<const render::OverlayFont> overlayFont(const QFont& font);

}  // namespace threefold::ui
