#pragma once

#include "ui/results/result.h"

namespace threefold::ui {

/// Look::morphPosition of a stage of MeshMorph::stages.
float morphPositionOf(const MeshMorph& morph, std::size_t stage);
/// Of the first stage that this result has: the template, or the first published stage if the
/// backend gives no template.
float firstMorphPosition(const Result& result);
/// Of the last one: the fitted mesh, or the network's result if the result is not fitted.
float lastMorphPosition(const Result& result);
/// Whether the fitted mesh has vertices of its own, as a hull's are, not the refined mesh's moved:
/// then the last stage does not morph, and values of the refined mesh's vertices do not apply to
/// it.
bool fittedApart(const Result& result);

/// The mesh at a Look::shownPosition(), clamped to the stages there are. At a stage it is that
/// stage's own object; between two stages it has the faces of the next one and stays the same
/// object until another position is requested. Null if the result has no mesh. Thread-safe, far
/// below a millisecond.
render::SceneMeshRef morphedMesh(const Result& result, float position);

/// The place of a position among the stages there are.
MorphPlace morphPlace(const Result& result, float position);

}  // namespace threefold::ui
