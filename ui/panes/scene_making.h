#pragma once

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// What the panes show of the document; cameras and pixel ratio are the viewport's. Without a
/// result: two empty panes.
render::Scene makeScene(const Document& document, const ThemeColours& colours);

}  // namespace threefold::ui
