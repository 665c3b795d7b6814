#include "app/reconstruct/sample_result.h"

#include <utility>

#include <fmt/format.h>

#include "app/options/fit_options.h"
#include "app/reconstruct/sample_remarks.h"
#include "engine/error.h"

namespace threefold {

std::string_view remarkKey(RemarkKind kind) {
    switch (kind) {
        case RemarkKind::missingImages:
            return "missing_images";
        case RemarkKind::defaultFit:
            return "fit_default";
        case RemarkKind::masks:
            return "mask_warning";
        case RemarkKind::measures:
            return "warning";
        case RemarkKind::fit:
            return "fit_warning";
        case RemarkKind::overlap:
            return "overlap_warning";
        case RemarkKind::hull:
            return "hull_warning";
        case RemarkKind::texture:
            return "texture_warning";
    }
    return {};
}

void SampleResult::setRemark(RemarkKind kind, std::string text) {
    if (!text.empty()) remarks.insert_or_assign(kind, std::move(text));
}

void setFit(SampleResult& result, SampleFit& fit, const FitRequest& requested) {
    if (isDefaultFit(requested))
        result.setRemark(
            RemarkKind::defaultFit,
            defaultFitNote(fmt::format("{} photographs", fit.views.size()), fit.resolved.vertices));
    result.surface.from = sourceOf(fit.hullFit);
    result.surface.choice = std::move(fit.choiceReason);
    if (fit.hullFit) {
        result.surface.depth = std::move(fit.hullFit->depth);
        if (result.surface.depth) result.surface.depth->maps.clear();
    }
    result.fit = std::exchange(fit.result, std::nullopt);
    result.fitNotes = std::move(fit.notes);
    if (fit.problem)
        result.setRemark(RemarkKind::fit,
                         fmt::format("not fitted: {}", Error(*fit.problem).what()));
    if (result.fit) result.setRemark(RemarkKind::overlap, overlapRemark(result.name, *result.fit));
}

void setMeasures(SampleResult& result, const MeasuredSample& measured,
                 const std::filesystem::path& truthRoot) {
    const LoadedSample& loaded = measured.loaded;
    result.timings = measured.reconstruction.network.timings;
    result.backendMilliseconds = measured.reconstruction.network.milliseconds();
    result.silhouettes = measured.silhouettes;
    result.setRemark(RemarkKind::masks, maskRemark(result.name, result.silhouettes));
    if (measured.evaluation) {
        result.measures = SampleMeasures{loaded.sample->truth->file, loaded.truth.space, {}};
        for (const auto& [mesh, evaluation] : measured.evaluation->entries())
            result.measures->meshes.add(mesh, evaluation.measures);
        result.setRemark(RemarkKind::measures, truthRemark(*loaded.sample, loaded.truth));
    } else if (loaded.truthProblem) {
        result.setRemark(RemarkKind::measures,
                         fmt::format("not measured: {}", Error(*loaded.truthProblem).what()));
    } else if (!truthRoot.empty()) {
        result.setRemark(RemarkKind::measures,
                         fmt::format("{}: no ground truth for {}: not measured", truthRoot.string(),
                                     result.name));
    }
}

}  // namespace threefold
