#pragma once

#include <QString>

#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/formats/files/temporary_folder.h"
#include "engine/network/reconstruction.h"
#include "engine/sample/sample.h"

namespace threefold::ui {

/// Plan of an evaluation: samples, choices and output.
struct BatchPlan {
    QString name;                  ///< shown: the name of the list or folder
    std::filesystem::path source;  ///< for readEvaluationList()
    /// Folder of the listed samples; empty: EvaluationList::imageRoot.
    std::filesystem::path imageRoot;
    /// Used if `imageRoot` and EvaluationList::imageRoot are empty.
    std::filesystem::path fallbackImageRoot;
    std::filesystem::path truthRoot;  ///< empty: findSample()'s default
    RunChoices choices;
    /// Folder for the files that `threefold eval` writes: reports, journal and meshes; created if
    /// missing. An unfinished run in the folder is continued with its own choices. Empty: a
    /// temporary folder.
    std::filesystem::path output;
    bool overwrite = false;  ///< deletes the results of a run in `output`
    bool meshes = false;     ///< writes the meshes too
};

/// Describes the machine for reports, with a GPU only if the network uses one. Any thread.
using MachineOf = std::function<MachineDescription(const NetworkInfo&)>;

/// An evaluation found in an output folder.
struct FoundRun {
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t total = 0;
    bool isLocked = false;  ///< another process writes to the folder; the counts are unknown
};

/// Finds the run in a folder; none: the folder is missing or has no journal with records. Reads
/// files: not for the GUI thread. Throws FormatError (the file is no journal), IoError.
std::optional<FoundRun> findRun(const std::filesystem::path& folder);

/// Description of the run for the dialog, one to three sentences.
QString textOf(const FoundRun& run);

/// Overview of a run, known once list and folder have been read.
struct BatchOverview {
    RunChoices choices = {};            ///< the plan's, or those of a run found in the folder
    std::filesystem::path folder = {};  ///< of journal and reports
    std::size_t total = 0;
    EarlierSamples earlier = {};
    std::size_t damagedLines = 0;  ///< JournalContents::damagedLines
};

/// Sentences that say how many meshes of a continued run were changed, and how many lines of its
/// journal are damaged, so that samples are evaluated again; empty: none.
QString textOfRepeatedSamples(const BatchOverview& overview);

/// Callbacks of a run, called on threads of the run.
struct BatchListener {
    std::function<void(BatchOverview)> onStart;  ///< list and folder have been read
    std::function<void(std::size_t position, std::shared_ptr<const Reconstruction>)> onMeshes;
    std::function<void(const SampleRecord&)> onRecord;  ///< the record is on the disk
};

/// Evaluates a plan like `threefold eval`. Pausing splits the evaluation into several calls of
/// run().
class BatchSession {
  public:
    BatchSession(BatchPlan plan, std::shared_ptr<NetworkService> network, MachineOf machineOf);

    /// Evaluates the unfinished samples and writes the reports. One call at a time. Throws
    /// Cancelled, IoError (the folder cannot be created) and what readEvaluationList(),
    /// NetworkService::info(), refuseUnrelatedFiles(), Journal, evaluateList() and writeReports()
    /// throw. Finished samples are kept.
    void run(const std::stop_token& stop, const BatchListener& listener);

    /// The sample at a position of the list. Call after `onStart`, on any thread. Throws like
    /// findSample().
    Sample find(std::size_t position) const;

  private:
    void prepare(const std::stop_token& stop);
    void adoptFoundRun();
    ListRunOptions options(const std::stop_token& stop, const BatchListener& listener, bool gpu);

    BatchPlan plan_;
    const std::shared_ptr<NetworkService> network_;
    const MachineOf machineOf_;

    bool prepared_ = false;
    EvaluationList list_;
    std::filesystem::path imageRoot_;
    std::filesystem::path folder_;
    std::optional<TemporaryFolder> temporary_;
};

}  // namespace threefold::ui
