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
/// Whether the fitted mesh has vertices of its own (a hull's) instead of the network's, moved. Then
/// the last stage does not morph, and values of the network's vertices do not apply to it.
bool hasOwnFittedVertices(const Result& result);

/// The mesh at a Look::morphPosition, clamped to the result's stages. At a stage: the stage's own
/// object. Between two stages: with the faces of the next stage, the same object until another
/// position is requested. Null if the result has no mesh. Thread-safe, far below a millisecond.
render::SceneMeshRef morphedMesh(const Result& result, float position);

/// Converts a morph position, clamped to the result's stages. Without a morph: the nearer stage.
StageBlend stageBlend(const Result& result, float position);

}  // namespace threefold::ui
