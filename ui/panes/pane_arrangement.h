#pragma once

#include <algorithm>
#include <array>

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// A mesh of a pane and how to draw it. For edges and opacity see render::Layer.
struct ArrangedMesh {
    MeshId id = MeshId::result;
    render::SceneMeshRef mesh;
    float leftEdge = 0.0F, rightEdge = 1.0F;
    float opacity = 1.0F;
    bool operator==(const ArrangedMesh&) const = default;
};

/// The meshes of one pane; for `seamPosition` see render::Pane.
struct ArrangedPane {
    std::vector<ArrangedMesh> meshes;
    std::optional<float> seamPosition;

    bool shows(MeshId id) const {
        return std::ranges::find(meshes, id, &ArrangedMesh::id) != meshes.end();
    }
    bool operator==(const ArrangedPane&) const = default;
};

/// Ids to which the panes belong, from left to right, at most kMaxPanes; in a wipe or overlay the
/// first two share a pane:
/// 1. Unless showsDefaultPanes(): the user's choice (Look::panes), without opened meshes that have
///    been closed since and, in a wipe or overlay, without the photograph. Other meshes keep their
///    panes even if they do not exist yet.
/// 2. Else with a result: the first opened mesh or the network's first mesh, then the result, the
///    fitted mesh beside it, and further opened meshes.
/// 3. Else the opened meshes and their reference, or nothing; in a reconstruction without opened
///    meshes the panes that its meshes will have.
/// 4. The truth is added last if Look::truthPane asks for it and the result has a truth.
/// 5. Look::swapped and the held blink key each swap the first two ids.
std::vector<MeshId> paneIds(const Document& document);

/// Ids that the panes show: paneIds(), with Document::shownForChosen() of the user's choice.
std::vector<MeshId> shownIds(const Document& document);

/// The mesh with this id, or null: while the input shows another sample, the window's result
/// supplies no mesh. The result is at the look's morph position; the fitted mesh may still be
/// converging.
render::SceneMeshRef meshOf(const Document& document, MeshId id);

/// Current position of a picked vertex in world space; none if its mesh lacks the vertex.
std::optional<glm::vec3> vertexPosition(const Document& document, const VertexId& vertex);

/// The distance that the document measures, with its ends in world space. `text` is the length in
/// object units, and also in the cameras' units if the cameras are the user's own.
struct MeasuredDistance {
    glm::vec3 from{0.0F}, to{0.0F};
    QString text;
};
/// The measured distance; none until both of its ends exist.
std::optional<MeasuredDistance> measuredDistance(const Document& document);

/// Distributes the meshes over 1 to kMaxPanes panes. Without any mesh: two empty panes side by
/// side, or one in the other layouts.
std::vector<ArrangedPane> arrangePanes(const Document& document);

/// The plain colours of the first and second mesh of an overlay in which both are plain; none in
/// every other case.
std::optional<std::array<QColor, 2>> overlayColours(const Document& document,
                                                    const ThemeColours& theme);

/// Index of the first pane that shows the mesh of one of these vertices, if any.
std::optional<std::size_t> paneOf(const Document& document, const std::vector<VertexId>& vertices);

/// Whether the panes show the default meshes, because the user chose no meshes or the chosen meshes
/// do not exist.
bool showsDefaultPanes(const Document& document);

}  // namespace threefold::ui
