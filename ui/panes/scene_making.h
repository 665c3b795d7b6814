#pragma once

#include "ui/document/camera_layers.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// The theme's colours with the surface and background that the look has instead, and a text that
/// stands out from them.
ThemeColours chosenColours(const Look& look, ThemeColours theme);

/// What the panes show of the document; the panes' cameras and the pixel ratio are the viewport's.
/// Without a result: two empty panes. `cameras`: null: no pyramids, no photographs.
render::Scene makeScene(const Document& document, const ThemeColours& theme,
                        const CameraLayers* cameras = nullptr);

}  // namespace threefold::ui
