#pragma once

#include <QPointF>

#include "ui/document/shown_document.h"
#include "ui/panes/number_label.h"
#include "ui/panes/pick_trees.h"
#include "ui/panes/pointer_tip.h"
#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// Finds the vertex under the pointer, sets it in the document, and describes it beside the pointer
/// and in the status line, which otherwise describes the marked vertex.
class VertexHover : public QObject {
    Q_OBJECT

  public:
    VertexHover(const FeatureContext& context, Viewport& viewport, PickTrees& trees);

    struct Hit {
        std::optional<VertexId> vertex;
        bool isTreePending = false;  ///< the PickTree of a mesh at the position is being built
    };
    /// The visible vertex at a position of the viewport, in logical pixels.
    Hit vertexAt(QPointF position);
    /// Keeps the pointer's tip from covering `other`.
    void avoidCovering(const PointerTip& other) { tip_->avoid(other); }

  private:
    void pick();
    void updateText();

    Document& document_;
    const ShownDocument shown_;
    Viewport& viewport_;
    PickTrees& trees_;
    NumberLabel* readout_;
    PointerTip* tip_;
    std::optional<QPointF> pointer_;
};

}  // namespace threefold::ui
