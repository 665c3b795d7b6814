#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"
#include "ui/results/look.h"

namespace threefold::ui {

/// One stop of the slider: a mesh, in world space, and what morphs it into the next.
struct MorphStage {
    std::string name;        ///< kTemplateStage, MeshStage::name, or kFittedMesh
    bool published = false;  ///< MeshStage::published
    /// With its own faces; null where the reconstruction lacks it.
    render::SceneMeshRef mesh = nullptr;
    /// The mesh, unpooled to the faces of the next stage: the shape is the same, and each vertex
    /// morphs from here straight to its place in the next stage. Null where either stage is missing
    /// or the next one's faces are others (a hull's); `mesh` itself where the faces do not change.
    render::SceneMeshRef unpooledStart = nullptr;
    /// Edges whose middles unpooling appends between this stage and the next; may be empty.
    std::vector<glm::u32vec2> edges = {};
};

inline constexpr std::string_view kTemplateStage = "template";

/// The template, the reconstruction's stages, and the fitted mesh.
struct MeshMorph {
    std::vector<MorphStage> stages;

    std::size_t fitted() const { return stages.size() - 1; }
    /// The network's result.
    std::size_t result() const { return stages.size() - 2; }
    /// The first published stage, the end of the network's first stage.
    std::size_t firstPublished() const;
    /// Whether the network's result is its only published stage: of a model without stage 2.
    bool hasOnePublished() const { return firstPublished() == result(); }
    /// The stage of one of the network's meshes or of the fitted mesh.
    std::size_t of(MeshId id) const;
};

/// `camera`: that of the reference view.
MeshMorph makeMeshMorph(const Reconstruction& reconstruction, const Camera& camera);
/// The same with another fitted mesh; all other stages stay the same objects.
MeshMorph withFitted(MeshMorph morph, render::SceneMeshRef fitted);
/// The stages of the published model, without meshes: while there is no result.
const MeshMorph& publishedMorph();
/// A stage for users, in lower case: "level 1", "coarse", "refined 1", "refined".
QString stageLabel(const MorphStage& stage);
/// The same as a title: "Level 1".
QString stageTitle(const MorphStage& stage);
/// One of kOwnMeshes for users, in lower case; the network's as its stages are named: "coarse",
/// "hull", "truth".
QString meshLabel(const MeshMorph& morph, MeshId id);
/// The same as a title: "Coarse".
QString meshTitle(const MeshMorph& morph, MeshId id);

/// A mesh of the reconstruction, in world space. Null without points.
render::SceneMeshRef inWorld(const Points& points, const Faces& faces, const Camera& camera);

/// A morph position: at stage `from` of MeshMorph::stages, or morphed by `share` (above 0, below 1)
/// to the next. Where nothing morphs it is the nearer stage.
struct MorphPlace {
    std::size_t from = 0;
    float share = 0;
    bool operator==(const MorphPlace&) const = default;
};
}  // namespace threefold::ui
