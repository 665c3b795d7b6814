#pragma once

#include <cstddef>

#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"
#include "ui/results/look.h"

namespace threefold::ui {

/// Template, level 1, level 2, coarse, refined₁, refined, fitted: kMorphTemplate … kMorphFitted.
inline constexpr std::size_t kMorphStages = 7;
/// Those that have measures of their own, as numbers of stages.
inline constexpr auto kCoarseStage = static_cast<std::size_t>(kMorphCoarse);
inline constexpr auto kRefinedStage = static_cast<std::size_t>(kMorphRefined);
inline constexpr auto kFittedStage = static_cast<std::size_t>(kMorphFitted);

/// The stage that has the coarse, the refined or the fitted mesh.
constexpr std::size_t stageOf(MeshRole role) {
    return role == MeshRole::coarse    ? kCoarseStage
           : role == MeshRole::refined ? kRefinedStage
                                       : kFittedStage;
}

/// The meshes of all stages, in world space, and what morphs one into the next.
struct MeshMorph {
    /// Each with its own faces; null where the reconstruction does not have it.
    std::array<render::SceneMeshRef, kMorphStages> stages;
    /// Each stage's mesh, unpooled to the faces of the next stage: the shape is the same, and each
    /// vertex morphs from here straight to its place in the next stage. Null where either stage is
    /// missing or the next one's faces are others (a hull's); the stage's own object where the
    /// faces do not change.
    std::array<render::SceneMeshRef, kMorphStages - 1> unpooledStart;
    /// Edges whose middles unpooling appends between a stage and the next; may be empty.
    std::array<std::vector<glm::u32vec2>, kMorphStages - 1> edges;
};

/// `camera`: that of the reference view.
MeshMorph makeMeshMorph(const Reconstruction& reconstruction, const Camera& camera);
/// The same with another last stage, the fitted mesh; all other stages stay the same objects.
MeshMorph withFitted(MeshMorph morph, render::SceneMeshRef fitted);
/// A mesh of the reconstruction, in world space. Null without points.
render::SceneMeshRef inWorld(const Points& points, const Faces& faces, const Camera& camera);

/// A morph position: at stage `from`, or morphed by `share` (above 0, below 1) to the next. Where
/// nothing morphs it is the nearer stage.
struct MorphPlace {
    std::size_t from = 0;
    float share = 0;
    bool operator==(const MorphPlace&) const = default;
};
}  // namespace threefold::ui
