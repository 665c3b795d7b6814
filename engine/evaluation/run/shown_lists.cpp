#include "engine/evaluation/run/shown_lists.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace threefold {
namespace {

/// Sort key, largest first: whether the sample has a truth; then how bad its result is, or how much
/// it changed.
using SortKey = std::pair<bool, double>;

std::optional<SortKey> worstKey(const SampleRecord& record) {
    if (!record.succeeded()) return std::nullopt;
    if (!record.scores.empty()) {
        const double chamfer = record.scores.front().result().measures.chamfer;
        return std::isfinite(chamfer) ? std::optional(SortKey(true, chamfer)) : std::nullopt;
    }
    const MeansByMesh means = meansOf(record.silhouettes);
    return means.empty() ? std::nullopt : std::optional(SortKey(false, -means.result().overlap));
}

/// Values of the meshes before and after a step; null for a mesh that does not exist.
template <class Value>
std::pair<const Value*, const Value*> beforeAndAfter(const ByMesh<Value>& meshes,
                                                     MeshChange change) {
    if (change == MeshChange::fit) return {&meshes.result(), meshes.fitted()};
    return {&meshes.first(), &meshes.result()};
}

std::optional<SortKey> changeKey(const SampleRecord& record, MeshChange change) {
    if (!record.succeeded()) return std::nullopt;
    const auto key = [](bool byTruth, double difference) {
        const bool changed = std::isfinite(difference) && difference != 0;
        return changed ? std::optional(SortKey(byTruth, std::abs(difference))) : std::nullopt;
    };
    if (!record.scores.empty()) {
        const auto [before, after] = beforeAndAfter(record.scores.front(), change);
        if (after == nullptr) return std::nullopt;
        return key(true, after->measures.atTau().fScore - before->measures.atTau().fScore);
    }
    const MeansByMesh means = meansOf(record.silhouettes);
    if (means.empty()) return std::nullopt;
    const auto [before, after] = beforeAndAfter(means, change);
    return after == nullptr ? std::nullopt : key(false, after->overlap - before->overlap);
}

/// Indices of the records with a key, sorted by key, the largest first.
std::vector<std::size_t> sortedByKey(const std::vector<SampleRecord>& records, const auto& keyOf) {
    std::vector<std::pair<SortKey, std::size_t>> keys;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (const std::optional<SortKey> key = keyOf(records[i])) keys.emplace_back(*key, i);
    std::ranges::sort(keys, [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        return records[a.second].position < records[b.second].position;
    });
    std::vector<std::size_t> indices;
    for (const auto& [key, record] : keys) indices.push_back(record);
    return indices;
}

std::vector<std::size_t> firstOf(std::vector<std::size_t> indices, std::size_t count) {
    indices.resize(std::min(count, indices.size()));
    return indices;
}

}  // namespace

std::vector<std::size_t> worstRecords(const std::vector<SampleRecord>& records, std::size_t count) {
    return firstOf(sortedByKey(records, worstKey), count);
}

std::vector<std::size_t> bestRecords(const std::vector<SampleRecord>& records, std::size_t count) {
    std::vector<std::size_t> all = sortedByKey(records, worstKey);
    all.erase(all.begin(),
              all.begin() + static_cast<std::ptrdiff_t>(std::min(kShownPerList, all.size())));
    std::ranges::reverse(all);
    return firstOf(std::move(all), count);
}

std::vector<std::size_t> mostChangedRecords(const std::vector<SampleRecord>& records,
                                            MeshChange change, std::size_t count) {
    return firstOf(
        sortedByKey(records, [&](const SampleRecord& record) { return changeKey(record, change); }),
        count);
}

std::vector<ShownList> shownLists(const std::vector<SampleRecord>& records) {
    std::vector<ShownList> lists{
        {"worst", worstRecords(records)},
        {"best", bestRecords(records)},
        {"refinement", mostChangedRecords(records, MeshChange::refinement)},
        {"fit", mostChangedRecords(records, MeshChange::fit)}};
    std::erase_if(lists, [](const ShownList& list) { return list.recordIndices.empty(); });
    return lists;
}

std::vector<std::size_t> shownRecords(const std::vector<SampleRecord>& records) {
    std::vector<std::size_t> shown;
    for (const ShownList& list : shownLists(records))
        for (const std::size_t record : list.recordIndices)
            if (std::ranges::find(shown, record) == shown.end()) shown.push_back(record);
    return shown;
}

}  // namespace threefold
