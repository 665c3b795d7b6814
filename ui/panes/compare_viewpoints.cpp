#include "ui/panes/compare_viewpoints.h"

#include <QAction>
#include <QMenu>

#include "ui/document/document.h"
#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"

namespace threefold::ui {

CompareViewpoints::CompareViewpoints(const WindowParts& parts, QMenu& menu)
    : QObject(&parts.window), document_(parts.document) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const auto slot = static_cast<int>(i);
        slots_[i] =
            parts.actions.add(MenuName::view, {}, Qt::CTRL | Qt::Key(Qt::Key_1 + slot),
                              tr("Look from where the photo in slot %1 was taken").arg(slot + 1));
        parts.actions.menu(MenuName::view).removeAction(slots_[i]);
        menu.addAction(slots_[i]);
        connect(slots_[i], &QAction::triggered, this, [this, i, &viewport = parts.viewport] {
            const ResultRef& result = document_.result();
            if (!result || i >= result->views.size()) return;
            const auto row = static_cast<std::size_t>(result->views[i]);
            viewport.lookFrom(Camera::fromRow(result->sample->cameraRows.at(row)));
        });
    }
    connect(&document_, &Document::resultChanged, this, &CompareViewpoints::follow);
    follow();
}

void CompareViewpoints::follow() {
    const ResultRef& result = document_.result();
    const std::size_t count = result ? result->views.size() : 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        slots_[i]->setVisible(i < count);
        slots_[i]->setEnabled(i < count);
        slots_[i]->setText(i < count ? tr("Slot &%1: view %2").arg(i + 1).arg(result->views[i])
                                     : tr("Slot &%1: empty").arg(i + 1));
    }
}

}  // namespace threefold::ui
