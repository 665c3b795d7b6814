#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/plane_sweep.h"

namespace threefold::stereo {

/// Costs of label changes between neighbouring pixels, of semiGlobalMatching(), in the unit of
/// CostVolume::cost.
struct SmoothnessOptions {
    int p1 = 12;  ///< cost of a change by one label
    int p2 = 60;  ///< cost of any larger change
};

/// The chosen label of each pixel of a view; arrays of side · side.
struct Labelling {
    std::vector<float> label;  ///< with a subpixel fraction; −1: none
    std::vector<float> score;  ///< 1 − cost / 254 at that label, before aggregation: 0…1
    /// Certainty of the chosen label, from 0 to about 1: aggregated cost of the best label that is
    /// more than two labels away, minus that of the chosen label, divided by the number of paths,
    /// in units of score. 1 if there is no such label.
    std::vector<float> margin;
};

/// Semi-global matching (Hirschmüller 2008) along eight paths. `maxSearchDepthStep`: difference of
/// the search depths of neighbouring pixels above which SmoothnessOptions::p2 is divided by 4.
/// Throws Cancelled.
Labelling semiGlobalMatching(const CostVolume& volume, std::span<const float> searchDepths,
                             double maxSearchDepthStep, const SmoothnessOptions& options,
                             const simd::SweepKernels& kernels, const std::stop_token& cancel = {});

}  // namespace threefold::stereo
