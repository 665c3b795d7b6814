#include "engine/sample_steps/fit_reconstruction.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/fitting/mesh_levels.h"
#include "engine/sample_steps/fit_request.h"

namespace threefold {
namespace {

/// Appends `next`, a fit that began with the mesh of `result` and used all or some of the
/// photographs of `result`.
void continueFit(FitResult& result, FitResult next) {
    result.agreements = joinedAgreements(result.agreements, next.agreements);
    const auto append = [](auto& list, auto& added) {
        std::ranges::move(added, std::back_inserter(list));
    };
    append(result.steps, next.steps);
    append(result.leftOut, next.leftOut);
    result.vertices = std::move(next.vertices);
    result.defectsAfter = next.defectsAfter;
    result.milliseconds += next.milliseconds;
}

/// Mean outline distance over the views; nullopt if a mesh or a photograph has no outline.
std::optional<double> outlineDistance(const FitResult& fit, SilhouetteScore FitAgreement::*mesh) {
    double sum = 0;
    for (const FitAgreement& view : fit.agreements) {
        if (!(view.*mesh).outlineDistance) return std::nullopt;
        sum += (view.*mesh).outlineDistance->mean;
    }
    return sum / static_cast<double>(std::max<std::size_t>(fit.agreements.size(), 1));
}

/// Why the fitted mesh agrees less with the photographs than the mesh from which the fit began;
/// empty if it does not. Thin objects need both measures, as their outlines hardly overlap.
std::string whyWorse(const FitResult& fit) {
    if (fit.steps.empty()) return {};
    const double overlapBefore = fit.meanOverlapBefore();
    const double overlapAfter = fit.meanOverlapAfter();
    if (overlapAfter < overlapBefore)
        return fmt::format("overlap with the photographs' outlines {:.3f} before, {:.3f} after",
                           overlapBefore, overlapAfter);
    const auto before = outlineDistance(fit, &FitAgreement::before);
    const auto after = outlineDistance(fit, &FitAgreement::after);
    if (before && (!after || *after > *before))
        return fmt::format("distance from the photographs' outlines {:.2f} pixels before, {} after",
                           *before, after ? fmt::format("{:.2f}", *after) : "none");
    return {};
}

/// Undoes a fit: the mesh is `start` again.
void undoFit(FitResult& fit, const Points& start) {
    fit.vertices = start;
    fit.isDiscarded = true;
    for (FitAgreement& view : fit.agreements) view.after = view.before;
    fit.defectsAfter = fit.defectsBefore;
}

}  // namespace

FittedMesh fitReconstruction(const Reconstruction& reconstruction, const Camera& referenceCamera,
                             std::span<const MaskedView> views, const FitOptions& options,
                             std::size_t vertices, MeshOperations* operations) {
    const Points& start = reconstruction.result().vertices;
    const Faces& startFaces = reconstruction.faces(reconstruction.result());
    const auto fit = [&](const Points& points, const fitting::MeshLevels& levels,
                         std::span<const MaskedView> photographs, const FitOptions& fitOptions) {
        return operations != nullptr
                   ? operations->fit(points, levels, referenceCamera, photographs, fitOptions)
                   : fitMesh(points, levels, referenceCamera, photographs, fitOptions);
    };
    fitting::MeshLevels levels = reconstruction.templateMesh
                                     ? fitting::MeshLevels(*reconstruction.templateMesh)
                                     : fitting::MeshLevels(start.size(), startFaces);
    FitResult result = fit(start, levels, views, options);
    Faces faces = startFaces;
    FitOptions silent = options;
    silent.progress = {};
    while (result.vertices.size() * 2 < vertices && !result.agreements.empty()) {
        fitting::SubdividedMesh finer = fitting::subdivide(levels, result.vertices);
        levels = std::move(finer.levels);
        continueFit(result, fit(finer.vertices, levels, fittedViews(views, result), silent));
        faces = levels.faces();
    }
    std::vector<std::string> notes;
    if (const std::string worse = whyWorse(result); !worse.empty()) {
        undoFit(result, start);
        faces = startFaces;
        notes.push_back(
            fmt::format("The fit was discarded, the network's mesh is kept: {}.", worse));
    }
    Mesh mesh{result.vertices, std::move(faces)};
    return {std::move(mesh), std::move(result), std::move(notes)};
}

std::vector<FitAgreement> joinedAgreements(std::span<const FitAgreement> first,
                                           std::span<const FitAgreement> later) {
    std::vector<FitAgreement> joined;
    for (const FitAgreement& agreement : first) {
        const auto match = std::ranges::find(later, agreement.view, &FitAgreement::view);
        if (match != later.end())
            joined.push_back({agreement.view, agreement.before, match->after});
    }
    return joined;
}

std::vector<MaskedView> fittedViews(std::span<const MaskedView> views, const FitResult& fit) {
    std::vector<MaskedView> used;
    for (const FitAgreement& agreement : fit.agreements)
        used.push_back(*std::ranges::find(views, agreement.view, &MaskedView::view));
    return used;
}

}  // namespace threefold
