#include "ui/panes/compare_features.h"

#include "ui/panes/blinking.h"
#include "ui/panes/distance_measuring.h"
#include "ui/panes/pane_layouts.h"
#include "ui/panes/pick_trees.h"
#include "ui/panes/slot_cameras.h"
#include "ui/panes/stage_strip.h"
#include "ui/panes/vertex_hover.h"
#include "ui/panes/viewport.h"
#include "ui/panes/worst_vertices.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

void addComparison(const FeatureContext& context, const ShownDocument& shown, Viewport& viewport,
                   QBoxLayout& belowPanes) {
    addPaneLayouts(context, viewport);
    addBlinking(context, viewport);
    addStageStrip(context, belowPanes);
    context.actions.menu(MenuSection::viewPanes).addSeparator();
    auto* trees = new PickTrees(context.document, &context.window);
    auto* hover = new VertexHover(context, shown, viewport, *trees);
    addWorstVertices(context, shown, viewport, *trees);
    addDistanceMeasuring(context, viewport, *trees, *hover);
    addSlotCameras(context, viewport);
}

}  // namespace threefold::ui
