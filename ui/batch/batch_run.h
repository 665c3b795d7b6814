#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <QObject>

#include "engine/profile/stopwatch.h"
#include "ui/batch/batch_row.h"
#include "ui/document/result.h"
#include "ui/run/worker.h"

namespace threefold::ui {

/// What a batch works through.
struct BatchPlan {
    QString name;                     ///< for people: the list's or the folder's name
    std::filesystem::path source;     ///< a test list (.txt), or a data set's root
    std::filesystem::path imageRoot;  ///< for a list: where its images are, if not beside it
    std::vector<int> views;           ///< of every item; empty: the published 0, 6, 7
};

/// Evaluates the items of a plan one after another, in the background of the worker: a person's
/// request goes first. A thread of its own decodes ahead, another evaluates; both wait for the
/// network rather than fill the memory. All functions and signals are of the window's thread.
class BatchRun : public QObject {
    Q_OBJECT

  public:
    enum class State { idle, running, paused, done, cancelled };

    /// `worker` must outlive it.
    explicit BatchRun(Worker& worker, QObject* parent = nullptr);
    ~BatchRun() override;  ///< cancels, and waits for the item that is being read or evaluated

    /// Cancels a run before it and forgets its rows.
    void start(BatchPlan plan);
    void pause();  ///< the item under way is finished
    void resume();
    void cancel();  ///< rows stay

    State state() const { return state_; }
    const BatchPlan& plan() const { return plan_; }
    const std::vector<BatchRow>& rows() const { return rows_; }
    const BatchMeans& overall() const { return overall_; }
    const std::map<std::string, BatchMeans>& categories() const { return categories_; }
    std::size_t total() const { return total_; }  ///< 0 until the plan has been read
    double secondsLeft() const;                   ///< < 0: not known yet

    /// Items that are decoded and wait for the network or are in it, for the live profile.
    std::size_t queueDepth() const;

    /// Threads that read ahead: one for this run, and those of earlier runs that had not ended when
    /// it began.
    std::size_t threads() const { return feeders_.size(); }

    /// The meshes of `row` if it is among the last few; else null. `views` of the run.
    std::shared_ptr<const Reconstruction> kept(std::size_t row, SampleRef& sample,
                                               std::vector<int>& views) const;

  Q_SIGNALS:
    void stateChanged();
    void planned();  ///< total() is known
    void rowsAdded(int first, int last);
    void failed(const threefold::ErrorReport& report);  ///< the plan cannot be read

  private:
    struct Link;
    struct Shared;
    struct Finished {
        BatchRow row;
        SampleRef sample;
        std::shared_ptr<const Reconstruction> reconstruction;
    };

    void setState(State state);
    void take(Finished finished);
    static void feed(const std::shared_ptr<Shared>& shared, const BatchPlan& plan);

    std::shared_ptr<Link> link_;
    State state_ = State::idle;
    BatchPlan plan_;
    std::vector<BatchRow> rows_;
    BatchMeans overall_;
    std::map<std::string, BatchMeans> categories_;
    std::size_t total_ = 0;
    double activeSeconds_ = 0;  // before the last pause
    Stopwatch sinceResume_;
    struct Kept {
        std::size_t row = 0;
        SampleRef sample;
        std::shared_ptr<const Reconstruction> reconstruction;
    };
    std::list<Kept> kept_;  // the last in front
    std::shared_ptr<Shared> shared_;
    struct Feeder {
        std::shared_ptr<Shared> run;
        std::jthread thread;
    };
    std::vector<Feeder> feeders_;  // of this run and those before; the latter end by themselves
};

}  // namespace threefold::ui
