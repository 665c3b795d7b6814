#pragma once

#include "ui/results/result.h"

namespace threefold::ui {

/// The first stage that this result has: kMorphTemplate, or kMorphCoarse if the backend gives no
/// template.
float firstMorphPosition(const Result& result);
/// The last one: kMorphFitted, or kMorphRefined if the result is not fitted.
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
