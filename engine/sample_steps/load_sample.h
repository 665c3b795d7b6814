#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/error.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/views/network_input.h"

/// Steps of one sample from files to measured meshes: loadSample → reconstructSample → fitSample →
/// measureSample. Each step takes the previous step's value. Command line, window, Python and list
/// evaluation use the same four steps; a list runs them on several threads (engine/pipeline).
namespace threefold {

/// A sample whose views and truth have been read.
struct LoadedSample {
    std::shared_ptr<const Sample> sample = {};
    std::vector<int> views = {};  ///< the first is the reference view
    NetworkInput input = {};
    GroundTruth truth = {};  ///< without points if the sample has no usable truth
    std::optional<ErrorReport> truthProblem = {};  ///< why the truth is unusable
    /// Time at which reading of the views began, after the truth was read.
    std::chrono::steady_clock::time_point startedAt = {};
    double milliseconds = 0;  ///< time of reading the views
};

/// Options of loadSample().
struct LoadOptions {
    ViewReader readView = readNetworkImage;
    /// Whether a sample without a truth is an error, also without `strictTruth`.
    bool truthRequired = false;
    /// Whether an unusable truth is an error; otherwise LoadedSample::truthProblem says why.
    bool strictTruth = false;
    std::size_t maxTruthPoints = 0;  ///< maximum number of a truth's points; 0: all
};

/// A sample's truth in the space of a view, or why the truth is unusable.
struct LoadedTruth {
    GroundTruth truth = {};
    std::optional<ErrorReport> problem = {};
};

/// Reads the sample's truth, if any. Throws as loadGroundTruth() does: for a missing truth if
/// options.truthRequired, for an unusable one if options.strictTruth.
LoadedTruth loadTruth(const Sample& sample, int view, const LoadOptions& options = {});

/// Reads the truth, then the views. Throws as loadTruth() and loadViews() do, InputError
/// for a number of views that no network takes.
LoadedSample loadSample(std::shared_ptr<const Sample> sample, std::vector<int> views,
                        const LoadOptions& options = {});

}  // namespace threefold
