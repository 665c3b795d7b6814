#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include <QTemporaryDir>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"
#include "engine/network/reconstruction.h"
#include "engine/sample/sample.h"
#include "ui/batch/batch_plan.h"
#include "ui/batch/batch_row.h"
#include "ui/run/shared_network.h"

namespace threefold::ui {

/// What is known of a run once its list and its folder have been read.
struct BatchOutline {
    RunChoices choices;            ///< the plan's, or of the run that the folder held
    std::filesystem::path folder;  ///< of journal and reports
    std::size_t total = 0;
    std::vector<BatchRow> before;  ///< finished already
    std::size_t damagedLines = 0;  ///< of the journal: those are done again
};

/// Hears of a run from its threads.
struct BatchListener {
    std::function<void(BatchOutline)> begun;
    std::function<void(std::size_t position, std::shared_ptr<const Reconstruction>)> made;
    std::function<void(BatchRow)> finished;  ///< it is on the disk
};

/// A plan's run, the same that `threefold eval` does, in as many parts as it is paused.
class BatchSession {
  public:
    BatchSession(BatchPlan plan, std::shared_ptr<WorkerLink> worker, MachineOf machineOf);

    /// Goes on with the run, to its end and its reports. One call at a time. Throws Cancelled, what
    /// readEvaluationList(), Journal, evaluateList() and writeReports() throw, IoError (a folder
    /// that cannot be made). What was finished is kept.
    void run(const std::stop_token& stop, const BatchListener& listener);

    /// After `begun`, from any thread. Throws as findSample().
    Sample find(std::size_t position) const;
    /// Items that wait for the network or are in it. Any thread.
    std::size_t queueDepth() const;

  private:
    void prepare(const std::stop_token& stop);
    void takeOnWhatIsThere();
    Journal openJournal(const RunDescription& about);
    ListRunOptions options(const std::stop_token& stop, const BatchListener& listener,
                           const SharedNetwork& network, bool gpu);
    void useNetwork(std::shared_ptr<SharedNetwork> network);

    BatchPlan plan_;
    const std::shared_ptr<WorkerLink> worker_;
    const MachineOf machineOf_;

    bool prepared_ = false;
    EvaluationList list_;
    std::filesystem::path imageRoot_;
    std::filesystem::path folder_;
    std::optional<QTemporaryDir> temporary_;

    mutable std::mutex mutex_;
    std::shared_ptr<SharedNetwork> network_;
};

}  // namespace threefold::ui
