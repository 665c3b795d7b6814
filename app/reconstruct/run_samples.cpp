#include "app/reconstruct/run_samples.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/options/fit_options.h"
#include "app/options/sample_arguments.h"
#include "app/options/sample_options.h"
#include "app/reconstruct/sample_spans.h"
#include "app/reconstruct/sample_writer.h"
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
          usesGpu_(network.info().kind->usesGpu && !network.info().onFallback),
          fits_(mayFit(request.fit, samples)),
          // Fits on a GPU run on the device's thread, so samples take turns.
          sequential_(samples.size() == 1 || (usesGpu_ && fits_)),
          results_(samples.size()),
          writer_(request, folder, cancel) {
        fitOptions_.cancel = measureOptions_.cancel = cancel;
        fitOptions_.threads = request.model.threads;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            results_[i].given = samples[i].location;
            names_.expect(i);
        }
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
        PipelineOptions options;
        options.isSequential = sequential_;
        options.usesGpu = usesGpu_;
        options.coreCount = static_cast<std::size_t>(request_.model.threads);
        options.finishesAfterCancel = !fits_;
        options.cancel = fitOptions_.cancel;
        options.spans = !request_.trace.empty();
        PipelineReport times;
        try {
            runPipeline(network_, samples_.size(), callbacks, options, &times);
        } catch (const Cancelled&) {
            keepStored(report);
        } catch (const Error& error) {
            for (; reportedCount_ < results_.size(); ++reportedCount_) {
                SampleResult& result = results_[reportedCount_];
                if (!storedIndices_.contains(reportedCount_)) result.error = error.what();
                report(result);
            }
        }
        spans = std::move(times.spans);
        std::ranges::move(runStepSpans_, std::back_inserter(spans));
        if (sequential_) addSampleSpans(spans, samples_);
        return std::move(results_);
    }

  private:
    /// After a cancel: reports the stored samples that are not reported yet, and removes all
    /// samples that are not stored.
    void keepStored(const ResultFunction& report) {
        std::vector<SampleResult> finished;
        for (const std::size_t index : storedIndices_) {
            if (index >= reportedCount_) report(results_[index]);
            finished.push_back(std::move(results_[index]));
        }
        results_ = std::move(finished);
    }

    /// Loads a sample; sets the views, notes, name and source of the sample's result. Throws the
    /// error of a sample that cannot be loaded, and InputError if another sample has its name.
    LoadedSample load(std::size_t index, SampleRecord& record) {
        record.listedName = samples_[index].location;
        SampleResult& result = results_[index];
        std::optional<NameClaim> claim(std::in_place, names_, index);
        auto sample = std::make_shared<const Sample>(findSampleArgument(
            samples_[index], request_.sources.imageRoot, request_.sources.truthRoot,
            request_.sources.object, request_.sources.truthSpace));
        result.views = request_.sources.views.empty()
                           ? defaultViews(*sample, readNetworkImage, fitOptions_.cancel)
                           : request_.sources.views;
        if (sample->photos) result.notes = sample->photos->frame.notes;
        if (request_.sources.views.empty() && result.views != kPublishedViews)
            result.notes.push_back(
                fmt::format("Views {} were chosen by their directions and silhouettes; --views "
                            "chooses others.",
                            fmt::join(result.views, ",")));
        if (request_.sources.views.empty() && result.views.size() < kPublishedViews.size())
            result.notes.push_back(viewCountWarning(result.views.size()) + '.');
        result.name = sample->name();
        // ShapeNet samples are often copied without unused views.
        if (sample->category.empty())
            result.setRemark(RemarkKind::missingImages, missingImagesText(*sample));
        result.source = sample->folder;
        const bool nameIsTaken = claim->take(result.name).has_value();
        claim.reset();  // the next sample's claim must not wait for this sample's images
        if (nameIsTaken)
            throw InputError({result.name, "", "another sample of this run has the same name",
                              "Reconstruct it in a second run with another -o."});
        return loadSample(std::move(sample), result.views);
    }

    void finish(ComputedSample computed, SampleRecord& record, PipelineStepTimer& timer) {
        SampleResult& result = results_[computed.position];
        addRunStepSpans(computed);
        auto& [loaded, reconstruction] = computed.reconstructed;
        reconstruction.timings.insert(reconstruction.timings.begin(),
                                      {RunStep::load, loaded.milliseconds});
        try {
            FittedSample fitted;
            if (fits_) {
                const auto step = timer.step(PipelineStep::fit);
                fitted = fit(std::move(computed.reconstructed));
                if (fitted.fit) setFit(result, *fitted.fit, *request_.fit);
            } else {
                fitted = {std::move(loaded), std::move(reconstruction)};
            }
            const MeasuredSample measured = measure(std::move(fitted), result, timer);
            const auto step = timer.step(PipelineStep::write);
            if (request_.written.hull) addHull(measured, result);
            if (fitOptions_.cancel.stop_requested()) throw Cancelled();
            writer_.write(measured, result);
        } catch (const Error& error) {
            // A sample whose files cannot be written fails alone; the other samples go on.
            record.error = error.what();
        }
    }

    void addRunStepSpans(const ComputedSample& computed) {
        if (request_.trace.empty()) return;
        const LaneKind lane = usesGpu_      ? LaneKind::gpu
                              : sequential_ ? LaneKind::processor
                                            : LaneKind::network;
        const Reconstruction& reconstruction = computed.reconstructed.reconstruction;
        const std::scoped_lock lock(mutex_);
        std::ranges::move(
            runStepSpans(reconstruction.timings, reconstruction.wallMilliseconds, lane,
                         computed.submittedAt, static_cast<int>(computed.position) + 1),
            std::back_inserter(runStepSpans_));
    }

    FittedSample fit(ReconstructedSample reconstructed) {
        if (!sequential_)
            return fitIfRequested(std::move(reconstructed), request_.fit, fitOptions_);
        FittedSample fitted;
        // The task may run again on another device: `reconstructed` stays intact.
        network_.run(Urgency::now, [&](DeviceAccess& access) {
            fitted = fitIfRequested(reconstructed, request_.fit, fitOptions_,
                                    &access.backend().meshOperations());
        });
        return fitted;
    }

    MeasuredSample measure(FittedSample fitted, SampleResult& result,
                           PipelineStepTimer& timer) const {
        const auto step = timer.step(PipelineStep::measure);
        MeasuredSample measured = measureSample(std::move(fitted), measureOptions_);
        setMeasures(result, measured, request_.sources.truthRoot);
        return measured;
    }

    /// Adds the visual hull; if that fails, a remark says why.
    void addHull(const MeasuredSample& measured, SampleResult& result) const {
        try {
            result.hull = hullOf(measured.loaded, measured.fit,
                                 request_.vertices.value_or(kDefaultHullVertices),
                                 request_.model.threads, fitOptions_.cancel);
        } catch (const Error& error) {
            result.setRemark(RemarkKind::hull,
                             fmt::format("{}: no hull: {}", result.name, error.what()));
        }
    }

    /// Marks samples as stored. Reports stored samples in the order of the run, so that a sample
    /// waits until all previous samples are stored.
    void store(std::span<const FinishedSample> samples, const ResultFunction& report) {
        for (const FinishedSample& each : samples) {
            results_[each.position].error = each.record.error;
            storedIndices_.insert(each.position);
        }
        for (; storedIndices_.contains(reportedCount_); ++reportedCount_)
            report(results_[reportedCount_]);
    }

    NetworkService& network_;
    const ReconstructRequest& request_;
    const std::vector<SampleArgument>& samples_;
    const bool usesGpu_;
    const bool fits_;        ///< at least one sample may be fitted
    const bool sequential_;  ///< process samples one after another on this thread
    SampleFitOptions fitOptions_;
    MeasureOptions measureOptions_;
    NameClaims names_;
    std::vector<SampleResult> results_;  ///< of all samples; the pipeline's steps fill them in
    const SampleWriter writer_;
    std::set<std::size_t> storedIndices_;
    std::size_t reportedCount_ = 0;
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
