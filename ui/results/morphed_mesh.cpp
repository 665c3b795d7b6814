#include "ui/results/morphed_mesh.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace threefold::ui {

using render::SceneMesh;
using render::SceneMeshRef;

float morphPositionOf(const MeshMorph& morph, std::size_t stage) {
    return static_cast<float>(stage) - static_cast<float>(morph.result());
}

float firstMorphPosition(const Result& result) {
    const MeshMorph& morph = result.morph;
    return morphPositionOf(morph, morph.stages.front().mesh ? 0 : morph.firstPublished());
}

float lastMorphPosition(const Result& result) {
    return result.mesh(MeshId::fitted) ? kMorphFitted : kMorphResult;
}

bool fittedApart(const Result& result) {
    return result.mesh(MeshId::fitted) && !result.morph.stages[result.morph.result()].unpooledStart;
}

MorphPlace morphPlace(const Result& result, float position) {
    const float first = firstMorphPosition(result);
    const float last = lastMorphPosition(result);
    // Written so that NaN ends at the result.
    const float inside = (position < last ? std::max(position, first) : last) +
                         static_cast<float>(result.morph.result());
    auto from = static_cast<std::size_t>(inside);
    float share = inside - static_cast<float>(from);
    if (from == result.morph.result() && fittedApart(result)) share = std::round(share);
    // Close enough to the stage: a slider's rounding must not cost it its own faces.
    constexpr float kNear = 1e-3F;
    if (share > 1 - kNear) {
        ++from;
        share = 0;
    }
    if (share < kNear) share = 0;
    return {from, share};
}

SceneMeshRef morphedMesh(const Result& result, float position) {
    const MorphPlace place = morphPlace(result, position);
    const std::vector<MorphStage>& stages = result.morph.stages;
    if (place.share == 0) return stages[place.from].mesh;
    const SceneMeshRef& start = stages[place.from].unpooledStart;
    const SceneMeshRef& end = stages[place.from + 1].mesh;
    if (!start || !end || start->vertices.size() != end->vertices.size())
        return stages[result.morph.firstPublished()].mesh;
    const auto make = [&]() -> SceneMeshRef {
        auto mesh = std::make_shared<SceneMesh>();
        mesh->vertices.resize(end->vertices.size());
        for (std::size_t i = 0; i < mesh->vertices.size(); ++i)
            mesh->vertices[i] = glm::mix(start->vertices[i], end->vertices[i], place.share);
        mesh->faces = end->faces;
        return mesh;
    };
    return result.quantities ? result.quantities->meshBetween(place, make) : make();
}

}  // namespace threefold::ui
