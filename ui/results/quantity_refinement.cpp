#include <algorithm>

#include <glm/geometric.hpp>

#include "ui/results/quantities.h"

namespace threefold::ui::quantity {
namespace {

render::SceneValues distances(const Points& from, const Points& to) {
    render::SceneValues values(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) values[i] = glm::distance(from[i], to[i]);
    return values;
}

render::SceneValues lastStep(const Reconstruction& r) {
    return distances(r.stages[r.stages.size() - 2].vertices, r.result().vertices);
}

QString beforeRefinement() {
    return Quantities::tr("Refinement moves the vertices of the first published mesh");
}

QString whyNotMoved(const Result& result, std::size_t stage) {
    if (stage < result.morph.firstPublishedIndex()) return beforeRefinement();
    const render::SceneMeshRef& first = result.mesh(MeshId::firstPublished);
    const render::SceneMeshRef& last = result.mesh(MeshId::result);
    const bool moved =
        first && last && first != last && first->vertices.size() == last->vertices.size();
    return moved ? QString() : Quantities::tr("This result has not been refined");
}

QString whyNoEntropy(const Result& result, std::size_t stage) {
    if (stage < result.morph.firstPublishedIndex()) return beforeRefinement();
    const StageMesh& last = result.reconstruction.network.result();
    const bool scored =
        !last.vertices.empty() && last.channel(kEntropyChannel).size() == last.vertices.size();
    return scored ? QString() : Quantities::tr("The scores of this run were not kept");
}

}  // namespace

QuantityInfo movement() {
    return {.name = Quantities::tr("Movement by refinement"),
            .unit = Quantities::tr("object units"),
            .explanation = Quantities::tr(
                "Distance that each vertex moved from the first published mesh to the "
                "result. Fitted: from the result to the fitted mesh"),
            .ofStage =
                [](const Result& result, std::size_t stage) {
                    const FittedReconstruction& r = result.reconstruction;
                    const Points& last = r.network.result().vertices;
                    return stage == result.morph.fittedIndex()
                               ? distances(last, r.fitted->vertices)
                               : distances(r.network.published().front()->vertices, last);
                },
            .ofFit =
                [](const Result& result, const render::SceneMesh& converging) {
                    return distances(result.mesh(MeshId::result)->vertices, converging.vertices);
                },
            .missingReason = whyNotMoved};
}

QuantityInfo lastMovement() {
    return {
        .name = Quantities::tr("Movement in the last refinement step"),
        .unit = Quantities::tr("object units"),
        .explanation =
            Quantities::tr("Distance that each vertex moved from the stage before to the result"),
        .ofStage = [](const Result& result,
                      std::size_t) { return lastStep(result.reconstruction.network); },
        .ofFit = [](const Result& result,
                    const render::SceneMesh&) { return lastStep(result.reconstruction.network); },
        .missingReason = whyNotMoved};
}

QuantityInfo entropy() {
    return {.name = Quantities::tr("Uncertainty (entropy)"),
            .unit = Quantities::tr("bits"),
            .explanation =
                Quantities::tr("Entropy of the weights of the 43 hypotheses around a vertex: 0 if "
                               "one has all the weight, 5.43 if all weigh the same. The first mesh "
                               "shows the first step of the refinement, the result the last"),
            .fromZero = false,
            .decimals = 2,
            .ofStage =
                [](const Result& result, std::size_t stage) {
                    // The first published mesh takes the entropy of the first refinement step, and
                    // the fitted mesh takes the entropy of the last step.
                    const MeshMorph& morph = result.morph;
                    const std::size_t from =
                        std::clamp(stage, morph.firstPublishedIndex() + 1, morph.resultIndex());
                    return result.reconstruction.network.stages[from - 1].channel(kEntropyChannel);
                },
            .ofFit =
                [](const Result& result, const render::SceneMesh&) {
                    return result.reconstruction.network.result().channel(kEntropyChannel);
                },
            .missingReason = whyNoEntropy};
}

}  // namespace threefold::ui::quantity
