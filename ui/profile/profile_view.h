#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "render/overlay_view.h"
#include "ui/profile/profile_history.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// What the live profile shows besides runs and frames. What is absent is not shown.
struct ProfileNumbers {
    double refreshRate = 60;  ///< of the screen, hertz
    std::optional<std::uint64_t> hostBytes;
    std::optional<std::uint64_t> deviceBytes;
    std::optional<std::size_t> queued;   ///< requests and items that wait or run
    std::optional<std::size_t> dropped;  ///< requests that a newer one overtook
};

/// The colour of a stage in flame rows: the same hue for the same kind of work.
QColor stageColour(Stage stage, const ThemeColours& colours);

/// The part that changes only with a new run or theme.
std::shared_ptr<const render::OverlayRuns> profileRuns(const ProfileHistory& history,
                                                       const ThemeColours& colours);

/// The whole view but font and pointer. Cheap enough for every frame.
render::OverlayView profileView(const ProfileHistory& history,
                                std::shared_ptr<const render::OverlayRuns> runs,
                                const ProfileNumbers& numbers, const ThemeColours& colours);

/// Memory of this process that is resident now; nothing where the system does not tell.
std::optional<std::uint64_t> residentBytes();

}  // namespace threefold::ui
