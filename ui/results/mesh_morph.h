#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "engine/sample_steps/fitted_reconstruction.h"
#include "engine/views/camera.h"
#include "ui/results/look.h"

namespace threefold::ui {

/// One stage of the slider: a mesh in world space, and how it morphs into the next stage.
struct MorphStage {
    std::string name;        ///< kTemplateStage, MeshStage::name, or kFittedMesh
    bool published = false;  ///< MeshStage::published
    /// The stage's mesh; null if the reconstruction lacks it.
    render::SceneMeshRef mesh = nullptr;
    /// `mesh` unpooled to the faces of the next stage, without a change of shape. Each vertex
    /// morphs in a straight line to its position in the next stage. Equals `mesh` if the faces do
    /// not change. Null if either stage is missing or the next stage has unrelated faces (the faces
    /// of a hull).
    render::SceneMeshRef unpooledStart = nullptr;
    /// Edges whose midpoints unpooling appends as vertices of the next stage; may be empty.
    std::vector<glm::u32vec2> edges = {};
};

inline constexpr std::string_view kTemplateStage = "template";

/// All stages: the template, the reconstruction's stages, and the fitted mesh.
struct MeshMorph {
    std::vector<MorphStage> stages;

    /// Index of the fitted mesh.
    std::size_t fittedIndex() const { return stages.size() - 1; }
    /// Index of the network's result.
    std::size_t resultIndex() const { return stages.size() - 2; }
    /// Index of the first published stage (the network's coarse mesh), or else of the result.
    std::size_t firstPublishedIndex() const;
    /// Whether the result is the only published stage, for example of a model without refinement.
    bool hasOnePublished() const { return firstPublishedIndex() == resultIndex(); }
    /// Index of the stage that is `firstPublished`, `result` or `fitted`. For `textured`, index of
    /// the fitted stage if it has a mesh, or else of the result if it has a mesh, or else of the
    /// first published stage. None for any other id.
    std::optional<std::size_t> stageIndex(MeshId id) const;
};

/// Makes the stages of a reconstruction. `camera`: of the reference view.
MeshMorph makeMeshMorph(const FittedReconstruction& reconstruction, const Camera& camera);
/// Replaces the fitted mesh; the meshes of all other stages stay the same objects.
MeshMorph withFitted(MeshMorph morph, render::SceneMeshRef fitted);
/// The stages of the published model without meshes, for use while there is no result.
const MeshMorph& publishedMorph();
/// Translated name of a stage in lower case: "level 1".
QString stageLabel(const MorphStage& stage);
/// stageLabel() with a capital letter: "Level 1".
QString stageTitle(const MorphStage& stage);
/// Translated name of a pane's content in lower case: "hull", "truth", "photograph", or the label
/// of the stage at MeshMorph::stageIndex(). Empty for opened meshes, which have names of their own.
QString meshLabel(const MeshMorph& morph, MeshId id);
/// meshLabel() with a capital letter: "Hull".
QString meshTitle(const MeshMorph& morph, MeshId id);

/// Transforms a mesh from camera to world space. Null without points.
render::SceneMeshRef meshInWorld(const Points& points, const Faces& faces, const Camera& camera);

/// A position among MeshMorph::stages: stage `from`, morphed by `fraction` (0 ≤ fraction < 1)
/// towards the next stage.
struct StageBlend {
    std::size_t from = 0;
    float fraction = 0;
    bool operator==(const StageBlend&) const = default;
};
}  // namespace threefold::ui
