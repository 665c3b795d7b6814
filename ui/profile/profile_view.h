#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/devices/device_memory_use.h"
#include "engine/devices/gpu_monitor.h"
#include "render/profile_panel_view.h"
#include "ui/profile/profile_history.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// Use of a cache.
struct CacheUse {
    std::size_t hits = 0;
    std::size_t reads = 0;  ///< all reads, the hits included
};

/// Further numbers of the live profile. Absent numbers are not shown.
struct ProfileNumbers {
    double refreshRate = 60;  ///< of the screen, hertz
    std::optional<std::uint64_t> hostBytes;
    std::optional<std::uint64_t> deviceBytes;   ///< of the rendering device
    std::optional<std::uint64_t> networkBytes;  ///< of the network's GPU at its peak
    std::optional<PoolStatistics> poolUse;      ///< of the network's GPU
    std::optional<double> processorPercent;     ///< load of all usable cores by this process
    std::optional<GpuReading> gpuReading;       ///< of the network's GPU
    /// Waiting and running requests; all but one are shown as waiting.
    std::size_t queuedRequests = 0;
    std::optional<std::size_t> supersededRequests;  ///< requests that newer requests replaced
    std::optional<CacheUse> viewCache;
};

/// Part of the panel that changes only with a new run or theme.
std::shared_ptr<const render::FlameGraph> flameGraphOf(const ProfileHistory& history,
                                                       const ThemeColours& colours);

/// The panel except font and pointer. Fast enough for every frame.
render::ProfilePanelView profileView(const ProfileHistory& history,
                                     std::shared_ptr<const render::FlameGraph> runs,
                                     const ProfileNumbers& numbers, const ThemeColours& colours);

}  // namespace threefold::ui
