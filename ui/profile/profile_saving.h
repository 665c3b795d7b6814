#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "engine/profile/span.h"
#include "render/overlay_view.h"
#include "render/scene.h"

namespace threefold::ui {

class Viewport;

enum class ProfileFormat { chromeTrace, json, png };

/// Where the bytes of a profile go, and what is said afterwards.
struct ProfileTarget {
    std::filesystem::path file;
    /// Called once, on any thread: null when the file is written.
    std::function<void(std::shared_ptr<const ErrorReport>)> done;
};

/// Write on the thread pool, whole or not at all.
void saveTrace(const Spans& spans, ProfileTarget target);
void saveReport(const Spans& spans, ProfileTarget target);
/// The panel's own picture, drawn offscreen at twice its logical size.
void savePicture(Viewport& viewport, const render::OverlayView& view, ProfileTarget target);

}  // namespace threefold::ui
