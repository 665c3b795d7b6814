#include "engine/evaluation/merge.h"

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal.h"
#include "engine/evaluation/record.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

void requireMixable(const fs::path& first, const RunDescription& there, const fs::path& folder,
                    const RunDescription& here) {
    const std::string text = differences(there, here, false);
    if (text.empty()) return;
    throw InputError({folder.string(), "",
                      fmt::format("holds another run than {}: {}", first.string(), text),
                      "Merge parts of one run: the same list, model and options."});
}

void addSession(RunDescription& about, const RunDescription& part) {
    about.begun = std::min(about.begun, part.begun);
    about.warmUpRuns = std::max(about.warmUpRuns, part.warmUpRuns);
    for (const MachineDescription& machine : part.machines) {
        const bool known = std::ranges::any_of(about.machines, [&](const auto& each) {
            return journalJson(each) == journalJson(machine);
        });
        if (!known) about.machines.push_back(machine);
    }
}

/// A record with scores ranks above one without a truth, and that above a failed one.
bool knowsMore(const SampleRecord& one, const SampleRecord& other) {
    const auto known = [](const SampleRecord& record) {
        return record.withoutTruth() ? 1 : record.done() ? 2 : 0;
    };
    return known(one) > known(other);
}

void refuseRepeatedNames(std::vector<SampleRecord>& records) {
    std::map<std::string, std::size_t> names;
    for (SampleRecord& record : records) {
        if (!record.done()) continue;
        const auto [known, isNew] = names.emplace(record.name, record.position);
        if (isNew) continue;
        const InputError error({record.name, "",
                                fmt::format("sample {} of the list is the same", known->second + 1),
                                "Remove one of the two lines."});
        record.error = error.what();
        record.scores.clear();
        record.silhouettes.clear();
        record.name.clear();
    }
}

}  // namespace

MergedRun mergeRuns(std::span<const fs::path> folders) {
    if (folders.empty())
        throw UsageError({"merge", "", "no folder was named",
                          "Name the folders that the parts of a list were evaluated into."});
    struct Taken {
        SampleRecord record;
        fs::path from;
    };
    std::map<std::size_t, Taken> taken;
    MergedRun merged;
    RunDescription& about = merged.run.about;
    double seconds = 0;
    for (const fs::path& folder : folders) {
        JournalContents part = readJournal(folder);
        std::size_t used = 0;
        merged.damagedLines += part.damagedLines;
        if (&folder == &folders.front()) {
            about = part.about;
        } else {
            requireMixable(folders.front(), about, folder, part.about);
            addSession(about, part.about);
        }
        for (auto& [position, record] : part.records) {
            const auto known = taken.find(position);
            if (known != taken.end() && !knowsMore(record, known->second.record)) continue;
            taken[position] = {std::move(record), folder};
            ++used;
        }
        // Count only the share of the seconds that belongs to the records taken from this folder.
        if (used > 0)
            seconds += part.about.seconds *
                       (static_cast<double>(used) / static_cast<double>(part.records.size()));
    }
    about.seconds = seconds;
    about.shard = {};
    for (std::size_t position = 0; position < about.identity.listSize; ++position) {
        const auto found = taken.find(position);
        if (found == taken.end()) {
            merged.missing.push_back(position);
            continue;
        }
        merged.run.records.push_back(std::move(found->second.record));
        merged.from.push_back(std::move(found->second.from));
    }
    refuseRepeatedNames(merged.run.records);
    return merged;
}

void copyShownThumbnails(const MergedRun& merged, const fs::path& folder) {
    const std::vector<SampleRecord>& records = merged.run.records;
    for (const std::size_t i : worstRecords(records)) {
        const fs::path from = thumbnailFile(merged.from[i], records[i].name);
        std::error_code error;
        if (!fs::is_regular_file(from, error)) continue;
        const std::vector<std::byte> bytes = readFile(from);
        fs::create_directories(folder / kThumbnailFolder, error);
        writeFileWhole(thumbnailFile(folder, records[i].name), bytes);
    }
}

}  // namespace threefold
