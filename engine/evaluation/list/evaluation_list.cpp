#include "engine/evaluation/list/evaluation_list.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "engine/sample/test_list.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

void addDataSet(EvaluationList& list, const fs::path& root, const std::stop_token& cancel) {
    walkDataSet(root, cancel, [&](const DataSetSample& sample) {
        const std::string name =
            sample.category.empty() ? sample.id : sample.category + '/' + sample.id;
        list.entries.push_back({0, name, sample.folder, {}});
    });
    if (cancel.stop_requested()) throw Cancelled();
}

void numberEntries(EvaluationList& list) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        ListEntry& entry = list.entries[i];
        entry.position = i;
        const auto [known, isNew] = first.emplace(entry.listedName, i);
        if (isNew) continue;
        entry.problem = fmt::format("{}: repeats sample {}. Remove one of the two lines.",
                                    entry.listedName, known->second + 1);
    }
}

[[noreturn]] void throwNoSample(const std::string& source) {
    throw InputError(
        {source, "", "names no sample", "Write one name a line, such as 02691156_p0001_00.dat."});
}

/// Numbers and hashes a list's entries. Throws InputError (no entry).
EvaluationList numberedAndHashed(EvaluationList list) {
    if (list.entries.empty()) throwNoSample(list.source);
    numberEntries(list);
    std::string names;
    for (const ListEntry& entry : list.entries) names += entry.listedName + '\n';
    list.hash = sha256(asBytes(names));
    return list;
}

/// List of one sample, hashed by its canonical path, which can be spelled in one way only.
EvaluationList listOfSample(const fs::path& source) {
    std::error_code error;
    const fs::path canonical = fs::canonical(source, error);
    EvaluationList list;
    list.source = source.string();
    list.entries.push_back({0, (error ? source : canonical).string(), source, {}});
    list = numberedAndHashed(std::move(list));
    list.entries.front().listedName = list.source;
    return list;
}

}  // namespace

EvaluationList readListFromAnyTextFile(const fs::path& file) {
    EvaluationList list = readEvaluationList(file);
    const auto namesSample = [](const ListEntry& entry) {
        return truthViewOf(entry.location, -1) >= 0 || pathExists(entry.location);
    };
    if (std::ranges::none_of(list.entries, namesSample)) throwNoSample(file.string());
    return list;
}

fs::path listedLocation(const std::string& line, const fs::path& folder) {
    fs::path path(line);
    if (path.is_absolute() || path.extension() == ".dat" || pathExists(path)) return path;
    fs::path beside = folder / path;
    return pathExists(beside) ? beside : path;
}

EvaluationList readEvaluationList(const fs::path& source, const std::stop_token& cancel) {
    if (isTestList(source))
        return evaluationListOf(readTestList(source), source.string(),
                                absolutePath(source).parent_path());
    if (!isDataSet(source)) return listOfSample(source);
    EvaluationList list;
    list.source = source.string();
    addDataSet(list, source, cancel);
    return numberedAndHashed(std::move(list));
}

EvaluationList evaluationListOf(std::span<const ListedName> lines, std::string source,
                                const fs::path& folder) {
    EvaluationList list;
    list.source = std::move(source);
    for (const ListedName& line : lines)
        list.entries.push_back({0, line.name, listedLocation(line.name, folder), {}});
    if (isFolder(folder / kShapeNetRenderingFolder)) list.imageRoot = folder;
    return numberedAndHashed(std::move(list));
}

std::vector<ListEntry> entriesOf(const EvaluationList& list, const Shard& shard) {
    std::vector<ListEntry> entries;
    for (std::size_t i = shard.index; i < list.entries.size(); i += shard.count)
        entries.push_back(list.entries[i]);
    return entries;
}

Shard shardFromText(const std::string& text) {
    const std::vector<std::string> parts = split(text, '/');
    const auto index = parseNumber<std::size_t>(parts.front()).value_or(0);
    const auto count = parseNumber<std::size_t>(parts.back()).value_or(0);
    if (parts.size() == 2 && index >= 1 && index <= count) return {index - 1, count};
    throw UsageError({"`shard`", text, "is not a shard",
                      "Write the shard's number and the number of shards, such as 2/4."});
}

}  // namespace threefold
