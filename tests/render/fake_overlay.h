#pragma once

#include <filesystem>

#include "render/overlay_view.h"

namespace threefold::render {

/// Made-up but plausible figures: two runs on a GPU behind four on the processor, a frame over the
/// budget, a batch under way.
OverlayView fakeOverlay(bool dark = true);

/// The same before anything ran.
OverlayView emptyOverlay();

/// A font of the test machine (the package fonts-dejavu-core), so that pictures do not depend on
/// what else is installed.
std::shared_ptr<const OverlayFont> testFont();

}  // namespace threefold::render
