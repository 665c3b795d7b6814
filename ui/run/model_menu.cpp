#include "ui/run/model_menu.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QSettings>

#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

const QString kRecentKey = QStringLiteral("models/recent");

QString nameOf(const std::filesystem::path& file) {
    return QString::fromStdString(file.filename().string());
}

}  // namespace

ModelMenu::ModelMenu(const WindowParts& parts, ModelSources sources)
    : QObject(&parts.window),
      parts_(parts),
      sources_(std::move(sources)),
      menu_(new QMenu(tr("&Model"), &parts.window)) {
    for (const QString& file : parts.settings.value(kRecentKey).toStringList()) {
        if (recent_.size() < kMostRecent) recent_.emplace_back(file.toStdString());
    }
    menu_->setToolTipsVisible(true);
    menu_->menuAction()->setEnabled(sources_.open != nullptr);
    parts.actions.add(MenuName::reconstruct, *menu_);
    connect(&parts.worker, &Worker::backendReady, this, [this](const BackendInfo& info) {
        if (wanted_ || !file_.empty()) return;
        firstName_ = info.modelName;
        fill();
    });
    connect(&parts.worker, &Worker::backendReplaced, this, &ModelMenu::onLoaded);
    connect(&parts.worker, &Worker::backendRefused, this, &ModelMenu::onRefused);
    fill();
}

void ModelMenu::load(const std::filesystem::path& file) {
    const auto refuse = [&](const QString& problem, const QString& remedy) {
        fill();
        parts_.banner.show({file.string(), "", problem.toStdString(), remedy.toStdString()});
        Q_EMIT parts_.window.requestFailed(
            {file.string(), "", problem.toStdString(), remedy.toStdString()});
    };
    if (!sources_.open)
        return refuse(tr("cannot be loaded in this window"), tr("Start Threefold with --model."));
    if (sources_.locked && sources_.locked())
        return refuse(tr("cannot be loaded while a list is evaluated with another model"),
                      tr("Wait until the list is done, or cancel it."));
    wanted_ = file;
    parts_.banner.hide();
    parts_.status.say(tr("Loading the model %1…").arg(file.empty() ? firstName_ : nameOf(file)));
    parts_.worker.useBackend(file.empty() ? sources_.first
                                          : [open = sources_.open, file] { return open(file); });
}

void ModelMenu::onLoaded() {
    if (!wanted_) return;
    file_ = std::move(*wanted_);
    wanted_.reset();
    if (!file_.empty()) {
        std::erase(recent_, file_);
        recent_.insert(recent_.begin(), file_);
        if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
        QStringList files;
        for (const auto& each : recent_) files << QString::fromStdString(each.string());
        parts_.settings.setValue(kRecentKey, files);
    }
    fill();
    parts_.status.say(tr("Model %1 loaded").arg(file_.empty() ? firstName_ : nameOf(file_)));
    if (parts_.input.sample() && !parts_.document.run().reconstructing())
        parts_.window.reconstruct();
}

void ModelMenu::onRefused(const ErrorReport& report) {
    wanted_.reset();
    fill();
    parts_.banner.show(report);
    parts_.status.say(tr("Could not load; still using the previous model"));
    Q_EMIT parts_.window.requestFailed(report);
}

void ModelMenu::fill() {
    menu_->clear();
    auto* group = new QActionGroup(menu_->addSeparator());  // goes with the entries
    const auto add = [&](const std::filesystem::path& file, const QString& text) {
        QAction* action = menu_->addAction(QString(text).replace('&', QLatin1String("&&")));
        action->setCheckable(true);
        action->setChecked(file == this->file());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, file] { load(file); });
        return action;
    };
    add({}, firstName_.isEmpty() ? tr("The one at start") : tr("%1 (at start)").arg(firstName_));
    for (const std::filesystem::path& file : recent_)
        add(file, nameOf(file))->setToolTip(QString::fromStdString(file.string()));
    menu_->addSeparator();
    QAction* other = menu_->addAction(tr("&Other model…"));
    other->setToolTip(tr("Load weights from a .safetensors file that `threefold convert` made"));
    connect(other, &QAction::triggered, this, &ModelMenu::ask);
}

void ModelMenu::ask() {
    askForFile({.parent = parts_.window,
                .title = tr("Load a model"),
                .filters = {tr("Models (*.safetensors)"), tr("All files (*)")},
                .settings = &parts_.settings,
                .folderKey = QStringLiteral("models/folder")},
               *this, [this](const std::filesystem::path& file) { load(file); });
}

}  // namespace threefold::ui
