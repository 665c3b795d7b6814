#include "engine/pipeline/finish_sample.h"

#include <string>
#include <utility>

#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/views/left_out_view.h"

namespace threefold {
namespace {

void recordFitNote(const SampleFit& fit, SampleRecord& record) {
    if (fit.problem) {
        record.fitNote = fmt::format("not fitted: {}", Error(*fit.problem).what());
        return;
    }
    const auto remarks = remarksOf(fit.result->leftOut, fit.notes);
    if (!remarks.empty()) record.fitNote = fmt::format("{}", fmt::join(remarks, "; "));
}

/// The record of a fit that has a result.
FitRecord fitRecordOf(const SampleFit& fit) {
    FitRecord record{.source = sourceOf(fit.hullFit),
                     .usedViews = fit.result->usedViews(),
                     .isDiscarded = fit.result->isDiscarded};
    if (const auto& hullFit = fit.hullFit; hullFit && hullFit->depth) {
        record.sureFraction = hullFit->depth->sureFraction;
        record.depthMilliseconds = hullFit->depth->milliseconds;
    }
    return record;
}

}  // namespace

MeasuredSample finishSample(ComputedSample computed, const FinishOptions& options,
                            SampleRecord& record, PipelineStepTimer& timer) {
    ReconstructedSample& reconstructed = computed.reconstructed;
    const std::optional<ResolvedFit> fit =
        options.fit ? resolveFit(*reconstructed.loaded.sample, *options.fit) : std::nullopt;
    FittedSample fitted;
    if (fit) {
        const auto step = timer.step(PipelineStep::fit);
        fitted = fitSample(std::move(reconstructed), *fit, options.fitOptions);
        record.times.fit = step.milliseconds();
        recordFitNote(*fitted.fit, record);
        if (fitted.reconstruction.fitted) record.fit = fitRecordOf(*fitted.fit);
    } else {
        fitted = {std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)};
    }
    const auto step = timer.step(PipelineStep::measure);
    MeasuredSample measured =
        measureSample(std::move(fitted), options.measure, nullptr, std::move(computed.comparisons));
    record.scores = measured.scores;
    record.distances = measured.distances;
    record.silhouettes = measured.silhouettes;
    record.times.measure += step.milliseconds();
    return measured;
}

}  // namespace threefold
