#include "ui/batch/batch_session.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <QCoreApplication>

#include "engine/error.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/unrelated_files.h"
#include "engine/formats/files/folders.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

class Texts {
    Q_DECLARE_TR_FUNCTIONS(FoundRun)
};

/// Number of samples of a list in a shard: those at positions ≡ index (mod count).
std::size_t sizeOf(const Shard& shard, std::size_t listSize) {
    return listSize <= shard.index ? 0 : (listSize - shard.index - 1) / shard.count + 1;
}

}  // namespace

std::optional<FoundRun> findRun(const std::filesystem::path& folder) {
    std::error_code failure;
    const std::filesystem::path journal = folder / kJournalName;
    if (!std::filesystem::exists(journal, failure)) return std::nullopt;
    // The journal is empty if the run ended before its first sample.
    if (std::filesystem::file_size(journal, failure) == 0) return std::nullopt;
    FoundRun found;
    try {
        const JournalContents contents = readJournal(folder);
        if (contents.records.empty()) return std::nullopt;
        found.total = sizeOf(contents.description.shard, contents.description.identity.listSize);
        for (const auto& [position, record] : contents.records)
            ++(record.succeeded() ? found.done : found.failed);
    } catch (const InputError&) {
        found.isLocked = true;
    }
    return found;
}

QString textOf(const FoundRun& run) {
    if (run.isLocked) return Texts::tr("Another evaluation is writing to this folder right now.");
    const QString done = groupedCount(run.done);
    const QString total = groupedCount(run.total);
    const QString failed = groupedCount(run.failed);
    QString text = run.done == run.total
                       ? Texts::tr("Holds a finished run of %1 samples.").arg(total)
                       : Texts::tr("Holds a run, %1 of %2 samples done.").arg(done, total);
    if (run.failed > 0) text += ' ' + Texts::tr("%1 failed and will be tried again.").arg(failed);
    if (run.done < run.total)
        text += ' ' + Texts::tr("It continues with the settings it was started with.");
    return text;
}

QString textOfRepeatedSamples(const BatchOverview& overview) {
    QStringList sentences;
    if (!overview.earlier.changedMeshFiles.empty())
        sentences << Texts::tr(
                         "Meshes in the folder that were changed after this run wrote them: %1. "
                         "Their samples are evaluated again, and the files replaced.")
                         .arg(groupedCount(overview.earlier.changedMeshFiles.size()));
    if (overview.damagedLines > 0)
        sentences << Texts::tr(
                         "Torn or damaged lines of the journal: %1. Their samples are "
                         "evaluated again.")
                         .arg(groupedCount(overview.damagedLines));
    return sentences.join(' ');
}

BatchSession::BatchSession(BatchPlan plan, std::shared_ptr<NetworkService> network,
                           MachineOf machineOf)
    : plan_(std::move(plan)), network_(std::move(network)), machineOf_(std::move(machineOf)) {}

void BatchSession::prepare(const std::stop_token& stop) {
    if (prepared_) return;
    list_ = readEvaluationList(plan_.source, stop);
    imageRoot_ = !plan_.imageRoot.empty()   ? plan_.imageRoot
                 : !list_.imageRoot.empty() ? list_.imageRoot
                                            : plan_.fallbackImageRoot;
    if (plan_.output.empty()) {
        temporary_.emplace("batch", systemTemporaryFolder(), "Choose an output folder.");
        folder_ = temporary_->path();
    } else {
        makeFolder(plan_.output, "Choose another output folder, one that you may write to.");
        folder_ = plan_.output;
        if (!plan_.overwrite) adoptFoundRun();
    }
    prepared_ = true;
}

void BatchSession::adoptFoundRun() {
    std::error_code failure;
    if (!std::filesystem::exists(folder_ / kJournalName, failure)) return;
    JournalContents contents;
    try {
        contents = readJournal(folder_);
    } catch (const FormatError&) {
        return;  // Journal's constructor reports the problem if records would be lost
    }
    if (contents.records.empty()) return;
    plan_.choices = choicesOf(contents.description);
    // Only done samples tell whether the run writes meshes; if there are none, the plan decides.
    bool anyDone = false, anyMeshes = false;
    for (const auto& [position, record] : contents.records) {
        anyDone = anyDone || record.succeeded();
        anyMeshes = anyMeshes || record.meshes.has_value();
    }
    if (anyDone) plan_.meshes = anyMeshes;
}

void BatchSession::run(const std::stop_token& stop, const BatchListener& listener) {
    prepare(stop);
    const NetworkInfo network = network_->info();
    if (stop.stop_requested()) throw Cancelled();
    const MachineDescription machine = machineOf_ ? machineOf_(network) : describeMachine(0);
    RunDescription about = describeRun(list_, plan_.choices, network, machine);
    about.folders = runFolders(list_, imageRoot_, plan_.truthRoot);
    const ListRunOptions runOptions = options(stop, listener, !about.machines.front().gpu.empty());
    if (!plan_.overwrite) refuseUnrelatedFiles(list_, about.shard, folder_, runOptions);
    Journal journal(folder_, about, plan_.overwrite ? ExistingRun::overwrite : ExistingRun::resume);
    plan_.overwrite = false;  // the journal now belongs to this run
    BatchOverview overview{.choices = plan_.choices,
                           .folder = folder_,
                           .total = entriesOf(list_, about.shard).size(),
                           .earlier = earlierSamples(journal.contents(), folder_, runOptions),
                           .damagedLines = journal.contents().damagedLines};
    listener.onStart(std::move(overview));
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
    options.writeMeshes = plan_.meshes;
    options.pipeline.cancel = stop;
    options.pipeline.usesGpu = gpu;
    options.onMeasured = [&listener](const MeasuredSample& sample, const SampleRecord& record) {
        listener.onMeshes(record.position,
                          std::make_shared<const Reconstruction>(sample.reconstruction.network));
    };
    options.onStored = listener.onRecord;
    return options;
}

Sample BatchSession::find(std::size_t position) const {
    return findSample({.location = list_.entries.at(position).location,
                       .imageRoot = imageRoot_,
                       .truthRoot = plan_.truthRoot,
                       .truthSpace = plan_.choices.measures.truthSpace});
}

}  // namespace threefold::ui
