#include "ui/panes/vertex_hover.h"

#include <cmath>
#include <utility>

#include "ui/document/connections.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/vertex_text.h"

namespace threefold::ui {

VertexHover::VertexHover(const FeatureContext& context, Viewport& viewport, PickTrees& trees)
    : QObject(&context.window),
      document_(context.document),
      shown_(context.shown),
      viewport_(viewport),
      trees_(trees),
      readout_(new NumberLabel),
      tip_(new PointerTip(context.window, viewport)) {
    readout_->setToolTip(
        tr("The vertex under the pointer, or the marked one: index, value, position in "
           "ShapeNet's world and in the reference camera's space, object units. In the other panes "
           "a ring marks the same vertex, or the nearest vertex if a fitted mesh has different "
           "vertices"));
    context.status.add(*readout_);
    connect(&viewport_, &Viewport::pointerMoved, this, [this](QPointF position) {
        pointer_ = position;
        pick();
    });
    connect(&viewport_, &Viewport::pointerLeft, this, [this] {
        pointer_.reset();
        pick();
    });
    // A moved camera brings another vertex under a resting pointer.
    connect(&viewport_, &Viewport::camerasChanged, this, &VertexHover::pick);
    connect(&trees_, &PickTrees::ready, this, &VertexHover::pick);
    connect(&document_.look, &LookModel::changed, this, [this](const Look& before) {
        // While the stages play, every frame would need a new PickTree.
        if (before.morphPosition == document_.look.current().morphPosition) pick();
        updateText();
    });
    connectChanged(this, &VertexHover::updateText, document_.result, document_.opened);
    connectAll(&document_.pointed, this, &VertexHover::updateText, &PointedVertices::hoveredChanged,
               &PointedVertices::markedChanged);
}

void VertexHover::pick() {
    document_.pointed.setHovered(pointer_ ? vertexAt(*pointer_).vertex : std::nullopt);
    updateText();  // also if the vertex stays, because the tip follows the pointer
}

VertexHover::Hit VertexHover::vertexAt(QPointF position) {
    constexpr float kMaxDistance = 12.0F;  // logical pixels
    constexpr float kPixelBin = 2.0F;
    const auto ratio = static_cast<float>(viewport_.devicePixelRatio());
    const Viewport::PanePosition location = viewport_.panePositionAt(position);
    const std::vector<ArrangedPane> panes = arrangePanes(document_);
    if (location.pane >= panes.size()) return {};
    const PaneCameras& cameras = viewport_.cameras();
    const PickView view{cameras.camera(location.pane), cameras.paneSize(), location.position,
                        kMaxDistance * ratio};
    const float fraction = location.position.x / view.size.x;

    Hit hit;
    std::optional<VertexId>& best = hit.vertex;
    std::pair<float, float> bestKey;
    for (const ArrangedMesh& mesh : panes[location.pane].meshes) {
        if (fraction < mesh.leftEdge || fraction >= mesh.rightEdge || mesh.opacity <= 0) continue;
        // A converging mesh would need a new PickTree at each step.
        if (mesh.id == MeshId::fitted && mesh.mesh == document_.fit.convergingMesh()) continue;
        const PickTreeRef tree = trees_.findOrBuild(mesh.mesh);
        hit.isTreePending = hit.isTreePending || (mesh.mesh && !tree);
        const std::optional<Pick> candidate = tree ? tree->pick(view) : std::nullopt;
        if (!candidate) continue;
        const std::pair key(std::floor(candidate->pointerDistance / kPixelBin), candidate->depth);
        if (best && key >= bestKey) continue;
        best = VertexId{mesh.id, candidate->index};
        bestKey = key;
    }
    return hit;
}

void VertexHover::updateText() {
    const auto& vertex =
        document_.pointed.hovered() ? document_.pointed.hovered() : document_.pointed.marked();
    readout_->setText(vertex ? vertexSummary(shown_, *vertex) : QString());
    const bool showsTip = pointer_ && document_.pointed.hovered();
    tip_->setLines(showsTip ? vertexTipLines(shown_, *document_.pointed.hovered()) : QStringList(),
                   pointer_.value_or(QPointF()).toPoint());
}

}  // namespace threefold::ui
