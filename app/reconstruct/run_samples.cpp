#include "app/reconstruct/run_samples.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/options/fit_options.h"
#include "app/options/sample_arguments.h"
#include "app/options/sample_options.h"
#include "app/reconstruct/sample_spans.h"
#include "app/reconstruct/sample_writer.h"
#include "app/reconstruct/step_outcomes.h"
#include "engine/error.h"
#include "engine/model/run_step_spans.h"
#include "engine/pipeline/name_claims.h"
#include "engine/pipeline/pipeline.h"
#include "engine/sample/view_candidates.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// State shared by all samples of a run.
class SampleRun {
  public:
    SampleRun(NetworkService& network, const ReconstructRequest& request, const fs::path& folder,
              const std::vector<SampleArgument>& samples, const std::stop_token& cancel)
        : network_(network),
          request_(request),
          samples_(samples),
          fits_(mayFit(request.fit, samples)),
          steps_(samples.size()),
          writer_(request, folder, cancel) {
        fitOptions_.cancel = measureOptions_.cancel = options_.cancel = cancel;
        fitOptions_.threads = request.model.threads;
        options_.usesGpu = network.info().kind->usesGpu && !network.info().onFallback;
        fitsOnDevice_ = fits_ && (options_.usesGpu || samples.size() == 1);
        // Fits on the device's thread take turns, and so do their samples.
        options_.isSequential = samples.size() == 1 || fitsOnDevice_;
        // Otherwise several threads measure a sample each.
        if (options_.isSequential) measureOptions_.threads = request.model.threads;
        options_.coreCount = static_cast<std::size_t>(request.model.threads);
        options_.finishesAfterCancel = !fits_;
        options_.spans = !request.trace.empty();
        for (std::size_t i = 0; i < samples.size(); ++i) names_.expect(i);
    }

    std::vector<SampleResult> run(const ResultFunction& report, Spans& spans) {
        PipelineCallbacks callbacks;
        callbacks.load = [this](std::size_t index, SampleRecord& record) {
            return load(index, record);
        };
        callbacks.finish = [this](ComputedSample computed, SampleRecord& record,
                                  PipelineStepTimer& timer) {
            finish(std::move(computed), record, timer);
        };
        callbacks.store = [&](std::span<const FinishedSample> samples) { store(samples, report); };
        PipelineReport times;
        try {
            runPipeline(network_, samples_.size(), callbacks, options_, &times);
        } catch (const Cancelled&) {
            // Samples that are not stored have no result.
        } catch (const Error& error) {
            for (std::size_t i = 0; i < samples_.size(); ++i)
                if (!stored_.contains(i)) keep(i, error.what());
        }
        for (const auto& [index, result] : stored_)
            if (index >= reportedCount_) report(result);
        spans = std::move(times.spans);
        std::ranges::move(runStepSpans_, std::back_inserter(spans));
        if (options_.isSequential) addSampleSpans(spans, samples_);
        std::vector<SampleResult> results;
        for (auto& [index, result] : stored_) results.push_back(std::move(result));
        return results;
    }

  private:
    /// Loads a sample. Throws the error of a sample that cannot be loaded, and InputError if
    /// another sample has its name.
    LoadedSample load(std::size_t index, SampleRecord& record) {
        record.listedName = samples_[index].location;
        std::optional<NameClaim> claim(std::in_place, names_, index);
        auto sample = std::make_shared<const Sample>(findSampleArgument(
            samples_[index], request_.sources.imageRoot, request_.sources.truthRoot,
            request_.sources.object, request_.sources.truthSpace));
        StepOutcome<FoundSample>& found = steps_[index].found;
        found = chooseViews(*sample);
        const bool nameIsTaken = claim->take(found.value->name).has_value();
        claim.reset();  // the next sample's claim must not wait for this sample's images
        if (nameIsTaken)
            throw InputError({found.value->name, "", "another sample of this run has the same name",
                              "Reconstruct it in a second run with another -o."});
        return loadSample(std::move(sample), found.value->views);
    }

    /// Describes a sample that was found, with its views, and assumptions about it.
    StepOutcome<FoundSample> chooseViews(const Sample& sample) const {
        StepOutcome<FoundSample> outcome;
        const bool isChosen = !request_.sources.views.empty();
        std::vector<int> views = isChosen ? request_.sources.views
                                          : defaultViews(sample, readNetworkImage, options_.cancel);
        if (sample.photos) outcome.notes = sample.photos->frame.notes;
        if (!isChosen && views != kPublishedViews)
            outcome.notes.push_back(
                fmt::format("Views {} were chosen by their directions and silhouettes; --views "
                            "chooses others.",
                            fmt::join(views, ",")));
        if (!isChosen && views.size() < kPublishedViews.size())
            outcome.notes.push_back(viewCountWarning(views.size()) + '.');
        // ShapeNet samples are often copied without unused views.
        if (sample.category.empty())
            setRemark(outcome.remarks, RemarkKind::missingImages, missingImagesText(sample));
        outcome.value = FoundSample{sample.name(), sample.folder, std::move(views)};
        return outcome;
    }

    void finish(ComputedSample computed, SampleRecord& record, PipelineStepTimer& timer) {
        SampleSteps& steps = steps_[computed.position];
        addRunStepSpans(computed);
        auto& [loaded, reconstruction] = computed.reconstructed;
        reconstruction.timings.insert(reconstruction.timings.begin(),
                                      {RunStep::load, loaded.milliseconds});
        try {
            FittedSample fitted = fit(std::move(computed.reconstructed), timer);
            if (fitted.fit)
                steps.fit = fitOutcome(*fitted.fit, fitted.loaded.sample->name(), *request_.fit);
            const MeasuredSample measured = measure(std::move(fitted), timer);
            steps.measured = measureOutcome(measured, request_.sources.truthRoot);
            if (request_.written.hull) steps.hull = hull(measured, timer);
            const auto step = timer.step(PipelineStep::write);
            if (options_.cancel.stop_requested()) throw Cancelled();
            steps.written = writer_.write(measured, steps.hull.value);
            if (steps.written.failure) std::rethrow_exception(steps.written.failure);
        } catch (const Error& error) {
            // A sample whose files cannot be written fails alone; the other samples go on.
            record.error = error.what();
        }
    }

    void addRunStepSpans(const ComputedSample& computed) {
        if (!options_.spans) return;
        const LaneKind lane = options_.usesGpu        ? LaneKind::gpu
                              : options_.isSequential ? LaneKind::processor
                                                      : LaneKind::network;
        const Reconstruction& reconstruction = computed.reconstructed.reconstruction;
        const std::scoped_lock lock(mutex_);
        std::ranges::move(
            runStepSpans(reconstruction.timings, reconstruction.wallMilliseconds, lane,
                         computed.submittedAt, static_cast<int>(computed.position) + 1),
            std::back_inserter(runStepSpans_));
    }

    /// Fits a sample, unless no fit is requested for it.
    FittedSample fit(ReconstructedSample reconstructed, PipelineStepTimer& timer) {
        if (!fits_)
            return {std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)};
        const auto step = timer.step(PipelineStep::fit);
        if (!fitsOnDevice_)
            return fitIfRequested(std::move(reconstructed), request_.fit, fitOptions_);
        FittedSample fitted;
        // The task may run again on another device: `reconstructed` stays intact.
        network_.run(Urgency::now, [&](DeviceAccess& access) {
            fitted = fitIfRequested(reconstructed, request_.fit, fitOptions_,
                                    &access.backend().meshOperations());
        });
        return fitted;
    }

    MeasuredSample measure(FittedSample fitted, PipelineStepTimer& timer) const {
        const auto step = timer.step(PipelineStep::measure);
        return measureSample(std::move(fitted), measureOptions_);
    }

    /// Computes the visual hull; if that fails, a remark says why.
    StepOutcome<SampleHull> hull(const MeasuredSample& measured, PipelineStepTimer& timer) const {
        // Like a fit, the hull is a mesh made from the photographs. fit() has counted the sample.
        const auto step = timer.step(PipelineStep::fit, fits_ ? 0 : 1);
        StepOutcome<SampleHull> outcome;
        try {
            outcome.value = hullOf(measured.loaded, measured.fit,
                                   request_.vertices.value_or(kDefaultHullVertices),
                                   request_.model.threads, options_.cancel);
        } catch (const Error& error) {
            setRemark(outcome.remarks, RemarkKind::hull,
                      fmt::format("{}: no hull: {}", measured.loaded.sample->name(), error.what()));
        }
        return outcome;
    }

    /// Stores the results of samples. Reports stored samples in the order of the run, so that a
    /// sample waits until all previous samples are stored.
    void store(std::span<const FinishedSample> samples, const ResultFunction& report) {
        for (const FinishedSample& each : samples) keep(each.position, each.record.error);
        for (; stored_.contains(reportedCount_); ++reportedCount_)
            report(stored_.at(reportedCount_));
    }

    /// Assembles the result of a sample. `error`: why the sample failed; empty: done.
    void keep(std::size_t index, std::string error) {
        stored_.emplace(
            index, resultOf(samples_[index].location, std::move(steps_[index]), std::move(error)));
    }

    NetworkService& network_;
    const ReconstructRequest& request_;
    const std::vector<SampleArgument>& samples_;
    const bool fits_;            ///< at least one sample may be fitted
    bool fitsOnDevice_ = false;  ///< fits run on the device's thread, one after another
    PipelineOptions options_;
    SampleFitOptions fitOptions_;
    MeasureOptions measureOptions_;
    NameClaims names_;
    /// By sample, until it is stored. load() sets SampleSteps::found, finish() sets all others.
    std::vector<SampleSteps> steps_;
    std::map<std::size_t, SampleResult> stored_;  ///< by the sample's index
    std::size_t reportedCount_ = 0;               ///< number of reported samples, the first ones
    const SampleWriter writer_;
    std::mutex mutex_;
    Spans runStepSpans_;
};

}  // namespace

std::vector<SampleResult> runSamples(NetworkService& network, const ReconstructRequest& request,
                                     const fs::path& folder,
                                     const std::vector<SampleArgument>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans) {
    return SampleRun(network, request, folder, samples, cancel).run(report, spans);
}

}  // namespace threefold
