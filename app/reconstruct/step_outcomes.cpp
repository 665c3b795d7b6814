#include "app/reconstruct/step_outcomes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "app/options/fit_options.h"
#include "engine/error.h"

namespace threefold {

StepOutcome<FitSummary> fitOutcome(SampleFit& fit, const std::string& sample,
                                   const FitRequest& requested) {
    StepOutcome<FitSummary> outcome;
    if (isDefaultFit(requested))
        setRemark(
            outcome.remarks, RemarkKind::defaultFit,
            defaultFitNote(fmt::format("{} photographs", fit.views.size()), fit.resolved.vertices));
    if (fit.problem)
        setRemark(outcome.remarks, RemarkKind::fit,
                  fmt::format("not fitted: {}", Error(*fit.problem).what()));
    std::optional<FitResult> result = std::exchange(fit.result, std::nullopt);
    if (!result) return outcome;
    setRemark(outcome.remarks, RemarkKind::overlap, overlapRemark(sample, *result));
    FitSummary& summary = outcome.value.emplace();
    summary.result = std::move(*result);
    summary.notes = std::move(fit.notes);
    summary.source = sourceOf(fit.hullFit);
    summary.choice = std::move(fit.choiceReason);
    if (fit.hullFit) summary.depth = std::move(fit.hullFit->depth);
    if (summary.depth) summary.depth->maps.clear();
    return outcome;
}

StepOutcome<TimesAndMeasures> measureOutcome(const MeasuredSample& measured,
                                             const std::filesystem::path& truthRoot) {
    StepOutcome<TimesAndMeasures> outcome;
    const LoadedSample& loaded = measured.loaded;
    const std::string name = loaded.sample->name();
    TimesAndMeasures& summary = outcome.value.emplace();
    summary.timings = measured.reconstruction.network.timings;
    summary.backendMilliseconds = measured.reconstruction.network.milliseconds();
    summary.silhouettes = measured.silhouettes;
    setRemark(outcome.remarks, RemarkKind::masks, maskRemark(name, summary.silhouettes));
    if (measured.evaluation) {
        summary.measures = SampleMeasures{loaded.sample->truth->file, loaded.truth.space, {}};
        for (const auto& [mesh, evaluation] : measured.evaluation->entries())
            summary.measures->meshes.add(mesh, evaluation.measures);
        setRemark(outcome.remarks, RemarkKind::measures, truthRemark(*loaded.sample, loaded.truth));
    } else if (loaded.truthProblem) {
        setRemark(outcome.remarks, RemarkKind::measures,
                  fmt::format("not measured: {}", Error(*loaded.truthProblem).what()));
    } else if (!truthRoot.empty()) {
        setRemark(
            outcome.remarks, RemarkKind::measures,
            fmt::format("{}: no ground truth for {}: not measured", truthRoot.string(), name));
    }
    return outcome;
}

SampleResult resultOf(std::string given, SampleSteps steps, std::string error) {
    SampleResult result;
    const auto take = [&result](auto& step) {
        std::ranges::move(step.notes, std::back_inserter(result.notes));
        result.remarks.merge(step.remarks);
        return std::move(step.value);
    };
    result.given = std::move(given);
    result.found = take(steps.found).value_or(FoundSample{});
    result.fit = take(steps.fit);
    result.measured = take(steps.measured).value_or(TimesAndMeasures{});
    result.hull = take(steps.hull);
    result.written = take(steps.written).value_or(WrittenSample{});
    result.error = std::move(error);
    return result;
}

}  // namespace threefold
