#include <glm/geometric.hpp>

#include "ui/results/quantities.h"

namespace threefold::ui::quantity {
namespace {

render::SceneValues distances(const Points& from, const Points& to) {
    render::SceneValues values(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) values[i] = glm::distance(from[i], to[i]);
    return values;
}

QString beforeRefinement() {
    return Quantities::tr("Refinement moves the vertices of the coarse mesh");
}

QString whyNotMoved(const Result& result, std::size_t stage) {
    if (stage < kCoarseStage) return beforeRefinement();
    const Reconstruction& r = result.reconstruction;
    const bool refined =
        r.refined1.size() == r.coarse.size() && r.refined.size() == r.coarse.size();
    return refined ? QString() : Quantities::tr("There is no refined mesh");
}

QString whyNoEntropy(const Result& result, std::size_t stage) {
    if (stage < kCoarseStage) return beforeRefinement();
    const Reconstruction& r = result.reconstruction;
    const bool scored =
        r.entropy1.size() == r.coarse.size() && r.entropy2.size() == r.coarse.size();
    return scored ? QString() : Quantities::tr("The scores of this run were not kept");
}

}  // namespace

QuantityInfo movement() {
    return {.name = Quantities::tr("Movement by refinement"),
            .unit = Quantities::tr("object units"),
            .explanation = Quantities::tr("How far each vertex went from coarse to refined. "
                                          "Fitted: from refined to fitted"),
            .ofStage =
                [](const Result& result, std::size_t stage) {
                    const Reconstruction& r = result.reconstruction;
                    return stage == kFittedStage ? distances(r.refined, r.fitted)
                                                 : distances(r.coarse, r.refined);
                },
            .ofFit =
                [](const Result& result, const render::SceneMesh& soFar) {
                    return distances(result.refined->vertices, soFar.vertices);
                },
            .whyNot = whyNotMoved};
}

QuantityInfo lastMovement() {
    return {.name = Quantities::tr("Movement in refinement step 2"),
            .unit = Quantities::tr("object units"),
            .explanation = Quantities::tr("How far each vertex went from refined 1 to refined 2"),
            .ofStage =
                [](const Result& result, std::size_t) {
                    return distances(result.reconstruction.refined1, result.reconstruction.refined);
                },
            .ofFit =
                [](const Result& result, const render::SceneMesh&) {
                    return distances(result.reconstruction.refined1, result.reconstruction.refined);
                },
            .whyNot = whyNotMoved};
}

QuantityInfo entropy() {
    return {.name = Quantities::tr("Entropy of the hypotheses"),
            .unit = Quantities::tr("bits"),
            .explanation = Quantities::tr(
                "How undecided the refinement was between the 43 hypotheses around a vertex: 0 one "
                "took all, 5.43 all alike. Coarse: of the first step, refined: of the second"),
            .fromZero = false,
            .decimals = 2,
            .ofStage =
                [](const Result& result, std::size_t stage) {
                    const Reconstruction& r = result.reconstruction;
                    return stage >= kRefinedStage ? r.entropy2 : r.entropy1;
                },
            .ofFit = [](const Result& result,
                        const render::SceneMesh&) { return result.reconstruction.entropy2; },
            .whyNot = whyNoEntropy};
}

}  // namespace threefold::ui::quantity
