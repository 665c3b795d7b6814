#include "ui/files/recent_files.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

#include "ui/document/background.h"
#include "ui/files/opened_files.h"
#include "ui/shell/actions.h"
#include "ui/style/path_text.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

const QString kRecentKey = QStringLiteral("files/recent");

}  // namespace

RecentFiles::RecentFiles(const FeatureContext& context, OpenedFiles& files)
    : QObject(&context.window),
      settings_(context.settings),
      files_(files),
      menu_(named(new QMenu(tr("Open &recent"), &context.window), "recentFiles")) {
    for (const QString& file : settings_.value(kRecentKey).toStringList())
        if (list_.size() < kMaxFiles) list_.emplace_back(file.toStdString());
    context.actions.addSubmenu(MenuSection::fileOpen, *menu_);
    menu_->setToolTipsVisible(true);
    connect(menu_, &QMenu::aboutToShow, this, &RecentFiles::fillMenu);
    connect(&files_, &OpenedFiles::opened, this, &RecentFiles::add);
    menu_->menuAction()->setEnabled(!list_.empty());
    fillMenu();
}

void RecentFiles::add(const std::filesystem::path& file) {
    std::error_code error;  // on failure the path stays unchanged
    std::filesystem::path absolute = std::filesystem::absolute(file, error).lexically_normal();
    if (!absolute.has_filename()) absolute = absolute.parent_path();
    std::erase(list_, absolute);
    list_.insert(list_.begin(), absolute);
    if (list_.size() > kMaxFiles) list_.resize(kMaxFiles);
    save();
}

void RecentFiles::save() {
    QStringList files;
    for (const std::filesystem::path& file : list_) files << pathText(file);
    settings_.setValue(kRecentKey, files);
    menu_->menuAction()->setEnabled(!list_.empty());
}

void RecentFiles::fillMenu() {
    menu_->clear();
    for (const std::filesystem::path& file : list_) {
        // The label includes the parent folder, since a sample's name alone lacks the category.
        const std::filesystem::path label = file.parent_path().filename() / file.filename();
        QAction* action =
            menu_->addAction(pathText(label).replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setToolTip(pathText(file));
        connect(action, &QAction::triggered, this, [this, file] { files_.open({{file}}); });
        inBackground(
            action, [file] { return std::filesystem::exists(file); },
            [action](bool exists) { action->setEnabled(exists); },
            [action](const ErrorReport&) { action->setEnabled(false); });
    }
    if (list_.empty()) return;
    menu_->addSeparator();
    menu_->addAction(tr("&Clear"), this, [this] {
        list_.clear();
        save();
    });
}

}  // namespace threefold::ui
