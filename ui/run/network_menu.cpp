#include "ui/run/network_menu.h"

#include <utility>

#include <QActionGroup>

#include "ui/document/input_model.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

const QString kRecentKey = QStringLiteral("models/recent");

/// Adds a checkable entry to a menu and to `group`.
template <class Chosen>
QAction* addEntry(QMenu& menu, QActionGroup& group, const QString& text, bool checked,
                  const Chosen& chosen) {
    QAction* action = menu.addAction(QString(text).replace('&', QLatin1String("&&")));
    action->setCheckable(true);
    action->setChecked(checked);
    group.addAction(action);
    QObject::connect(action, &QAction::triggered, &menu, chosen);
    return action;
}

}  // namespace

QString deviceText(const std::string& device) {
    const QStringList words = QString::fromStdString(device).split(':');
    const QString backend = words.front() == QLatin1String("cpu")    ? NetworkMenu::tr("Processor")
                            : words.front() == QLatin1String("cuda") ? NetworkMenu::tr("GPU")
                                                                     : words.front();
    return (QStringList(backend) + words.mid(1)).join(QStringLiteral(" · "));
}

NetworkMenu::NetworkMenu(const FeatureContext& context, NetworkClient& client,
                         NetworkSources sources, std::function<bool()> isLocked)
    : QObject(&context.window),
      context_(context),
      client_(client),
      sources_(std::move(sources)),
      isLocked_(std::move(isLocked)),
      models_(named(new QMenu(tr("&Model"), &context.window), "models")),
      devices_(named(new QMenu(tr("&Device"), &context.window), "devices")) {
    for (const QString& file : context.settings.value(kRecentKey).toStringList())
        if (recent_.size() < kMaxRecent) recent_.emplace_back(file.toStdString());
    for (QMenu* menu : {models_, devices_}) {
        menu->setToolTipsVisible(true);
        menu->menuAction()->setEnabled(sources_.openChosen != nullptr);
        context.actions.addSubmenu(MenuSection::reconstruct, *menu);
    }
    connect(&client, &NetworkClient::networkReady, this, [this](const NetworkDescription& info) {
        if (choice() != NetworkChoice()) return;
        initialModel_ = info.modelName;
        initialDevice_ = info.description;
        fillMenus();
    });
    connect(&client, &NetworkClient::networkReplaced, this, &NetworkMenu::onOpened);
    connect(&client, &NetworkClient::networkRejected, this, &NetworkMenu::onRejected);
    fillMenus();
}

void NetworkMenu::choose(const NetworkChoice& choice) {
    const QString name = choice.model != this->choice().model || choice.device.empty()
                             ? choice.model.empty() ? initialModel_ : fileName(choice.model)
                             : deviceText(choice.device);
    const auto reject = [&](const QString& problem, const QString& remedy) {
        fillMenus();
        const ErrorReport report{name.toStdString(), "", problem.toStdString(),
                                 remedy.toStdString()};
        context_.banner.show(report);
        Q_EMIT context_.opener.requestFailed(report);
    };
    if (!sources_.openChosen)
        return reject(tr("cannot be loaded in this window"), tr("Start Threefold with --model."));
    if (isLocked_())
        return reject(tr("cannot be loaded while a list is evaluated with another network"),
                      tr("Wait until the list is done, or cancel it."));
    pending_ = choice;
    context_.banner.hide();
    context_.status.showMessage(tr("Loading %1…").arg(name));
    newestCall_ = client_.useNetwork(
        choice == NetworkChoice() ? sources_.openInitial
                                  : [open = sources_.openChosen, choice] { return open(choice); });
}

void NetworkMenu::onOpened() {
    if (!pending_) return;
    choice_ = std::move(*pending_);
    pending_.reset();
    if (!choice_.model.empty()) {
        std::erase(recent_, choice_.model);
        recent_.insert(recent_.begin(), choice_.model);
        if (recent_.size() > kMaxRecent) recent_.resize(kMaxRecent);
        QStringList files;
        for (const auto& file : recent_) files << pathText(file);
        context_.settings.setValue(kRecentKey, files);
    }
    fillMenus();
    const QString model = choice_.model.empty() ? initialModel_ : fileName(choice_.model);
    context_.status.showMessage(
        choice_.device.empty() ? tr("Model %1 loaded").arg(model)
                               : tr("Model %1 loaded · %2").arg(model, deviceText(choice_.device)));
    if (context_.input.sample() && !context_.document.run.state().isReconstructing())
        context_.opener.reconstructUnlessDoubtful();
}

void NetworkMenu::onRejected(const ErrorReport& report, quint64 number) {
    if (number != newestCall_) return;  // a newer choice is being opened
    pending_.reset();
    fillMenus();
    context_.banner.show(report);
    context_.status.showMessage(
        tr("The network could not be loaded; the previous network stays in use"));
    Q_EMIT context_.opener.requestFailed(report);
}

void NetworkMenu::fillMenus() {
    models_->clear();
    devices_->clear();
    addModels(*models_, choice().model, [this](const auto& model) { load(model); });
    addDevices(*devices_, choice().device, [this](const std::string& device) {
        choose({choice().model, device});
    });
    Q_EMIT changed();
}

void NetworkMenu::addModels(QMenu& menu, const std::optional<std::filesystem::path>& current,
                            const std::function<void(const std::filesystem::path&)>& chosen) {
    auto* group =
        new QActionGroup(menu.addSeparator());  // child of the separator: deleted with the entries
    addEntry(
        menu, *group,
        initialModel_.isEmpty() ? tr("Model at start") : tr("%1 (at start)").arg(initialModel_),
        current == std::filesystem::path(), [chosen] { chosen({}); });
    for (const std::filesystem::path& file : recent_) {
        addEntry(menu, *group, fileName(file), current == file, [chosen, file] {
            chosen(file);
        })->setToolTip(pathText(file));
    }
    menu.addSeparator();
    QAction* other = menu.addAction(tr("&Other model…"));
    other->setToolTip(tr("Load weights from a .safetensors file that `threefold convert` made"));
    connect(other, &QAction::triggered, this, [this, chosen] {
        askForFile({.parent = context_.window,
                    .title = tr("Load a model"),
                    .filters = {tr("Models (*.safetensors)"), tr("All files (*)")},
                    .remembered = {{context_.settings, QStringLiteral("models/folder")}}},
                   *this, chosen);
    });
}

void NetworkMenu::addDevices(QMenu& menu, const std::optional<std::string>& current,
                             const std::function<void(const std::string&)>& chosen) const {
    auto* group = new QActionGroup(menu.addSeparator());
    addEntry(menu, *group, tr("Default"), current == std::string(), [chosen] {
        chosen({});
    })->setToolTip(initialDevice_);
    if (!sources_.deviceNames || initialModel_.isEmpty()) return;
    for (const std::string& device : sources_.deviceNames()) {
        addEntry(menu, *group, deviceText(device), current == device,
                 [chosen, device] { chosen(device); });
    }
}

NetworkMenu& addNetworkMenu(const FeatureContext& context, NetworkClient& client,
                            NetworkSources sources, std::function<bool()> isLocked) {
    return *new NetworkMenu(context, client, std::move(sources), std::move(isLocked));
}

}  // namespace threefold::ui
