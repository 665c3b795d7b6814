#include "ui/panes/distance_measuring.h"

#include "ui/document/connections.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/pick_trees.h"
#include "ui/panes/vertex_hover.h"
#include "ui/panes/vertex_text.h"
#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {
namespace {

class DistanceMeasuring : public QObject {
    Q_DECLARE_TR_FUNCTIONS(DistanceMeasuring)

  public:
    DistanceMeasuring(const FeatureContext& context, Viewport& viewport, PickTrees& trees,
                      VertexHover& hover);

  private:
    void click(QPointF position);
    void addPointedEnd();
    void addEnd(const VertexId& vertex);
    void updateReadout();
    void placeLabel();

    Document& document_;
    Viewport& viewport_;
    StatusLine& status_;
    VertexHover& hover_;
    QAction* clear_;
    NumberLabel* readout_;
    PointerTip* label_;
    std::optional<QPointF> clicked_;  ///< waits until the PickTree of the mesh is built
};

DistanceMeasuring::DistanceMeasuring(const FeatureContext& context, Viewport& viewport,
                                     PickTrees& trees, VertexHover& hover)
    : QObject(&context.window),
      document_(context.document),
      viewport_(viewport),
      status_(context.status),
      hover_(hover),
      readout_(new NumberLabel),
      label_(new PointerTip(context.window, viewport)) {
    label_->setObjectName(QStringLiteral("distanceLabel"));
    hover_.avoidCovering(*label_);
    readout_->setObjectName(QStringLiteral("distanceReadout"));
    readout_->setToolTip(
        tr("The straight distance between two vertices, in object units; in yours where the "
           "cameras are your own"));
    context.status.add(*readout_);
    context.actions.add(
        {.menu = MenuSection::viewPanes,
         .text = tr("&Distance from or to here"),
         .keys = Qt::Key_D,
         .tooltip = tr("Take the vertex under the pointer, or the marked one, as one end of "
                       "a distance; Shift and a click do the same")},
        this, &DistanceMeasuring::addPointedEnd);
    clear_ = context.actions.add({.menu = MenuSection::viewPanes,
                                  .text = tr("Clear the d&istance"),
                                  .tooltip = tr("Remove the line and its ends (Esc)")},
                                 this, [this] { document_.pointed.setDistanceEnds({}); });
    context.actions.addEscape(*clear_, 3);
    connect(&viewport, &Viewport::shiftClicked, this, &DistanceMeasuring::click);
    connect(&trees, &PickTrees::ready, this, [this] {
        if (clicked_) click(*std::exchange(clicked_, std::nullopt));
    });
    connectChanged(this, &DistanceMeasuring::updateReadout, document_.opened, document_.result,
                   document_.look);
    connect(&document_.pointed, &PointedVertices::distanceEndsChanged, this,
            &DistanceMeasuring::updateReadout);
    connect(&document_.fit, &FitModel::convergingMeshChanged, this,
            &DistanceMeasuring::updateReadout);
    // After these changes another vertex may be at the clicked position.
    const auto forget = [this] { clicked_.reset(); };
    connectChanged(this, forget, document_.result, document_.opened, document_.look);
    connect(&viewport_, &Viewport::camerasChanged, this, forget);
    connect(&viewport_, &Viewport::camerasChanged, this, &DistanceMeasuring::placeLabel);
    updateReadout();
}

void DistanceMeasuring::click(QPointF position) {
    clicked_.reset();
    const VertexHover::Hit hit = hover_.vertexAt(position);
    if (hit.vertex)
        addEnd(*hit.vertex);
    else if (hit.isTreePending)
        clicked_ = position;
}

void DistanceMeasuring::addPointedEnd() {
    const auto& vertex =
        document_.pointed.hovered() ? document_.pointed.hovered() : document_.pointed.marked();
    if (vertex)
        addEnd(*vertex);
    else
        status_.showMessage(tr("Point at a vertex, or mark one with N, to measure a distance"));
}

void DistanceMeasuring::addEnd(const VertexId& vertex) {
    std::vector<VertexId> ends = document_.pointed.distanceEnds();
    if (ends.size() > 1) ends.clear();
    ends.push_back(vertex);
    document_.pointed.setDistanceEnds(std::move(ends));
}

void DistanceMeasuring::updateReadout() {
    const std::vector<VertexId>& ends = document_.pointed.distanceEnds();
    clear_->setEnabled(!ends.empty());
    placeLabel();
    QString text;
    if (ends.size() == 1)
        text = tr("distance from %1 to …").arg(vertexName(document_, ends.front()));
    else if (const auto distance = measuredDistance(document_))
        text = tr("%1 from %2 to %3")
                   .arg(distance->text, vertexName(document_, ends.front()),
                        vertexName(document_, ends.back()));
    readout_->setText(text);
}

// Puts the label beside the midpoint of the line, in the first pane that shows one of its ends.
void DistanceMeasuring::placeLabel() {
    const auto distance = measuredDistance(document_);
    const auto pane = paneOf(document_, document_.pointed.distanceEnds());
    if (!distance || !pane) return label_->setLines({}, {});
    const PaneCameras& cameras = viewport_.cameras();
    const glm::vec2 size = cameras.paneSize();
    const glm::vec4 clip =
        cameras.camera(*pane).toClipSpace((distance->from + distance->to) * 0.5F, size);
    if (!(clip.w > 0)) return label_->setLines({}, {});
    const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5F + 0.5F) * size +
                            glm::vec2(cameras.rect(*pane).x, cameras.rect(*pane).y);
    const QPointF point(static_cast<double>(pixel.x), static_cast<double>(pixel.y));
    label_->setLines({distance->text}, (point / viewport_.devicePixelRatio()).toPoint());
}

}  // namespace

void addDistanceMeasuring(const FeatureContext& context, Viewport& viewport, PickTrees& trees,
                          VertexHover& hover) {
    new DistanceMeasuring(context, viewport, trees, hover);
}

}  // namespace threefold::ui
