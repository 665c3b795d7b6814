#pragma once

#include <utility>

#include "engine/devices/device_memory_use.h"
#include "engine/devices/gpu_monitor.h"
#include "render/overlay_view.h"
#include "ui/profile/profile_history.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// Further numbers of the live profile. Absent ones are not shown.
struct ProfileNumbers {
    double refreshRate = 60;  ///< of the screen, hertz
    std::optional<std::uint64_t> hostBytes;
    std::optional<std::uint64_t> deviceBytes;   ///< of the rendering device
    std::optional<std::uint64_t> networkBytes;  ///< of the network's GPU at its peak
    std::optional<DevicePoolUse> pools;         ///< of the network's GPU
    std::optional<double> processor;            ///< load by this process, % of all cores
    std::optional<GpuReading> gauges;           ///< of the network's GPU
    std::size_t queued = 0;  ///< waiting and running requests; all but one are shown as waiting
    std::optional<std::size_t> dropped;  ///< requests replaced by newer ones
    /// Views found in the cache, and all views read.
    std::optional<std::pair<std::size_t, std::size_t>> viewHits;
};

/// Part of the overlay view that changes only with a new run or theme.
std::shared_ptr<const render::FlameGraph> flameGraphOf(const ProfileHistory& history,
                                                       const ThemeColours& colours);

/// Overlay view except font and pointer. Fast enough for every frame.
render::OverlayView profileView(const ProfileHistory& history,
                                std::shared_ptr<const render::FlameGraph> runs,
                                const ProfileNumbers& numbers, const ThemeColours& colours);

}  // namespace threefold::ui
