#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <QObject>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"
#include "ui/batch/batch_plan.h"
#include "ui/batch/batch_row.h"
#include "ui/batch/batch_session.h"
#include "ui/run/worker.h"

namespace threefold::ui {

/// Means under one protocol.
struct BatchMeansOf {
    BatchMeans all;
    std::map<std::string, BatchMeans> categories;
};

/// Evaluates the items of a plan as `threefold eval` does, beside the window: a person's request
/// goes before its next item, and the one under way is begun again. All functions and signals are
/// of the window's thread.
class BatchRun : public QObject {
    Q_OBJECT

  public:
    enum class State { idle, running, paused, done, cancelled };

    /// `worker` must outlive it.
    explicit BatchRun(Worker& worker, QObject* parent = nullptr);
    ~BatchRun() override;  ///< cancels, and waits until what the network has finished is kept

    /// For runs to come; without it their reports say that the backend is on the processor.
    void setMachineOf(MachineOf machineOf) { machineOf_ = std::move(machineOf); }

    /// Cancels a run before it and forgets its rows.
    void start(BatchPlan plan);
    void pause();   ///< the item under way is begun again later
    void resume();  ///< of a paused or cancelled run; items that failed are tried again
    void cancel();  ///< rows stay, those that are finished still come

    State state() const { return state_; }
    bool active() const { return state_ == State::running || state_ == State::paused; }
    const BatchPlan& plan() const { return plan_; }
    /// What is asked of each item: the plan's choices until outline() tells of those of the folder.
    const RunChoices& choices() const { return outline_.choices; }
    const std::vector<BatchRow>& rows() const { return rows_; }
    const BatchMeansOf& means(std::size_t protocol = 0) const { return means_.at(protocol); }
    std::size_t total() const { return outline_.total; }  ///< 0 until the plan has been read
    std::size_t before() const { return before_; }        ///< rows of earlier sessions
    double secondsLeft() const;                           ///< < 0: not known yet
    /// The report of a run that is done; empty before.
    std::filesystem::path report() const;
    bool keepsResults() const { return !plan_.output.empty(); }

    /// Items that wait for the network or are in it, for the live profile.
    std::size_t queueDepth() const;
    /// Threads of this run, and of earlier ones that have not ended.
    std::size_t threads() const { return threads_.size(); }

    /// The meshes of `row` if it is among the last few; else null.
    std::shared_ptr<const Reconstruction> kept(std::size_t row) const;
    /// Finds the items of this run again, on any thread and for as long as it is held. By position.
    std::shared_ptr<const BatchSession> session() const { return session_; }

  Q_SIGNALS:
    void stateChanged();
    void planned();  ///< total() and choices() are known
    void rowsAdded(int first, int last);
    void rowChanged(int row);                           ///< it was tried again
    void failed(const threefold::ErrorReport& report);  ///< the run cannot go on

  private:
    struct Inbox;

    void begin();
    void setState(State state);
    void take(Inbox& inbox);
    void put(std::vector<BatchRow> rows);
    void countAnew();

    std::shared_ptr<WorkerLink> link_;
    MachineOf machineOf_;
    State state_ = State::idle;
    BatchPlan plan_;
    BatchOutline outline_;
    std::vector<BatchRow> rows_;
    std::map<std::size_t, std::size_t> places_;  ///< in rows_, by position in the list
    std::vector<BatchMeansOf> means_ = std::vector<BatchMeansOf>(1);  ///< one for each protocol
    std::size_t before_ = 0;
    std::size_t fresh_ = 0;     ///< rows of this window's time
    double activeSeconds_ = 0;  ///< before the last pause
    Stopwatch sinceResume_;
    struct Kept {
        std::size_t position = 0;
        std::shared_ptr<const Reconstruction> reconstruction;
    };
    std::list<Kept> kept_;  ///< the last in front

    std::shared_ptr<BatchSession> session_;
    std::stop_source stop_;
    std::shared_ptr<Inbox> inbox_;
    std::shared_ptr<std::mutex> oneAtATime_ = std::make_shared<std::mutex>();
    struct Thread {
        std::shared_ptr<std::atomic<bool>> ended;
        std::jthread thread;
    };
    std::vector<Thread> threads_;
};

}  // namespace threefold::ui
