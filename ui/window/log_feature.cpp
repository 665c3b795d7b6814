#include "ui/window/log_feature.h"

#include <QAction>
#include <QDockWidget>

#include "ui/document/log_store.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"
#include "ui/window/log_panel.h"

namespace threefold::ui {

LogFeature::LogFeature(const WindowParts& parts) : QObject(&parts.window) {
    auto* dock = new QDockWidget(tr("Log"), &parts.window);
    dock->setObjectName(QStringLiteral("log"));
    dock->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea);
    dock->setWidget(new LogPanel(parts.logged));
    parts.window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    dock->hide();
    QAction* show = parts.actions.add(MenuName::view, tr("L&og"), Qt::Key_F9,
                                      tr("What the program reports, with time and level"));
    show->setCheckable(true);
    connect(show, &QAction::triggered, dock, &QWidget::setVisible);
    connect(dock->toggleViewAction(), &QAction::toggled, show, &QAction::setChecked);
}

}  // namespace threefold::ui
