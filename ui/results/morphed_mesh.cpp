#include "ui/results/morphed_mesh.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace threefold::ui {

using render::SceneMesh;
using render::SceneMeshRef;

float morphPositionOf(const MeshMorph& morph, std::size_t stage) {
    return static_cast<float>(stage) - static_cast<float>(morph.resultIndex());
}

float firstMorphPosition(const Result& result) {
    const MeshMorph& morph = result.morph;
    return morphPositionOf(morph, morph.stages.front().mesh ? 0 : morph.firstPublishedIndex());
}

float lastMorphPosition(const Result& result) {
    return result.mesh(MeshId::fitted) ? kMorphFitted : kMorphResult;
}

bool hasOwnFittedVertices(const Result& result) {
    return result.mesh(MeshId::fitted) &&
           !result.morph.stages[result.morph.resultIndex()].unpooledStart;
}

StageBlend stageBlend(const Result& result, float position) {
    const float first = firstMorphPosition(result);
    const float last = lastMorphPosition(result);
    // Ordered so that NaN gives the last stage.
    const float index = (position < last ? std::max(position, first) : last) +
                        static_cast<float>(result.morph.resultIndex());
    auto from = static_cast<std::size_t>(index);
    float fraction = index - static_cast<float>(from);
    if (from == result.morph.resultIndex() && hasOwnFittedVertices(result))
        fraction = std::round(fraction);
    // Snap to a stage: a slider's rounding must not replace the stage's own faces.
    constexpr float kSnap = 1e-3F;
    if (fraction > 1 - kSnap) {
        ++from;
        fraction = 0;
    }
    if (fraction < kSnap) fraction = 0;
    return {from, fraction};
}

SceneMeshRef morphedMesh(const Result& result, float position) {
    const StageBlend blend = stageBlend(result, position);
    const std::vector<MorphStage>& stages = result.morph.stages;
    if (blend.fraction == 0) return stages[blend.from].mesh;
    const SceneMeshRef& start = stages[blend.from].unpooledStart;
    const SceneMeshRef& end = stages[blend.from + 1].mesh;
    if (!start || !end || start->vertices.size() != end->vertices.size())
        return stages[result.morph.firstPublishedIndex()].mesh;
    const auto make = [&]() -> SceneMeshRef {
        auto mesh = std::make_shared<SceneMesh>();
        mesh->vertices.resize(end->vertices.size());
        for (std::size_t i = 0; i < mesh->vertices.size(); ++i)
            mesh->vertices[i] = glm::mix(start->vertices[i], end->vertices[i], blend.fraction);
        mesh->faces = end->faces;
        return mesh;
    };
    return result.quantities ? result.quantities->meshBetween(blend, make) : make();
}

}  // namespace threefold::ui
