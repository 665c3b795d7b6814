#include "ui/panes/compare_features.h"

#include "ui/panes/slot_cameras.h"
#include "ui/panes/viewport.h"

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
