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
    const auto remarks = remarksOf(fit.result->leftOut, fit.result->notes);
    if (!remarks.empty()) record.fitNote = fmt::format("{}", fmt::join(remarks, "; "));
}

void recordFitSource(const SampleFit& fit, SampleRecord& record) {
    FittedMeshOrigin& surface = record.fitSource.emplace();
    surface.from = sourceOf(fit.hullResult.hullFit);
    if (!fit.hullResult.hullFit || !fit.hullResult.hullFit->depth) return;
    surface.sureFraction = fit.hullResult.hullFit->depth->sureFraction;
    surface.depthMilliseconds = fit.hullResult.hullFit->depth->milliseconds;
}

}  // namespace

MeasuredSample finishSample(ComputedSample computed, const SampleFitOptions& fit,
                            const MeasureOptions& measure, SampleRecord& record,
                            PipelineStepTimer& clock) {
    FittedSample fitted{std::move(computed.reconstructed.loaded),
                        std::move(computed.reconstructed.reconstruction)};
    if (fit.request && resolveFit(*fitted.loaded.sample, *fit.request)) {
        const auto step = clock.step(PipelineStep::fit);
        fitted = fitSample({std::move(fitted.loaded), std::move(fitted.reconstruction)}, fit);
        record.times.fit = step.milliseconds();
        recordFitNote(*fitted.fit, record);
        if (fitted.reconstruction.fitted) recordFitSource(*fitted.fit, record);
    }
    const auto step = clock.step(PipelineStep::measure);
    MeasuredSample measured =
        measureSample(std::move(fitted), measure, nullptr, std::move(computed.comparisons));
    record.scores = measured.scores;
    record.distances = measured.distances;
    record.silhouettes = measured.silhouettes;
    record.times.measure += step.milliseconds();
    return measured;
}

}  // namespace threefold
