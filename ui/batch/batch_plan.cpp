#include "ui/batch/batch_plan.h"

#include <QCoreApplication>

#include "engine/error.h"
#include "engine/evaluation/journal.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

class Texts {
    Q_DECLARE_TR_FUNCTIONS(FoundRun)
};

/// Of the samples at positions ≡ index (mod count).
std::size_t sizeOf(const Shard& shard, std::size_t list) {
    return list <= shard.index ? 0 : (list - shard.index - 1) / shard.count + 1;
}

}  // namespace

std::optional<FoundRun> findRun(const std::filesystem::path& folder) {
    std::error_code failure;
    const std::filesystem::path journal = folder / kJournalName;
    if (!std::filesystem::exists(journal, failure)) return std::nullopt;
    // Empty: a run that ended before its first item.
    if (std::filesystem::file_size(journal, failure) == 0) return std::nullopt;
    FoundRun found;
    try {
        const JournalContents contents = readJournal(folder);
        if (contents.records.empty()) return std::nullopt;
        found.total = sizeOf(contents.about.shard, contents.about.identity.listSize);
        for (const auto& [position, record] : contents.records) {
            ++(record.done() ? found.done : found.failed);
        }
    } catch (const InputError&) {
        found.held = true;
    }
    return found;
}

QString textOf(const FoundRun& run) {
    if (run.held) return Texts::tr("Another evaluation is writing to this folder right now.");
    const QString done = groupedCount(static_cast<qint64>(run.done));
    const QString total = groupedCount(static_cast<qint64>(run.total));
    const QString failed = groupedCount(static_cast<qint64>(run.failed));
    QString said = run.done == run.total
                       ? Texts::tr("Holds a finished run of %1 items.").arg(total)
                       : Texts::tr("Holds a run, %1 of %2 items done.").arg(done, total);
    if (run.failed > 0) said += ' ' + Texts::tr("%1 failed and will be tried again.").arg(failed);
    if (run.done < run.total)
        said += ' ' + Texts::tr("It continues with the settings it was started with.");
    return said;
}

}  // namespace threefold::ui
