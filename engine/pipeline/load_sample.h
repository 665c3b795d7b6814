#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/error.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/views/network_input.h"

/// One sample from files to measured meshes: loadSample → reconstructSample → fitSample →
/// measureSample. Each step takes the value of the one before and returns its own. Command line,
/// window, Python and list evaluation use the same four; a list runs them on several threads
/// (pipeline.h).
namespace threefold {

/// A sample whose views and truth have been read.
struct LoadedSample {
    std::shared_ptr<const Sample> sample = {};
    std::vector<int> views = {};  ///< the first is the reference
    NetworkInput input = {};
    GroundTruth truth = {};  ///< without points where the sample has none, or none that can be used
    std::optional<ErrorReport> truthProblem = {};      ///< why a truth cannot be used
    std::chrono::steady_clock::time_point begun = {};  ///< when the first view was read
    double milliseconds = 0;                           ///< of reading the views
};

struct LoadOptions {
    ViewReader read = networkView;
    bool truthRequired = false;   ///< a sample without a truth is an error
    bool strictTruth = false;     ///< a truth that cannot be used is thrown, not a truthProblem
    std::size_t truthPoints = 0;  ///< at most as many of a truth's points; 0: all
};

/// A sample's truth in the space of a view, or why it cannot be used.
struct LoadedTruth {
    GroundTruth truth = {};
    std::optional<ErrorReport> problem = {};
};

/// Reads the sample's truth, if any. Throws as loadGroundTruth() where truths are strict.
LoadedTruth loadTruth(const Sample& sample, int view, const LoadOptions& options = {});

/// Reads the truth, then the views. Throws as loadTruth() and loadViews().
LoadedSample loadSample(std::shared_ptr<const Sample> sample, std::vector<int> views,
                        const LoadOptions& options = {});

}  // namespace threefold
