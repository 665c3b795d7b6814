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

/// A run once its list and its folder have been read.
struct BatchOutline {
    RunChoices choices;            ///< the plan's, or those of the run in the folder
    std::filesystem::path folder;  ///< of journal and reports
    std::size_t total = 0;
    std::vector<BatchRow> before;  ///< finished in earlier runs
};

/// Callbacks of a run, called on its threads.
struct BatchListener {
    std::function<void(BatchOutline)> begun;
    std::function<void(std::size_t position, std::shared_ptr<const Reconstruction>)> made;
    std::function<void(BatchRow)> finished;  ///< written to the disk
};

/// Evaluates a plan as `threefold eval` does. Pausing splits it into several calls of run().
class BatchSession {
  public:
    BatchSession(BatchPlan plan, std::shared_ptr<WorkerLink> worker, MachineOf machineOf);

    /// Evaluates what is left and writes the reports. One call at a time. Throws Cancelled, IoError
    /// (a folder that cannot be made) and what readEvaluationList(), Journal, evaluateList() and
    /// writeReports() throw. Finished items are kept.
    void run(const std::stop_token& stop, const BatchListener& listener);

    /// The item at a position of the list. After `begun`, from any thread. Throws as findSample().
    Sample find(std::size_t position) const;
    /// Items waiting for the network or in it. Any thread.
    std::size_t queueDepth() const;

  private:
    void prepare(const std::stop_token& stop);
    void takeOnWhatIsThere();
    Journal openJournal(const RunDescription& about);
    ListRunOptions options(const std::stop_token& stop, const BatchListener& listener,
                           const SharedNetwork& network, bool gpu);

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
