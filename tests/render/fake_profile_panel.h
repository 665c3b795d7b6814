#pragma once

#include <filesystem>

#include "render/profile_panel_view.h"

namespace threefold::render {

/// Panel with invented, plausible figures: two runs on a GPU after four on the processor, three
/// frames over the budget (one of them over twice the budget), and a running batch.
ProfilePanelView fakeProfilePanel(bool dark = true);

/// Panel before the first run.
ProfilePanelView emptyProfilePanel();

/// DejaVu (package fonts-dejavu-core), so that pictures do not depend on other installed fonts.
std::shared_ptr<const PanelFont> testFont();

}  // namespace threefold::render
