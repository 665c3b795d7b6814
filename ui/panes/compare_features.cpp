#include "ui/panes/compare_features.h"

#include "engine/views/camera.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {
namespace {

// Adds a command for each slot: look at the meshes from the viewpoint of its photo.
void addViewpoints(const FeatureContext& parts, Viewport& viewport) {
    struct Viewpoints {
        Q_DECLARE_TR_FUNCTIONS(CompareViewpoints)
    };
    constexpr int kSlots = 8;
    std::vector<QAction*> actions;
    for (int slot = 0; slot < kSlots; ++slot) {
        QAction* action = parts.actions.add(
            MenuSection::camera, {}, Qt::CTRL | Qt::Key(Qt::Key_1 + slot),
            Viewpoints::tr("Look from where the photo in slot %1 was taken").arg(slot + 1));
        actions.push_back(action);
        const auto look = [slot = static_cast<std::size_t>(slot), &document = parts.document,
                           &viewport] {
            const ResultRef& result = document.result.current();
            if (!result || slot >= result->views.size()) return;
            const auto row = static_cast<std::size_t>(result->views[slot]);
            viewport.lookFrom(Camera::fromRow(result->sample->cameraRows.at(row)));
        };
        QObject::connect(action, &QAction::triggered, &parts.window, look);
    }
    const auto follow = [actions, &document = parts.document] {
        const ResultRef& result = document.result.current();
        const std::size_t count = result ? result->views.size() : 0;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            actions[i]->setVisible(i < count);
            actions[i]->setEnabled(i < count);
            actions[i]->setText(
                i < count ? Viewpoints::tr("Slot &%1: view %2").arg(i + 1).arg(result->views[i])
                          : Viewpoints::tr("Slot &%1: empty").arg(i + 1));
        }
    };
    QObject::connect(&parts.document.result, &ResultModel::changed, &parts.window, follow);
    follow();
}

}  // namespace

void addComparing(const FeatureContext& parts, const ShownValues& shown, Viewport& viewport,
                  QBoxLayout& belowPanes) {
    addCompareLayouts(parts, viewport);
    addCompareBlink(parts, viewport);
    addCompareStages(parts, belowPanes);
    parts.actions.menu(MenuSection::panes).addSeparator();
    auto* trees = new PickTrees(parts.document, &parts.window);
    auto* hover = new VertexHover(parts, shown, viewport, *trees);
    addCompareWorst(parts, shown, viewport, *trees);
    addCompareDistance(parts, viewport, *trees, *hover);
    addViewpoints(parts, viewport);
}

}  // namespace threefold::ui
