#pragma once

#include <string_view>

#include "engine/error.h"
#include "engine/profile/step_timer.h"
#include "engine/stereo/depth_surface.h"
#include "engine/stereo/simd/sweep_kernels.h"

namespace threefold::stereo {

/// Resources of the steps of depthSurface(), and their elapsed times. Used on one thread.
struct DepthRun {
    const DepthOptions& options;
    const simd::SweepKernels& kernels;
    int threads;
    StepTimer timer = {};

    /// Runs a step. Throws Cancelled.
    template <class Work>
    auto timed(std::string_view step, const Work& work) {
        if (options.cancel.stop_requested()) throw Cancelled();
        return timer.timed(step, work);
    }

    void report(double fraction) const {
        if (options.progress) options.progress(fraction);
    }
};

}  // namespace threefold::stereo
