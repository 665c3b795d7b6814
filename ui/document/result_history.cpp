#include "ui/document/result_history.h"

#include <algorithm>

namespace threefold::ui {

ResultHistory::ResultHistory(Document& document) : QObject(&document), document_(document) {
    connect(&document.result, &ResultModel::changed, this, &ResultHistory::addShown);
    addShown();
}

ResultRef ResultHistory::find(const InputState& state) const {
    for (auto entry = results_.rbegin(); entry != results_.rend(); ++entry) {
        const SampleRef& sample = entry->result->sample;
        if (isSameInput(state, {sample, ViewSelection(entry->result->views)}) && state.sample &&
            isSameTruth(*state.sample, *sample))
            return entry->result;
    }
    return nullptr;
}

HistoryEntry* ResultHistory::entryOf(const ResultRef& result) {
    const auto found = std::ranges::find(results_, result, &HistoryEntry::result);
    return found == results_.end() ? nullptr : &*found;
}

bool ResultHistory::setPinned(const ResultRef& result, bool pinned) {
    HistoryEntry* entry = entryOf(result);
    if (entry == nullptr || entry->pinned == pinned) return true;
    const auto count = std::ranges::count(results_, true, &HistoryEntry::pinned);
    if (pinned && static_cast<std::size_t>(count) >= kMaxPinned) return false;
    entry->pinned = pinned;
    Q_EMIT changed();
    return true;
}

void ResultHistory::remove(const ResultRef& result) {
    if (std::erase_if(results_, [&](const HistoryEntry& entry) { return entry.result == result; }) >
        0)
        Q_EMIT changed();
}

void ResultHistory::setThumbnail(const ResultRef& result, const QImage& thumbnail) {
    HistoryEntry* entry = entryOf(result);
    if (entry == nullptr) return;
    entry->thumbnail = thumbnail;
    Q_EMIT changed();
}

namespace {

/// Whether `next` replaces `kept` in the list: both have the same mesh of the network, and `kept`
/// has no fitted mesh, or both were fitted with the same choice.
bool replaces(const Result& next, const Result& kept) {
    const render::SceneMeshRef& mesh = next.mesh(MeshId::result);
    if (!mesh || kept.mesh(MeshId::result) != mesh) return false;
    return !kept.mesh(MeshId::fitted) ||
           (next.mesh(MeshId::fitted) && next.fitted() && kept.fitted() &&
            next.fitted()->requested == kept.fitted()->requested);
}

}  // namespace

void ResultHistory::addShown() {
    const ResultRef& result = document_.result.current();
    if (!result) return;
    auto known = std::ranges::find(results_, result, &HistoryEntry::result);
    if (known == results_.end())
        known = std::ranges::find_if(
            results_, [&](const HistoryEntry& entry) { return replaces(*result, *entry.result); });
    // Another fit of a kept result is pending: only the fit's result will be kept.
    const auto sameMesh = [&](const HistoryEntry& entry) {
        return entry.result->mesh(MeshId::result) == result->mesh(MeshId::result);
    };
    if (known == results_.end() && document_.fit.isPending() &&
        std::ranges::any_of(results_, sameMesh))
        return Q_EMIT changed();
    if (known != results_.end()) {
        if (known->result != result) {
            known->result = result;
            known->thumbnail.reset();
        }
    } else {
        results_.push_back({result, false, {}});
    }
    if (results_.size() > kMaxResults) {
        const auto oldest = std::ranges::find_if(results_, [&](const HistoryEntry& entry) {
            return !entry.pinned && entry.result != result;
        });
        if (oldest != results_.end()) results_.erase(oldest);
    }
    Q_EMIT changed();
}

}  // namespace threefold::ui
