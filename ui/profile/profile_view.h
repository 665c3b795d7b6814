#pragma once

#include <utility>

#include "engine/network/backend.h"
#include "engine/network/gauges.h"
#include "engine/network/reconstruction.h"
#include "engine/profile/span.h"
#include "engine/profile/stopwatch.h"
#include "render/overlay_view.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// The newest runs and frames for the live profile.
class ProfileHistory {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kFrames = 600;  ///< kept for traces

    struct Run {
        int number = 0;  ///< from 1, over all runs of the window
        Spans stages;    ///< begin in milliseconds since the run began
        Clock::time_point begun;
        double milliseconds = 0;  ///< of the network, without loading
        std::optional<Span> fit;  ///< after the stages, in the same time
    };

    /// `device`: where the network ran.
    void addRun(const Reconstruction& run, LaneKind device);
    /// A fit that has just ended, of the run before it.
    void addFit(double milliseconds);
    /// `viewMilliseconds`: time to make its overlay's view on the window's thread.
    void addFrame(const render::FrameCost& cost, double viewMilliseconds);

    const std::deque<Run>& runs() const { return runs_; }  ///< oldest first, at most 64
    const std::deque<render::FrameCost>& frames() const { return frames_; }  ///< oldest first
    const Rolling& network() const { return network_; }
    const Rolling& frame() const { return frame_; }
    const Rolling& overlay() const { return overlay_; }  ///< frames with an overlay only

    /// All runs and frames on one time line that starts with the oldest: stages and fits in their
    /// lanes, frames in the render thread's.
    Spans spans() const;

  private:
    std::deque<Run> runs_;
    std::deque<render::FrameCost> frames_;
    Rolling network_, frame_, overlay_;
    int lastNumber_ = 0;
};

/// Further numbers of the live profile. Absent ones are not shown.
struct ProfileNumbers {
    double refreshRate = 60;  ///< of the screen, hertz
    std::optional<std::uint64_t> hostBytes;
    std::optional<std::uint64_t> deviceBytes;   ///< of what draws
    std::optional<std::uint64_t> networkBytes;  ///< of the network's GPU at its peak
    std::optional<DevicePoolUse> pools;         ///< of the network's GPU
    std::optional<double> processor;            ///< % of all cores that this process uses
    std::optional<GaugeReading> gauges;         ///< of the network's GPU
    std::size_t queued = 0;  ///< requests that wait or run: all but one are shown as waiting
    std::optional<std::size_t> dropped;  ///< requests replaced by a newer one
    /// Views found in memory, and all views read.
    std::optional<std::pair<std::size_t, std::size_t>> viewHits;
};

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
