#pragma once

#include <optional>
#include <vector>

#include "render/scene.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// One mesh of a pane and how it is drawn; fields are named as render::Layer's.
struct ArrangedMesh {
    MeshRole role = MeshRole::refined;
    render::SceneMeshRef mesh;
    float from = 0.0F, to = 1.0F;
    float opacity = 1.0F;
    bool operator==(const ArrangedMesh&) const = default;
};

struct ArrangedPane {
    std::vector<ArrangedMesh> meshes;
    std::optional<float> seam;
    bool operator==(const ArrangedPane&) const = default;
};

/// The first mesh of a comparison and the second. Swapped, or while a key is held, they have
/// changed places. Without a result: the opened mesh alone or with the one it is judged against, or
/// nothing.
struct Compared {
    std::optional<MeshRole> first, second;
};
Compared compared(const Document& document);

/// The mesh in a role, null if there is none. The refined one is at the look's morph position, the
/// fitted one may still be converging.
render::SceneMeshRef meshOf(const Document& document, MeshRole role);

/// A picked vertex's present position in world space; none if its mesh lacks the vertex.
std::optional<glm::vec3> placeOf(const Document& document, const PickedVertex& vertex);

/// Which meshes are in which pane: METHOD's stages beside each other, as the look chooses. One to
/// four panes; without a result and an opened mesh two empty ones, or one where the layout has but
/// one.
std::vector<ArrangedPane> arrangePanes(const Document& document);

/// Whether the fitted mesh has a pane of its own after the two compared ones.
bool showsFitted(const Document& document);

/// Whether the panes end with one for the truth.
bool showsTruth(const Document& document);

}  // namespace threefold::ui
