#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

#include "engine/network/reconstruction.h"
#include "engine/profile/span.h"
#include "engine/profile/stopwatch.h"
#include "render/frame_cost.h"

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

}  // namespace threefold::ui
