#include "ui/files/sample_menu.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "ui/document/background.h"
#include "ui/files/opened_files.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"

namespace threefold::ui {
namespace {

/// "airplane · p0001".
QString nameOf(const std::filesystem::path& folder) {
    const std::string category = folder.parent_path().filename().string();
    const std::string known = categoryName(category);
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(known.empty() ? category : known),
                                         QString::fromStdString(folder.filename().string()));
}

}  // namespace

void addSampleMenu(const WindowParts& parts, OpenedFiles& files) {
    auto* menu = new QMenu(QCoreApplication::translate("SampleMenu", "&Samples"), &parts.window);
    menu->setToolTipsVisible(true);
    menu->menuAction()->setEnabled(false);
    parts.actions.add(MenuName::open, *menu);
    inBackground(
        menu, [] { return listSamples(bundledSamplesFolder()); },
        [menu, &files](const std::vector<std::filesystem::path>& samples) {
            for (const std::filesystem::path& sample : samples) {
                QAction* action = menu->addAction(nameOf(sample));
                action->setToolTip(QString::fromStdString(sample.string()));
                QObject::connect(action, &QAction::triggered, &files,
                                 [&files, sample] { files.open({{sample}}); });
            }
            menu->menuAction()->setEnabled(!samples.empty());
        },
        [](const ErrorReport&) {});  // installed without samples: the menu stays grey
}

}  // namespace threefold::ui
