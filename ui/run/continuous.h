#pragma once

#include "ui/document/kept_results.h"
#include "ui/input/input_panel.h"
#include "ui/run/worker.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Reconstructs when the user changes the input: after each gesture, or in continuous mode at each
/// step of it. Then the newest state wins: older ones are dropped while waiting, and a run ends
/// once its coarse mesh is ready, so that the coarse mesh follows the pointer and the refined one
/// comes when it rests. Only one request is posted at a time.
class ContinuousMode : public QObject {
    Q_OBJECT

  public:
    /// Undo shows results from `kept` again.
    ContinuousMode(const WindowParts& parts, InputPanel& input, Worker& worker,
                   const KeptResults& kept);

    bool on() const { return on_; }
    /// On, and a request runs or waits.
    bool busy() const { return on_ && (running_ != 0 || waiting_); }
    void setOn(bool on);
    /// Requests since continuous mode was turned on.
    std::size_t done() const { return done_; }        ///< shown, coarse at least
    std::size_t dropped() const { return dropped_; }  ///< replaced by a newer one
    /// Text of the status line; empty while off.
    QString summary() const;

  Q_SIGNALS:
    void countsChanged();

  private:
    void noteEdit(const InputEdit& edit);
    void noteRestored();
    void want();
    void postNow();
    void noteCoarse(quint64 id);
    void end(quint64 id, bool shown);
    void tellCounts();
    void updateSummary();

    WindowParts parts_;
    InputPanel& input_;
    const KeptResults& kept_;
    QAction* action_;
    QLabel* label_;
    bool on_ = false;
    std::size_t done_ = 0;
    std::size_t dropped_ = 0;

    Worker::Id running_ = 0;             // 0: none of ours
    bool coarseShown_ = false;           // of that one
    std::vector<Worker::Id> overtaken_;  // stopped by ours, not ended yet
    bool waiting_ = false;               // the input's state is to be posted once `running_` ends
    std::vector<int> runningViews_;
};

}  // namespace threefold::ui
