#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/error.h"
#include "engine/network/backend.h"
#include "engine/pipeline/evaluate.h"
#include "engine/pipeline/fit_sample.h"
#include "engine/pipeline/hull_sample.h"
#include "engine/pipeline/pipeline_report.h"
#include "engine/pipeline/sample_record.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

/// The steps from a sample's name to measured meshes. Command line, window and list evaluation all
/// use them; list evaluation runs them on several threads.
namespace threefold {

/// One sample from files to its record: each step fills in what the next one needs.
struct SampleJob {
    std::shared_ptr<const Sample> sample;
    std::vector<int> views;  ///< the first is the reference

    // By readSample().
    NetworkInput input = {};
    GroundTruth truth = {};                        ///< without points if the sample has no truth
    std::optional<ErrorReport> truthProblem = {};  ///< why a truth cannot be used
    std::chrono::steady_clock::time_point begun = {};  ///< when the first view was read
    double loadMilliseconds = 0;                       ///< of the views

    // By the network.
    Reconstruction reconstruction = {};

    // By fitSample().
    std::optional<FitViews> fitAsked = {};  ///< fitViewsFor(); none: no third stage
    std::vector<int> fitViews = {};         ///< the views used by the fit
    std::shared_ptr<const std::vector<FitView>> fitPhotographs = {};  ///< the same, as read
    std::optional<FitResult> fit = {};
    std::optional<PhotographSurface> surface = {};  ///< where the fitted mesh is made of one
    std::optional<ErrorReport> fitProblem = {};     ///< why there is no fit; `refined` stays

    /// By compareOnDevice(): for each of `scoring`. Else measureSample() makes them.
    std::vector<MeshComparison> comparisons = {};

    // By measureSample().
    std::optional<Evaluation> evaluation = {};  ///< where there is a truth and no `scoring`

    /// Kept of the sample once the job is done. measureSample() fills in scores (with a truth: one
    /// for each of `scoring`) and silhouettes, runPipeline() error and times, the caller the rest.
    SampleRecord record = {};

    // By runPipeline(), for one of many samples.
    std::size_t place = 0;    ///< in the run, from 0
    double loadBegin = 0;     ///< when its load began, in milliseconds since the run began
    double networkBegin = 0;  ///< likewise its batch

    bool done() const { return record.done(); }
};

/// Options of the steps; all are optional.
struct RouteOptions {
    std::stop_token cancel = {};
    ProgressFunction progress = {};  ///< of the network
    ViewReader read = networkView;   ///< of the network's views
    /// As RunOptions::coarse, with the job so far: views and truth are read.
    std::function<void(const SampleJob& job, const Reconstruction& soFar)> coarse = {};
    bool truthRequired = false;  ///< a sample without a truth is an error
    /// Errors about the truth are thrown; else they become SampleJob::truthProblem.
    bool strictTruth = false;
    std::size_t truthPoints = 0;       ///< at most as many of a truth's points; 0: all
    std::optional<FitViews> fit = {};  ///< fitViewsFor() each sample; none: no third stage
    int fitThreads = 0;                ///< 0: all that the process may use
    /// Of the fit's photographs; replaces loadFitViews().
    std::function<std::shared_ptr<const std::vector<FitView>>(const std::vector<int>& views)>
        fitRead = {};
    /// As FitOptions::progress.
    std::function<void(const Points& vertices, double done)> fitProgress = {};
    SurfaceProgress surfaceProgress = {};    ///< of fitFromHull()
    std::vector<ScoreOptions> scoring = {};  ///< none: evaluate() at the published τ
    bool silhouettes = true;
};

/// Reads the sample's truth, if any. Throws what loadGroundTruth() throws if truths are strict.
void readTruth(SampleJob& job, const RouteOptions& options);

/// Reads the truth, then the views. Throws what readTruth() and loadViews() throw.
void readSample(SampleJob& job, const RouteOptions& options);

/// Fits the reconstruction to the photographs if `options.fit` says so for this sample. If none of
/// them can be read, `fitProblem` gives the reason. `backend`: computes the fit; null: the
/// processor. Throws Cancelled, and DeviceError.
void fitSample(SampleJob& job, const RouteOptions& options, Backend* backend = nullptr);

/// Has the device search the neighbours of the network's meshes of a batch, and match them where
/// the earth mover's distance is asked for: measureSample() goes on from there. What the device has
/// no room for, or cannot compare, is left to that. `meshes` are the jobs', and become their
/// reconstructions later. Throws Cancelled, DeviceError.
void compareOnDevice(Backend& device, std::span<SampleJob> jobs,
                     std::span<const Reconstruction> meshes, const RouteOptions& options,
                     const std::stop_token& cancel);

/// Compares the meshes with the truth, and with the views' photographs as finely as these show them
/// (objectView()): what the network did not see so fine is taken from the fit's, or read again.
/// Throws Cancelled, and InputError if truths are strict. `device`: searches the neighbours for
/// `evaluation`, throws DeviceError; null: the processor.
void measureSample(SampleJob& job, const RouteOptions& options, Backend* device = nullptr);

/// Fits and measures a job of runPipeline(): fills in the record's times of both, and `fitNote`.
/// Throws what fitSample() and measureSample() throw.
void finishSample(SampleJob& job, const RouteOptions& options, PartClock& clock);

/// Reads, reconstructs, fits where it is asked to, and measures. `job` names the sample and its
/// views; the reconstruction's timings begin with `load`. The backend also fits, and
/// searches neighbours. Throws Cancelled, and what the steps and Backend::reconstruct() throw.
void reconstructSample(Backend& backend, SampleJob& job, const RouteOptions& options);

}  // namespace threefold
