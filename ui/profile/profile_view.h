#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "render/overlay_view.h"
#include "ui/profile/profile_history.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// Further numbers of the live profile. Absent ones are not shown.
struct ProfileNumbers {
    double refreshRate = 60;  ///< of the screen, hertz
    std::optional<std::uint64_t> hostBytes;
    std::optional<std::uint64_t> deviceBytes;
    std::optional<std::size_t> queued;   ///< requests that wait or run
    std::optional<std::size_t> dropped;  ///< requests replaced by a newer one
    /// Views found in memory, and all views read.
    std::optional<std::pair<std::size_t, std::size_t>> viewHits;
};

/// The colour of a stage in flame rows; similar stages share a hue.
QColor stageColour(Stage stage, const ThemeColours& colours);

/// The part of the view that changes only with a new run or theme.
std::shared_ptr<const render::OverlayRuns> profileRuns(const ProfileHistory& history,
                                                       const ThemeColours& colours);

/// The view except font and pointer. Fast enough for every frame.
render::OverlayView profileView(const ProfileHistory& history,
                                std::shared_ptr<const render::OverlayRuns> runs,
                                const ProfileNumbers& numbers, const ThemeColours& colours);

/// Resident memory of this process; no value if unknown.
std::optional<std::uint64_t> residentBytes();

}  // namespace threefold::ui
