#include "ui/batch/batch_session.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "engine/error.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/result_files.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

/// Runs `work`; the remedy of its InputError, which names flags of the command line, becomes one
/// for the window.
template <class Work>
auto withRemedies(const Work& work) try {
    return work();
} catch (const InputError& error) {
    ErrorReport report = error.report();
    report.remedy = report.problem.starts_with("another run")
                        ? "Wait for its end, or choose another output folder."
                        : "Choose another output folder, or start over.";
    throw InputError(report);
}

}  // namespace

BatchSession::BatchSession(BatchPlan plan, std::shared_ptr<NetworkService> network,
                           MachineOf machineOf)
    : plan_(std::move(plan)), network_(std::move(network)), machineOf_(std::move(machineOf)) {}

void BatchSession::prepare(const std::stop_token& stop) {
    if (prepared_) return;
    list_ = readEvaluationList(plan_.source, stop);
    imageRoot_ = !plan_.imageRoot.empty()   ? plan_.imageRoot
                 : !list_.imageRoot.empty() ? list_.imageRoot
                                            : plan_.dataSet;
    if (plan_.output.empty()) {
        temporary_.emplace();
        if (!temporary_->isValid()) {
            throw IoError({temporary_->path().toStdString(), "",
                           "cannot be made: " + temporary_->errorString().toStdString(),
                           "Choose an output folder."});
        }
        folder_ = temporary_->path().toStdString();
    } else {
        std::error_code failure;
        fs::create_directories(plan_.output, failure);
        if (failure) {
            throw IoError({plan_.output.string(), "", "cannot be made: " + failure.message(),
                           "Choose another output folder, one that you may write to."});
        }
        folder_ = plan_.output;
        if (!plan_.overwrite) adoptFoundRun();
    }
    prepared_ = true;
}

void BatchSession::adoptFoundRun() {
    std::error_code failure;
    if (!fs::exists(folder_ / kJournalName, failure)) return;
    JournalContents there;
    try {
        there = withRemedies([&] { return readJournal(folder_); });
    } catch (const FormatError&) {
        return;  // openJournal() reports the problem, or finds that nothing is lost
    }
    if (there.records.empty()) return;
    plan_.choices = choicesOf(there.about);
    ListRunOptions withMeshes;
    plan_.meshes = std::any_of(there.records.begin(), there.records.end(), [&](const auto& entry) {
        return isFinished(entry.second, folder_, withMeshes);
    });
}

Journal BatchSession::openJournal(const RunDescription& about) {
    return withRemedies([&] {
        const auto start = plan_.overwrite ? JournalStart::overwrite : JournalStart::resume;
        Journal journal(folder_, about, start);
        plan_.overwrite = false;  // the journal is this run's now
        return journal;
    });
}

void BatchSession::run(const std::stop_token& stop, const BatchListener& listener) {
    prepare(stop);
    const NetworkInfo network = network_->info();
    if (stop.stop_requested()) throw Cancelled();
    const MachineDescription machine = machineOf_ ? machineOf_(network) : describeMachine(0);
    const RunDescription about = describeRun(list_, plan_.choices, network, machine);
    Journal journal = openJournal(about);
    const ListRunOptions runOptions = options(stop, listener, !about.machines.front().gpu.empty());
    BatchOutline outline{plan_.choices, folder_, entriesOf(list_, about.shard).size(), {}};
    for (const auto& [position, record] : journal.contents().records) {
        if (isFinished(record, folder_, runOptions)) outline.before.push_back(record);
    }
    listener.begun(std::move(outline));
    evaluateList(*network_, list_, journal, folder_, runOptions);
    const EvaluationRun finished = journal.run();
    removeUnshownThumbnails(folder_, finished.records);
    writeReports(finished, folder_);
}

ListRunOptions BatchSession::options(const std::stop_token& stop, const BatchListener& listener,
                                     bool gpu) {
    ListRunOptions options;
    options.imageRoot = imageRoot_;
    options.truthRoot = plan_.truthRoot;
    options.meshes = plan_.meshes;
    options.pipeline.cancel = stop;
    options.pipeline.device = gpu;
    options.measured = [&listener](const SampleJob& job) {
        listener.made(job.record.position,
                      std::make_shared<const Reconstruction>(job.reconstruction));
    };
    options.kept = listener.finished;
    return options;
}

Sample BatchSession::find(std::size_t position) const {
    return findSample(list_.entries.at(position).location, imageRoot_, plan_.truthRoot, {},
                      plan_.choices.truthSpace);
}

}  // namespace threefold::ui
