#include "ui/results/quantities.h"

#include <cmath>
#include <iterator>
#include <optional>

#include <glm/common.hpp>

#include "ui/results/morphed_mesh.h"

namespace threefold::ui {

namespace quantity {
#define THREEFOLD_DECLARED(id) QuantityInfo id();
THREEFOLD_QUANTITIES(THREEFOLD_DECLARED)
#undef THREEFOLD_DECLARED
}  // namespace quantity

namespace {

using render::SceneValues;

QString noTruthReason(const Result& result) {
    return result.truthProblem() ? Quantities::tr("The ground truth cannot be used")
                                 : Quantities::tr("There is no ground truth to measure against");
}

QString ofFileReason() {
    return Quantities::tr("Exists only in files of opened meshes");
}

QString noSurfaceReason() {
    return Quantities::tr("The truth has no faces");
}

QString noMeshReason() {
    return Quantities::tr("There is no such mesh");
}

SurfaceValues atStage(const Result& result, std::size_t stage, Quantity quantity) {
    const render::SceneMeshRef& mesh = result.morph.stages[stage].mesh;
    if (!mesh) return noValues(quantity, noMeshReason());
    const QuantityInfo info = quantityInfo(quantity);
    const QString reason = missingReason(result, stage, info);
    if (!reason.isEmpty()) return noValues(quantity, reason);
    return result.quantities->getOrCompute(stage, quantity, [&] {
        return surfaceValuesOf(quantity, mesh,
                               info.ofStage != nullptr ? info.ofStage(result, stage)
                                                       : info.ofMesh(*mesh, result.truthShape()));
    });
}

SurfaceValues ofTruth(const Result& result, Quantity quantity) {
    const QuantityInfo info = quantityInfo(quantity);
    if (info.ofTruth == nullptr)
        return noValues(quantity, Quantities::tr("A value of the meshes, not of the truth"));
    if (!result.evaluation()) return noValues(quantity, noTruthReason(result));
    return result.quantities->getOrCompute(QuantityCache::kTruth, quantity, [&] {
        const ResultTruth& truth = *result.truth;
        return surfaceValuesOf(quantity, truth.surface ? truth.surface : truth.points,
                               info.ofTruth(result));
    });
}

SurfaceValues ofHull(const Result& result, Quantity quantity) {
    const QuantityInfo info = quantityInfo(quantity);
    const render::SceneMeshRef& hull = result.mesh(MeshId::hull);
    if (!hull) return noValues(quantity, noMeshReason());
    if (info.needsTruth && !result.truth) return noValues(quantity, noTruthReason(result));
    if (info.needsTruthSurface && !result.truthShape().surface)
        return noValues(quantity, noSurfaceReason());
    if (info.isFromFile) return noValues(quantity, ofFileReason());
    if (info.ofMesh == nullptr)
        return noValues(quantity,
                        Quantities::tr("The hull's vertices are its own, not the network's"));
    return result.quantities->getOrCompute(QuantityCache::kHull, quantity, [&] {
        return surfaceValuesOf(quantity, hull, info.ofMesh(*hull, result.truthShape()));
    });
}

}  // namespace

QuantityInfo quantityInfo(Quantity quantity) {
#define THREEFOLD_DESCRIBED(id) quantity::id,
    constexpr QuantityInfo (*kDescribe[])() = {THREEFOLD_QUANTITIES(THREEFOLD_DESCRIBED)};
#undef THREEFOLD_DESCRIBED
    return kDescribe[static_cast<std::size_t>(quantity)]();
}

QString missingReason(const Result& result, std::size_t stage, const QuantityInfo& info) {
    if (info.isFromFile) return ofFileReason();
    if (info.needsTruth && !result.truth) return noTruthReason(result);
    if (info.needsTruthSurface && !result.truthShape().surface) return noSurfaceReason();
    const bool ofFitted = stage == result.morph.fittedIndex();
    if (info.needsTruth && ofFitted && !(result.evaluation() && result.evaluation()->fitted()))
        return Quantities::tr("The ground truth could not be read again");
    if (info.ofFit != nullptr && ofFitted && hasOwnFittedVertices(result))
        return Quantities::tr("The fitted mesh's vertices are its own, not the network's");
    return info.missingReason != nullptr ? info.missingReason(result, stage) : QString();
}

SurfaceValues noValues(Quantity quantity, const QString& reason) {
    const QuantityInfo info = quantityInfo(quantity);
    SurfaceValues values;
    values.unit = info.unit;
    values.diverging = info.diverging;
    values.reason = reason;
    return values;
}

SurfaceValues surfaceValuesOf(Quantity quantity, const render::SceneMeshRef& mesh,
                              SceneValues values) {
    SurfaceValues surface = noValues(quantity, {});
    std::vector<float> sorted;
    sorted.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [](float value) { return std::isfinite(value); });
    std::sort(sorted.begin(), sorted.end());
    surface.values = {mesh, std::move(values)};
    surface.sorted = std::make_shared<const std::vector<float>>(sorted);
    surface.magnitudes = surface.sorted;
    if (surface.diverging) {
        for (float& value : sorted) value = std::abs(value);
        std::sort(sorted.begin(), sorted.end());
        surface.magnitudes = std::make_shared<const std::vector<float>>(std::move(sorted));
    }
    return surface;
}

SurfaceValues morphedValues(const Result& result, float position, Quantity quantity) {
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues() || !result.quantities) return noValues(quantity, {});
    const StageBlend blend = stageBlend(result, position);
    if (blend.fraction == 0) return atStage(result, blend.from, quantity);
    const SurfaceValues start = atStage(result, blend.from, quantity);
    const SurfaceValues end = atStage(result, blend.from + 1, quantity);
    if (!start.values || !end.values) return start.values ? end : start;
    const render::SceneMeshRef mesh = morphedMesh(result, position);
    return result.quantities->getOrCompute(mesh, quantity, [&] {
        SceneValues values = *start.values;
        for (const glm::u32vec2 edge : result.morph.stages[blend.from].edges)
            values.push_back((values[edge.x] + values[edge.y]) * 0.5F);
        if (values.size() != end.values->size()) return end;
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = glm::mix(values[i], (*end.values)[i], blend.fraction);
        return surfaceValuesOf(quantity, mesh, std::move(values));
    });
}

SurfaceValues quantityValues(const Result& result, MeshId id, Quantity quantity) {
    if (!quantityInfo(quantity).hasValues() || !result.quantities) return noValues(quantity, {});
    if (id == MeshId::truth) return ofTruth(result, quantity);
    if (id == MeshId::hull) return ofHull(result, quantity);
    const std::optional<std::size_t> stage = result.morph.stageIndex(id);
    return stage ? atStage(result, *stage, quantity) : noValues(quantity, noMeshReason());
}

SurfaceValues convergingValues(const Result& result, const render::SceneMeshRef& converging,
                               Quantity quantity) {
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues() || !result.quantities) return noValues(quantity, {});
    const QString reason = missingReason(result, result.morph.resultIndex(), info);
    if (!reason.isEmpty()) return noValues(quantity, reason);
    return result.quantities->getOrCompute(converging, quantity, [&] {
        return surfaceValuesOf(quantity, converging,
                               info.ofFit != nullptr
                                   ? info.ofFit(result, *converging)
                                   : info.ofMesh(*converging, result.truthShape()));
    });
}

}  // namespace threefold::ui
