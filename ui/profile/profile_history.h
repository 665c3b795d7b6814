#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

#include "engine/network/reconstruction.h"
#include "engine/profile/rolling_window.h"
#include "engine/profile/span.h"
#include "render/frame_statistics.h"

namespace threefold::ui {

/// History of the newest runs and frames for the live profile.
class ProfileHistory {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kMaxFrames = 600;  ///< frames kept for traces
    static constexpr std::size_t kMaxRuns = RollingWindow::kDefaultCapacity;

    /// A run of the network, with the fit of its result.
    struct Run {
        int number = 0;  ///< from 1, over all runs of the window
        Spans steps;     ///< begin in milliseconds since the run began
        Clock::time_point start;
        double backendMilliseconds = 0;  ///< time of the back end, without loading
        std::optional<Span> fit;         ///< after the steps, on the same time line
    };

    /// Adds a run of the network on `device`. `startedAt`: start of the first run step; the clock's
    /// epoch means that the last step has ended just now.
    void addRun(const Reconstruction& run, Clock::time_point startedAt, LaneKind device);
    /// Adds the fit of the last run's result; the fit has ended just now.
    void addFit(double milliseconds);
    /// Adds a frame. `panelViewMilliseconds`: time to make the frame's render::ProfilePanelView on
    /// the GUI thread.
    void addFrame(const render::FrameStatistics& frame, double panelViewMilliseconds);

    const std::deque<Run>& runs() const { return runs_; }                          ///< oldest first
    const std::deque<render::FrameStatistics>& frames() const { return frames_; }  ///< oldest first
    const RollingWindow& network() const { return network_; }
    const RollingWindow& frame() const { return frame_; }
    /// Milliseconds of the profile panel in the frames that show it.
    const RollingWindow& panel() const { return panel_; }

    /// All runs and frames on one time line from the oldest on: steps and fits in their lanes,
    /// frames in the lane of the render thread.
    Spans spans() const;

  private:
    std::deque<Run> runs_;
    std::deque<render::FrameStatistics> frames_;
    RollingWindow network_, frame_, panel_;
    int lastNumber_ = 0;
};

}  // namespace threefold::ui
