#pragma once

#include "ui/document/result_history.h"
#include "ui/input/input_panel.h"
#include "ui/run/network_client.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// Reconstructs when the user changes the input: after each gesture, or in live update at each step
/// of a gesture. In live update a newer input supersedes a waiting input at once, and supersedes a
/// running request once this request's partial result is ready. So the first mesh follows the
/// pointer, and the result comes when the pointer rests. Only one request is posted at a time.
class LiveUpdate : public QObject {
    Q_OBJECT

  public:
    LiveUpdate(const FeatureContext& context, InputPanel& panel, NetworkClient& client);

    QAction& action() { return *action_; }
    bool isOn() const { return on_; }
    /// Whether live update is on and a request runs or waits.
    bool isBusy() const { return on_ && (running_ != 0 || waiting_); }
    void setOn(bool on);
    /// Counts of requests since live update was turned on.
    std::size_t shownCount() const { return shownCount_; }  ///< requests that showed a mesh
    std::size_t supersededCount() const { return supersededCount_; }  ///< replaced by a newer one
    /// Text of the status line; empty while off.
    QString summary() const;

  Q_SIGNALS:
    void countsChanged();

  private:
    void onEdited(const InputEdit& edit);
    void onRestored();
    void requestRun();
    /// Posts the input; false if there is none, or none that may be reconstructed unasked.
    bool postNow();
    void onPartial(quint64 id);
    void onFinished(quint64 id);
    void onFailed(quint64 id);
    void onCancelled(quint64 id);
    /// Forgets an ended request, and posts the waiting request. `hasResult`: whether the request
    /// brought a result.
    void end(quint64 id, bool hasResult);
    void updateCounts();
    void updateSummary();

    FeatureContext context_;
    InputPanel& panel_;
    QAction* action_;
    QLabel* label_;
    bool on_ = false;
    std::size_t shownCount_ = 0;
    std::size_t supersededCount_ = 0;

    NetworkClient::Id running_ = 0;              // 0: no request from here runs
    bool partialShown_ = false;                  // of the running request
    std::vector<NetworkClient::Id> superseded_;  // stopped by a newer request, not ended yet
    bool waiting_ = false;                       // the input is to be posted when `running_` ends
    std::vector<int> runningViews_;
};

/// Adds the runs that follow the input, and their command.
LiveUpdate& addLiveUpdate(const FeatureContext& context, InputPanel& panel, NetworkClient& client);

}  // namespace threefold::ui
