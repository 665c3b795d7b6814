#pragma once

#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/profile/stopwatch.h"
#include "ui/batch/batch_columns.h"
#include "ui/batch/batch_session.h"
#include "ui/document/background.h"
#include "ui/document/single_thread_pool.h"
#include "ui/run/network_client.h"

namespace threefold::ui {

/// Means by one protocol for each category; the key "" stands for all samples.
using CategoryMeans = std::map<std::string, BatchMeans>;

/// Evaluates the samples of a plan in the background, like `threefold eval`. A more urgent request
/// to the network may interrupt the current sample, which is then repeated. GUI thread only.
class BatchRun : public QObject {
    Q_OBJECT

  public:
    enum class State { idle, running, paused, done, cancelled };

    /// `client` must outlive the run.
    explicit BatchRun(NetworkClient& client, QObject* parent = nullptr);
    ~BatchRun() override;  ///< cancels and waits until finished samples are saved

    /// Sets the function that describes the machine in later runs. Without a function, reports name
    /// the processor but no GPU.
    void setMachineOf(MachineOf machineOf) { machineOf_ = std::move(machineOf); }

    /// Starts a plan's run, after cancelling the current run and clearing its rows.
    void start(BatchPlan plan);
    void pause();   ///< the current sample is repeated later
    void resume();  ///< also after cancel(); failed samples are tried again
    void cancel();  ///< keeps the rows

    State state() const { return state_; }
    bool isActive() const { return state_ == State::running || state_ == State::paused; }
    const BatchPlan& plan() const { return plan_; }
    /// Until planned(), the overview has only the plan's choices: no folder, and a total of 0.
    const BatchOverview& overview() const { return overview_; }
    const std::vector<SampleRecord>& records() const { return records_; }
    const CategoryMeans& means(std::size_t protocol = 0) const { return means_.at(protocol); }
    std::size_t earlierCount() const { return earlierCount_; }  ///< rows of earlier runs
    std::optional<double> secondsLeft() const;                  ///< none: not known yet
    /// File of the report; empty until the run is done.
    std::filesystem::path report() const;
    bool keepsResults() const { return !plan_.output.empty(); }

    /// Meshes of `row`, cached for the last 16 samples; else null.
    std::shared_ptr<const Reconstruction> cachedMeshes(std::size_t row) const;
    /// Session for finding samples by position on any thread.
    std::shared_ptr<const BatchSession> session() const { return session_; }

  Q_SIGNALS:
    void stateChanged();
    void planned();  ///< overview() is known
    void rowsAdded(int first, int last);
    void rowChanged(int row);                           ///< a failed sample was tried again
    void failed(const threefold::ErrorReport& report);  ///< the run cannot go on

  private:
    void begin();
    void setState(State state);
    void setOverview(const BatchOverview& overview);
    void addOrReplace(const std::vector<SampleRecord>& records);
    void addToMeans(const SampleRecord& record);
    void recomputeMeans();

    std::shared_ptr<NetworkService> network_;
    MachineOf machineOf_;
    State state_ = State::idle;
    BatchPlan plan_;
    BatchOverview overview_;
    std::vector<SampleRecord> records_;
    /// Index in `records_`, by position in the list.
    std::map<std::size_t, std::size_t> rowOfPosition_;
    std::vector<CategoryMeans> means_{{{"", {}}}};  ///< one for each protocol
    std::size_t earlierCount_ = 0;
    std::size_t computedCount_ = 0;  ///< rows that this run computed
    /// Positions of failed samples that the run still has to try again.
    std::set<std::size_t> toRetry_;
    double activeSeconds_ = 0;  ///< computing time before the last pause
    Stopwatch sinceResume_;
    struct CachedMeshes {
        std::size_t position = 0;
        std::shared_ptr<const Reconstruction> reconstruction;
    };
    std::list<CachedMeshes> cached_;  ///< newest first

    std::shared_ptr<BatchSession> session_;
    int sessionNumber_ = 0;  ///< of session_, from 1
    int taskNumber_ = 0;     ///< of the newest call of BatchSession::run(), from 1
    std::stop_source stop_;
    SingleThreadPool thread_;
};

}  // namespace threefold::ui
