#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QTemporaryDir>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"
#include "engine/evaluation/record.h"
#include "engine/network/reconstruction.h"
#include "engine/network/service/network_service.h"
#include "engine/sample/sample.h"
#include "ui/batch/batch_plan.h"

namespace threefold::ui {

/// A run once its list and its folder have been read.
struct BatchOutline {
    RunChoices choices;            ///< the plan's, or those of the run in the folder
    std::filesystem::path folder;  ///< of journal and reports
    std::size_t total = 0;
    std::vector<SampleRecord> before;  ///< finished in earlier runs
};

/// Callbacks of a run, called on its threads.
struct BatchListener {
    std::function<void(BatchOutline)> begun;
    std::function<void(std::size_t position, std::shared_ptr<const Reconstruction>)> made;
    std::function<void(const SampleRecord&)> finished;  ///< written to the disk
};

/// Evaluates a plan as `threefold eval` does. Pausing splits it into several calls of run().
class BatchSession {
  public:
    BatchSession(BatchPlan plan, std::shared_ptr<NetworkService> network, MachineOf machineOf);

    /// Evaluates the unfinished items and writes the reports. One call at a time. Throws Cancelled,
    /// IoError (a folder that cannot be made) and what readEvaluationList(), Journal,
    /// evaluateList() and writeReports() throw. Finished items are kept.
    void run(const std::stop_token& stop, const BatchListener& listener);

    /// The item at a position of the list. After `begun`, from any thread. Throws as findSample().
    Sample find(std::size_t position) const;

  private:
    void prepare(const std::stop_token& stop);
    void adoptFoundRun();
    Journal openJournal(const RunDescription& about);
    ListRunOptions options(const std::stop_token& stop, const BatchListener& listener, bool gpu);

    BatchPlan plan_;
    const std::shared_ptr<NetworkService> network_;
    const MachineOf machineOf_;

    bool prepared_ = false;
    EvaluationList list_;
    std::filesystem::path imageRoot_;
    std::filesystem::path folder_;
    std::optional<QTemporaryDir> temporary_;
};

}  // namespace threefold::ui
