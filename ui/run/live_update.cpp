#include "ui/run/live_update.h"

#include <algorithm>

#include "ui/style/number_format.h"

namespace threefold::ui {

LiveUpdate::LiveUpdate(const FeatureContext& context, InputPanel& panel, NetworkClient& client)
    : QObject(&context.window),
      context_(context),
      panel_(panel),
      action_(context.actions.add({.menu = MenuSection::reconstruct,
                                   .text = tr("&Live update"),
                                   .keys = Qt::Key_C,
                                   .tooltip = tr("Reconstruct at each step while you drag over the "
                                                 "views, hold an arrow key, turn the "
                                                 "wheel over a slot or edit a camera")})),
      label_(roleLabel("muted", nullptr)) {
    action_->setCheckable(true);
    action_->setIconText(tr("Live update"));
    context.actions.setIcon(*action_, "continuous");
    context.actions.addToToolBar(*action_, context.actions.reconstruct);
    label_->setFont(numberFont(label_->font()));
    label_->hide();
    context.status.add(*label_);

    connect(action_, &QAction::toggled, this, &LiveUpdate::setOn);
    connect(&context.input, &InputModel::edited, this, &LiveUpdate::onEdited);
    connect(&context.input, &InputModel::stateRestored, this, &LiveUpdate::onRestored);
    connect(&context.input, &InputModel::gestureEnded, this, [this] {
        if (!on_) postNow();
    });
    connect(&client, &NetworkClient::partialReady, this, &LiveUpdate::onPartial);
    connect(&client, &NetworkClient::finished, this, &LiveUpdate::onFinished);
    connect(&client, &NetworkClient::failed, this, &LiveUpdate::onFailed);
    connect(&client, &NetworkClient::cancelled, this, &LiveUpdate::onCancelled);
    connect(&context.document.result, &ResultModel::changed, this, &LiveUpdate::updateSummary);
}

void LiveUpdate::setOn(bool on) {
    if (on == on_) return;
    on_ = on;
    shownCount_ = supersededCount_ = 0;
    waiting_ = false;
    action_->setChecked(on);
    panel_.setScrubbing(on);
    updateCounts();
}

void LiveUpdate::onEdited(const InputEdit& edit) {
    if (on_) {
        requestRun();
    } else if (!edit.live && postNow()) {
        context_.status.showMessage(edit.note.isEmpty() ? tr("Reconstructing…")
                                                        : tr("%1 Reconstructing…").arg(edit.note));
    }
}

void LiveUpdate::onRestored() {
    const ResultRef result = context_.history.find(context_.input.state());
    if (!result) {
        if (on_)
            requestRun();
        else
            postNow();
        return;
    }
    waiting_ = false;
    context_.opener.showResult(result);
}

void LiveUpdate::requestRun() {
    if (waiting_) ++supersededCount_;
    waiting_ = true;
    if (running_ == 0 || partialShown_) postNow();
    updateCounts();
}

bool LiveUpdate::postNow() {
    waiting_ = false;
    const NetworkClient::Id before = running_;
    const NetworkClient::Id id = context_.opener.reconstructUnlessDoubtful();
    if (id == 0) return false;
    if (before != 0 && !partialShown_) superseded_.push_back(before);
    running_ = id;
    partialShown_ = false;
    runningViews_ = context_.input.selection().views();
    return true;
}

void LiveUpdate::onPartial(quint64 id) {
    if (id != running_) return;
    partialShown_ = true;
    if (!on_) return;
    ++shownCount_;
    if (waiting_) postNow();
    updateCounts();
}

void LiveUpdate::onFinished(quint64 id) {
    end(id, true);
}

// Keeps the waiting input, which may succeed where the failed input did not, unless another
// sample's run has begun.
void LiveUpdate::onFailed(quint64 id) {
    if (id == running_ && context_.document.run.state().isReconstructing()) waiting_ = false;
    end(id, false);
}

void LiveUpdate::onCancelled(quint64 id) {
    if (id == running_) waiting_ = false;  // the user or another sample has stopped the run
    end(id, false);
}

void LiveUpdate::end(quint64 id, bool hasResult) {
    const auto superseded = std::find(superseded_.begin(), superseded_.end(), id);
    if (superseded != superseded_.end()) {
        superseded_.erase(superseded);
        if (on_) ++supersededCount_;
    } else if (id == running_) {
        running_ = 0;
        if (on_ && hasResult && !partialShown_) ++shownCount_;
        if (waiting_) postNow();
    } else {
        return;
    }
    updateCounts();
}

QString LiveUpdate::summary() const {
    if (!on_) return {};
    const ResultRef& result = context_.document.result.current();
    const QString shown = result ? tr("Showing %1").arg(numberList(result->views)) : QString();
    if (running_ == 0 || (result && runningViews_ == result->views)) return shown;
    const QString next = tr("computing %1").arg(numberList(runningViews_));
    return shown.isEmpty() ? next : tr("%1; %2").arg(shown, next);
}

void LiveUpdate::updateCounts() {
    updateSummary();
    Q_EMIT countsChanged();
}

void LiveUpdate::updateSummary() {
    label_->setText(summary());
    label_->setToolTip(tr("Live update: the views shown, and the views being computed. %1 requests "
                          "were shown, %2 were superseded by newer ones")
                           .arg(shownCount_)
                           .arg(supersededCount_));
    label_->setVisible(on_);
}

LiveUpdate& addLiveUpdate(const FeatureContext& context, InputPanel& panel, NetworkClient& client) {
    return *new LiveUpdate(context, panel, client);
}

}  // namespace threefold::ui
