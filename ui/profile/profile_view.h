#pragma once

#include <utility>

#include "engine/network/device_memory_use.h"
#include "engine/network/gpu_monitor.h"
#include "engine/network/reconstruction.h"
#include "engine/profile/rolling_window.h"
#include "engine/profile/span.h"
#include "render/frame_cost.h"
#include "render/overlay_view.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// History of the newest runs and frames for the live profile.
class ProfileHistory {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kFrames = 600;  ///< maximum number of frames, for traces

    struct Run {
        int number = 0;  ///< from 1, over all runs of the window
        Spans steps;     ///< begin in milliseconds since the run began
        Clock::time_point start;
        double networkMilliseconds = 0;  ///< without loading
        std::optional<Span> fit;         ///< after the steps, on the same time line
    };

    /// Adds a run of the network on `device`.
    void addRun(const Reconstruction& run, LaneKind device);
    /// Adds a fit of the last run that has just ended.
    void addFit(double milliseconds);
    /// Adds a frame. `viewMilliseconds`: time to make the view of its overlay on the GUI thread.
    void addFrame(const render::FrameCost& cost, double viewMilliseconds);

    const std::deque<Run>& runs() const { return runs_; }  ///< oldest first, at most 64
    const std::deque<render::FrameCost>& frames() const { return frames_; }  ///< oldest first
    const RollingWindow& network() const { return network_; }
    const RollingWindow& frame() const { return frame_; }
    const RollingWindow& overlay() const { return overlay_; }  ///< frames with an overlay only

    /// All runs and frames on one time line from the oldest on: steps and fits in their lanes,
    /// frames in the lane of the render thread.
    Spans spans() const;

  private:
    std::deque<Run> runs_;
    std::deque<render::FrameCost> frames_;
    RollingWindow network_, frame_, overlay_;
    int lastNumber_ = 0;
};

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
