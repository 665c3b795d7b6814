#include "ui/panes/compare_features.h"

#include "ui/panes/blinking.h"
#include "ui/panes/distance_measuring.h"
#include "ui/panes/pane_layouts.h"
#include "ui/panes/pick_trees.h"
#include "ui/panes/slot_cameras.h"
#include "ui/panes/stage_strip.h"
#include "ui/panes/vertex_hover.h"
#include "ui/panes/viewport.h"
#include "ui/panes/window_panes.h"
#include "ui/panes/worst_vertices.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

void addComparison(const FeatureContext& context, const WindowPanes& panes) {
    Viewport& viewport = panes.viewport;
    addPaneLayouts(context, viewport);
    addBlinking(context, viewport);
    addStageStrip(context, panes.below);
    context.actions.menu(MenuSection::viewPanes).addSeparator();
    auto* trees = new PickTrees(context.document, &context.window);
    auto* hover = new VertexHover(context, viewport, *trees);
    addWorstVertices(context, viewport, *trees);
    addDistanceMeasuring(context, viewport, *trees, *hover);
    addSlotCameras(context, viewport);
}

}  // namespace threefold::ui
