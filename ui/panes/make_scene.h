#pragma once

#include "ui/document/camera_layers.h"
#include "ui/document/photograph_pane.h"
#include "ui/document/shown_document.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// The theme's colours, with surface and background replaced by the colours that the look sets;
/// text and accent contrast with the background.
ThemeColours chosenColours(const Look& look, ThemeColours theme);

/// Makes the scene of the document's panes (arrangePanes()), without the panes' cameras and the
/// pixel ratio, which the viewport sets. If `cameras` is null, there are no pyramids and no
/// backdrops; if `photographs` is null, a pane of photographs is empty.
render::Scene makeScene(const ShownDocument& shown, const ThemeColours& theme,
                        const CameraLayers* cameras = nullptr,
                        const PhotographPane* photographs = nullptr);

}  // namespace threefold::ui
