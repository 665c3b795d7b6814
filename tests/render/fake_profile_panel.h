#pragma once

#include <filesystem>

#include "render/profile_panel_view.h"

namespace threefold::render {

/// Panel with invented, plausible figures: two runs on a GPU after four on the processor, a frame
/// over the budget, a running batch.
ProfilePanelView fakeProfilePanel(bool dark = true);

/// Panel before the first run.
ProfilePanelView emptyProfilePanel();

/// DejaVu (package fonts-dejavu-core), so that pictures do not depend on other installed fonts.
std::shared_ptr<const PanelFont> testFont();

}  // namespace threefold::render
