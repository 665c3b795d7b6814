#pragma once

#include <filesystem>

#include "render/profile_panel_view.h"

namespace threefold::render {

/// Made-up but plausible figures: two runs on a GPU behind four on the processor, a frame over the
/// budget, a batch under way.
ProfilePanelView fakeProfilePanel(bool dark = true);

/// The same before anything ran.
ProfilePanelView emptyProfilePanel();

/// A font of the test machine (the package fonts-dejavu-core), so that pictures do not depend on
/// what else is installed.
std::shared_ptr<const PanelFont> testFont();

}  // namespace threefold::render
