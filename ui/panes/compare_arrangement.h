#pragma once

#include <algorithm>

#include "render/scene.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// One mesh of a pane and how it is drawn; fields are named as render::Layer's.
struct ArrangedMesh {
    MeshId id = MeshId::result;
    render::SceneMeshRef mesh;
    float from = 0.0F, to = 1.0F;
    float opacity = 1.0F;
    bool operator==(const ArrangedMesh&) const = default;
};

struct ArrangedPane {
    std::vector<ArrangedMesh> meshes;
    std::optional<float> seam;

    bool shows(MeshId id) const {
        return std::ranges::find(meshes, id, &ArrangedMesh::id) != meshes.end();
    }
    bool operator==(const ArrangedPane&) const = default;
};

/// What the panes show, from the left, in a wipe or overlay the first two in one pane: as the look
/// chooses, as far as it is there, or else the first mesh of a comparison, the second, and what
/// else there is. The first two have changed places where they are swapped, or while a key is held.
/// Without a result: opened meshes and the one they are judged against, or nothing.
std::vector<MeshId> shownIds(const Document& document);

/// The mesh of an id, null if there is none. The refined one is at the look's morph position, the
/// fitted one may still be converging.
render::SceneMeshRef meshOf(const Document& document, MeshId id);

/// A picked vertex's present position in world space; none if its mesh lacks the vertex.
std::optional<glm::vec3> placeOf(const Document& document, const PickedVertex& vertex);

/// The distance that the document measures: its ends in world space, in words its length in object
/// units, and in the user's own where the cameras are. None until both ends are there.
struct MeasuredDistance {
    glm::vec3 from{0.0F}, to{0.0F};
    QString text;
};
std::optional<MeasuredDistance> measuredDistance(const Document& document);

/// Which meshes are in which pane: one to kMostPanes; without a result and an opened mesh two empty
/// ones, or one where the layout has but one.
std::vector<ArrangedPane> arrangePanes(const Document& document);

/// The first pane that shows the mesh of one of these vertices, if any.
std::optional<std::size_t> paneOf(const Document& document,
                                  const std::vector<PickedVertex>& vertices);

/// Whether the meshes are shown whose panes are not chosen one by one.
bool defaultPanes(const Document& document);

}  // namespace threefold::ui
