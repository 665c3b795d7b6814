#include "engine/evaluation/journal/merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/evaluation/run/run_differences.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/sample/test_list.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

void requireMixable(const fs::path& first, const RunDescription& firstRun, const fs::path& folder,
                    const RunDescription& run) {
    const std::vector<RunDifference> differences = differencesToMerge(firstRun, run);
    if (differences.empty()) return;
    throw InputError(
        {folder.string(), "",
         fmt::format("holds another run than {}: {}", first.string(), differencesText(differences)),
         "Merge parts of one run: the same list, model and options."});
}

/// File of a record's truth, with the first digits of its hash.
std::string truthText(const SampleRecord& record) {
    constexpr std::size_t kShown = 12;
    return fmt::format("{} (SHA-256 {}…)", record.truth, record.truthHash->substr(0, kShown));
}

/// Throws InputError if two runs measured a sample against different truths.
void requireSameTruth(const fs::path& first, const SampleRecord& known, const fs::path& folder,
                      const SampleRecord& record) {
    if (!known.truthHash || !record.truthHash || known.truthHash == record.truthHash) return;
    throw InputError(
        {folder.string(), fmt::format("sample {}", record.position + 1),
         fmt::format("was measured against another truth than in {}: {} there, {} here",
                     first.string(), truthText(known), truthText(record)),
         "Merge runs of the same truths, or evaluate the sample again."});
}

void mergeDescription(RunDescription& description, const RunDescription& part) {
    description.startedAt = std::min(description.startedAt, part.startedAt);
    description.warmUpRuns = std::max(description.warmUpRuns, part.warmUpRuns);
    if (description.folders != part.folders) description.folders.reset();
    for (const MachineDescription& machine : part.machines) {
        const bool known = std::ranges::any_of(description.machines, [&](const auto& other) {
            return journalJson(other) == journalJson(machine);
        });
        if (!known) description.machines.push_back(machine);
    }
}

/// Ranks a record with scores above one without a truth, and both above a failed record.
bool ranksAbove(const SampleRecord& one, const SampleRecord& other) {
    const auto rank = [](const SampleRecord& record) {
        return record.withoutTruth() ? 1 : record.succeeded() ? 2 : 0;
    };
    return rank(one) > rank(other);
}

void refuseRepeatedNames(std::vector<SampleRecord>& records) {
    std::map<std::string, std::size_t> names;
    for (SampleRecord& record : records) {
        if (!record.succeeded()) continue;
        const auto [known, isNew] = names.emplace(record.name, record.position);
        if (isNew) continue;
        const InputError error({record.name, "",
                                fmt::format("repeats sample {} of the list", known->second + 1),
                                "Remove one of the two lines."});
        record.fail(error.what());
        record.name.clear();
    }
}

/// Merges folder after folder.
class Merger {
  public:
    /// Adds a run. Throws as mergeRuns() does.
    void add(const fs::path& folder) {
        JournalContents part = readJournal(folder);
        std::error_code error;
        const fs::path canonical = fs::canonical(folder, error);
        if (!error && !known_.insert(canonical).second) return;
        merged_.damagedLines += part.damagedLines;
        if (const auto& folders = part.description.folders; folders && !folders->truths.empty())
            merged_.truthFolders.insert(folders->truths);
        if (!first_) {
            first_ = folder;
            description() = part.description;
        } else {
            requireMixable(*first_, description(), folder, part.description);
            mergeDescription(description(), part.description);
        }
        for (auto& [position, record] : part.records) {
            const auto known = sources_.find(position);
            if (known != sources_.end())
                requireSameTruth(known->second.folder, known->second.record, folder, record);
            if (known != sources_.end() && !ranksAbove(record, known->second.record)) continue;
            sources_[position] = {std::move(record), folder};
        }
        if (!part.records.empty())
            secondsPerRecord_[folder] =
                part.description.seconds / static_cast<double>(part.records.size());
    }

    /// At least one run must have been added.
    MergedRun finish() && {
        description().seconds = secondsOfUsedRecords();
        description().shard = {};
        const std::size_t listSize = description().identity.listSize;
        // A list of kMaxListBytes bytes cannot name more samples.
        if (listSize > kMaxListBytes)
            throw FormatError({(*first_ / kJournalName).string(), "listSize",
                               fmt::format("{} samples, more than a test list can name", listSize),
                               "Evaluate the list again."});
        for (std::size_t position = 0; position < listSize; ++position) {
            const auto found = sources_.find(position);
            if (found == sources_.end()) {
                merged_.missingPositions.push_back(position);
                continue;
            }
            merged_.run.records.push_back(std::move(found->second.record));
            merged_.sourceFolders.push_back(std::move(found->second.folder));
        }
        refuseRepeatedNames(merged_.run.records);
        return std::move(merged_);
    }

  private:
    struct Source {
        SampleRecord record;
        fs::path folder;
    };

    RunDescription& description() { return merged_.run.description; }

    /// Sum of the folders' seconds, each in proportion to the folder's used records.
    double secondsOfUsedRecords() const {
        double seconds = 0;
        for (const auto& [position, source] : sources_)
            seconds += secondsPerRecord_.at(source.folder);
        return seconds;
    }

    std::set<fs::path> known_;  ///< canonical paths of the folders
    std::optional<fs::path> first_;
    MergedRun merged_;
    std::map<std::size_t, Source> sources_;  ///< by position
    std::map<fs::path, double> secondsPerRecord_;
};

}  // namespace

MergedRun mergeRuns(std::span<const fs::path> folders) {
    if (folders.empty())
        throw UsageError({"merge", "", "no folder was named",
                          "Name the folders that the parts of a list were evaluated into."});
    Merger merger;
    for (const fs::path& folder : folders) merger.add(folder);
    return std::move(merger).finish();
}

void copyShownThumbnails(const MergedRun& merged, const fs::path& folder) {
    const std::vector<SampleRecord>& records = merged.run.records;
    for (const std::size_t i : shownRecords(records)) {
        const fs::path source = thumbnailFile(merged.sourceFolders[i], records[i].name);
        std::error_code error;
        if (!fs::is_regular_file(source, error)) continue;
        const std::vector<std::byte> bytes = readFile(source);
        makeFolder(folder / kThumbnailFolder);
        writeFileAtomically(thumbnailFile(folder, records[i].name), bytes);
    }
}

}  // namespace threefold
