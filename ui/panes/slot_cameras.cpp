#include "ui/panes/slot_cameras.h"

#include <vector>

#include <QCoreApplication>

#include "engine/views/camera.h"
#include "engine/views/network_input.h"
#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

void addSlotCameras(const FeatureContext& context, Viewport& viewport) {
    struct SlotCameras {
        Q_DECLARE_TR_FUNCTIONS(SlotCameras)
    };
    std::vector<QAction*> actions;
    for (int slot = 0; slot < static_cast<int>(kMaxInputViews); ++slot) {
        QAction* action = context.actions.add(
            {.menu = MenuSection::viewCamera,
             .text = {},
             .keys = Qt::CTRL | Qt::Key(Qt::Key_1 + slot),
             .tooltip = SlotCameras::tr("Look from the camera of the photograph in slot %1")
                            .arg(slot + 1)});
        actions.push_back(action);
        const auto look = [slot = static_cast<std::size_t>(slot), &document = context.document,
                           &viewport] {
            const ResultRef& result = document.result.current();
            if (!result || slot >= result->views.size()) return;
            const auto row = static_cast<std::size_t>(result->views[slot]);
            viewport.lookThrough(Camera::fromRow(result->sample->cameraRows.at(row)));
        };
        QObject::connect(action, &QAction::triggered, &context.window, look);
    }
    const auto refresh = [actions, &document = context.document] {
        const ResultRef& result = document.result.current();
        const std::size_t count = result ? result->views.size() : 0;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            actions[i]->setVisible(i < count);
            actions[i]->setEnabled(i < count);
            actions[i]->setText(
                i < count ? SlotCameras::tr("Slot &%1: view %2").arg(i + 1).arg(result->views[i])
                          : SlotCameras::tr("Slot &%1: empty").arg(i + 1));
        }
    };
    QObject::connect(&context.document.result, &ResultModel::changed, &context.window, refresh);
    refresh();
}

}  // namespace threefold::ui
