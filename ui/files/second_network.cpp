#include "ui/files/second_network.h"

#include <utility>

#include <QAction>
#include <QMenu>

#include "ui/document/connections.h"
#include "ui/document/input_state.h"
#include "ui/files/opened_files.h"
#include "ui/run/network_menu.h"

namespace threefold::ui {

SecondNetwork::SecondNetwork(const FeatureContext& context, NetworkClient& client,
                             NetworkMenu& networks, OpenedFiles& files)
    : QObject(&context.window),
      context_(context),
      networks_(networks),
      files_(files),
      menu_(new QMenu(tr("Compare &networks"), &context.window)) {
    menu_->setToolTipsVisible(true);
    menu_->menuAction()->setEnabled(networks.sources().openChosen != nullptr);
    context.actions.addSubmenu(MenuSection::reconstruct, *menu_);
    connectChanged(this, &SecondNetwork::updateRun, context.document.result, context.document.run);
    connect(&context.document.run, &RunModel::advanced, this, &SecondNetwork::updateRun);
    connect(&context.document.fit, &FitModel::choiceChanged, this, &SecondNetwork::updateRun);
    connect(&context.document.opened, &OpenedMeshes::changed, this,
            &SecondNetwork::switchOffIfClosed);
    connect(&networks, &NetworkMenu::changed, this, &SecondNetwork::fillMenu);
    connect(&client, &NetworkClient::closing, this, [this] { client_.reset(); });
    fillMenu();
}

void SecondNetwork::fillMenu() {
    menu_->clear();
    QAction* none = menu_->addAction(tr("&None"));
    none->setCheckable(true);
    none->setChecked(!choice_);
    connect(none, &QAction::triggered, this, [this] { stop(); });
    const NetworkChoice main = networks_.choice();
    const bool sameModel = choice_ && choice_->model == main.model;
    networks_.addDevices(*menu_, sameModel ? std::optional(choice_->device) : std::nullopt,
                         [this](const std::string& device) {
                             start(NetworkChoice{networks_.choice().model, device});
                         });
    networks_.addModels(*menu_,
                        choice_ && !sameModel ? std::optional(choice_->model) : std::nullopt,
                        [this](const std::filesystem::path& model) {
                            start(NetworkChoice{model, networks_.choice().device});
                        });
}

QString SecondNetwork::title() const {
    if (choice_->model != networks_.choice().model && !shown_->origin.model.empty())
        return QString::fromStdString(shown_->origin.model);
    return choice_->device.empty() ? tr("Default") : deviceText(choice_->device);
}

void SecondNetwork::stop() {
    choice_.reset();
    fillMenu();
    endRun();
}

void SecondNetwork::endRun() {
    if (client_) client_->cancel();
    running_ = 0;
    isWarmedUp_ = false;
    closeMesh();
}

void SecondNetwork::start(const NetworkChoice& choice) {
    choice_ = choice;
    fillMenu();
    endRun();
    NetworkOpener open = [open = networks_.sources().openChosen, choice] { return open(choice); };
    if (client_) {
        opened_ = client_->useNetwork(std::move(open));
    } else {
        client_ = std::make_unique<NetworkClient>(std::move(open));
        connect(client_.get(), &NetworkClient::networkRejected, this,
                [this](const ErrorReport& report, quint64 number) {
                    if (number == opened_) onFailed(report);
                });
        connect(client_.get(), &NetworkClient::finished, this,
                [this](quint64 id, const ResultRef& result) {
                    if (id == running_) onFinished(result);
                });
        connect(client_.get(), &NetworkClient::failed, this,
                [this](quint64 id, const ErrorReport& report) {
                    if (id == running_) onFailed(report);
                });
    }
    updateRun();
}

void SecondNetwork::updateRun() {
    if (!choice_ || !client_) return;  // none, or the window is closing
    const Document& document = context_.document;
    const ResultRef& result = document.result.current();
    const RunState& run = document.run.state();
    const SampleRef sample = run.sample() ? run.sample() : result ? result->sample : nullptr;
    if (shown_ && sample && !isSameSample(sample, shown_->sample)) closeMesh();
    if (run.isActive() || document.fit.isPending() || !result) {
        client_->cancel();
        running_ = 0;
        return;
    }
    if (running_ != 0 || (shown_ && isSameInput(*shown_, *result))) return;
    context_.status.showMessage(tr("Reconstructing with the second network…"));
    running_ = client_->post({result->sample, result->views});
}

void SecondNetwork::onFinished(const ResultRef& result) {
    running_ = 0;
    if (!std::exchange(isWarmedUp_, true)) return updateRun();  // the first run is a warm-up
    OpenedMeshSource* source = meshSource();
    if (source == nullptr) source = &files_.nextMeshSource();
    shown_ = result;
    source->showResult(result, title());
    context_.status.showMessage(tr("Showing %1 beside the current network").arg(title()));
    updateRun();
}

void SecondNetwork::onFailed(const ErrorReport& report) {
    stop();
    context_.banner.show(report);
    context_.status.showMessage(tr("The second network cannot be used"));
}

OpenedMeshSource* SecondNetwork::meshSource() const {
    for (OpenedMeshSource* each : files_.meshSources()) {
        const OpenedMeshRef& opened = context_.document.opened.find(each->id());
        if (shown_ && opened && opened->result == shown_) return each;
    }
    return nullptr;
}

void SecondNetwork::closeMesh() {
    OpenedMeshSource* source = meshSource();
    shown_ = nullptr;  // reset first, since closing the mesh calls switchOffIfClosed()
    if (source != nullptr) source->close();
}

}  // namespace threefold::ui
