#pragma once

#include "ui/results/result.h"

namespace threefold::ui {

/// Look::morphPosition of MeshMorph::stages[stage].
float morphPositionOf(const MeshMorph& morph, std::size_t stage);
/// Morph position of the result's first stage: the template, or the first published stage if the
/// back end gives no template.
float firstMorphPosition(const Result& result);
/// Morph position of the result's last stage: the fitted mesh, or else the network's result.
float lastMorphPosition(const Result& result);
/// Whether the fitted mesh has vertices of its own (the vertices of a hull), not the network's
/// vertices at new positions. Then the last stage does not morph, and values of the network's
/// vertices do not apply to the fitted mesh.
bool hasOwnFittedVertices(const Result& result);

/// The mesh at a Look::morphPosition, clamped to the result's stages. At a stage, this is the
/// stage's own object. Between two stages, the mesh has the faces of the next stage, and one object
/// is returned until another position is requested. Null if the result has no mesh. Thread-safe;
/// takes far less than a millisecond.
render::SceneMeshRef morphedMesh(const Result& result, float position);

/// Converts a morph position, clamped to the result's stages. Where a stage does not morph into the
/// next, takes the nearer stage.
StageBlend stageBlend(const Result& result, float position);

}  // namespace threefold::ui
