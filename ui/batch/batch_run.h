#pragma once

#include <list>
#include <map>
#include <utility>

#include "engine/profile/stopwatch.h"
#include "ui/batch/batch_columns.h"
#include "ui/batch/batch_session.h"
#include "ui/document/background.h"
#include "ui/run/worker.h"

namespace threefold::ui {

/// Means by one protocol, by category; empty: over all.
using CategoryMeans = std::map<std::string, BatchMeans>;

/// Evaluates the items of a plan in the background, as `threefold eval` does. A request of the user
/// interrupts the current item, which is then repeated. For the window's thread.
class BatchRun : public QObject {
    Q_OBJECT

  public:
    enum class State { idle, running, paused, done, cancelled };

    /// `worker` must outlive it.
    explicit BatchRun(Worker& worker, QObject* parent = nullptr);
    ~BatchRun() override;  ///< cancels and waits until finished items are saved

    /// For later runs. Without it, reports name the processor.
    void setMachineOf(MachineOf machineOf) { machineOf_ = std::move(machineOf); }

    /// Cancels the current run and clears its rows.
    void start(BatchPlan plan);
    void pause();   ///< the current item is repeated later
    void resume();  ///< also after cancel(); failed items are tried again
    void cancel();  ///< keeps the rows

    State state() const { return state_; }
    bool active() const { return state_ == State::running || state_ == State::paused; }
    const BatchPlan& plan() const { return plan_; }
    /// The plan's choices, or those of the run found in the output folder once planned().
    const RunChoices& choices() const { return outline_.choices; }
    const std::vector<SampleRecord>& records() const { return records_; }
    const CategoryMeans& means(std::size_t protocol = 0) const { return means_.at(protocol); }
    std::size_t total() const { return outline_.total; }  ///< 0 until the plan has been read
    std::size_t before() const { return before_; }        ///< rows of earlier sessions
    double secondsLeft() const;                           ///< < 0: not known yet
    /// The report; empty until the run is done.
    std::filesystem::path report() const;
    bool keepsResults() const { return !plan_.output.empty(); }

    /// The meshes of `row`, kept for the last few; else null.
    std::shared_ptr<const Reconstruction> kept(std::size_t row) const;
    /// For finding items by position on any thread.
    std::shared_ptr<const BatchSession> session() const { return session_; }

  Q_SIGNALS:
    void stateChanged();
    void planned();  ///< total() and choices() are known
    void rowsAdded(int first, int last);
    void rowChanged(int row);                           ///< it was tried again
    void failed(const threefold::ErrorReport& report);  ///< the run cannot go on

  private:
    void begin();
    void setState(State state);
    void setOutline(const BatchOutline& outline);
    void put(const std::vector<SampleRecord>& records);
    void count(const SampleRecord& record);
    void countAnew();

    std::shared_ptr<NetworkService> network_;
    MachineOf machineOf_;
    State state_ = State::idle;
    BatchPlan plan_;
    BatchOutline outline_;
    std::vector<SampleRecord> records_;
    std::map<std::size_t, std::size_t> places_;     ///< in records_, by position in the list
    std::vector<CategoryMeans> means_{{{"", {}}}};  ///< one for each protocol
    std::size_t before_ = 0;
    std::size_t fresh_ = 0;     ///< rows that this run computed
    double activeSeconds_ = 0;  ///< before the last pause
    Stopwatch sinceResume_;
    struct Kept {
        std::size_t position = 0;
        std::shared_ptr<const Reconstruction> reconstruction;
    };
    std::list<Kept> kept_;  ///< the last in front

    std::shared_ptr<BatchSession> session_;
    int sessions_ = 0;  ///< begun so far
    std::stop_source stop_;
    OneThread thread_;
};

}  // namespace threefold::ui
