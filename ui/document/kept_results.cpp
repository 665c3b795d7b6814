#include "ui/document/kept_results.h"

#include <algorithm>

namespace threefold::ui {

KeptResults::KeptResults(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::resultChanged, this, &KeptResults::keep);
    keep();
}

ResultRef KeptResults::find(const InputState& state) const {
    for (auto entry = results_.rbegin(); entry != results_.rend(); ++entry) {
        const SampleRef& sample = entry->result->sample;
        if (state.sameInput({sample, ViewSelection(entry->result->views)}) && state.sample &&
            sameTruth(*state.sample, *sample))
            return entry->result;
    }
    return nullptr;
}

KeptResult* KeptResults::entryOf(const ResultRef& result) {
    const auto found = std::ranges::find(results_, result, &KeptResult::result);
    return found == results_.end() ? nullptr : &*found;
}

bool KeptResults::setPinned(const ResultRef& result, bool pinned) {
    KeptResult* entry = entryOf(result);
    if (entry == nullptr || entry->pinned == pinned) return true;
    const auto count = std::ranges::count(results_, true, &KeptResult::pinned);
    if (pinned && static_cast<std::size_t>(count) >= kMaxPinned) return false;
    entry->pinned = pinned;
    Q_EMIT changed();
    return true;
}

void KeptResults::remove(const ResultRef& result) {
    if (std::erase_if(results_, [&](const KeptResult& entry) { return entry.result == result; }) >
        0)
        Q_EMIT changed();
}

void KeptResults::setPicture(const ResultRef& result, const QImage& picture) {
    KeptResult* entry = entryOf(result);
    if (entry == nullptr) return;
    entry->picture = picture;
    Q_EMIT changed();
}

void KeptResults::keep() {
    const ResultRef& result = document_.result();
    if (!result) return;
    const render::SceneMeshRef& mesh = result->mesh(MeshId::result);
    const auto known = std::ranges::find_if(results_, [&](const KeptResult& entry) {
        return entry.result == result || (mesh && entry.result->mesh(MeshId::result) == mesh);
    });
    if (known != results_.end()) {
        if (known->result != result) {
            known->result = result;
            known->picture = {};
        }
    } else {
        results_.push_back({result, false, {}});
    }
    if (results_.size() > kMaxResults) {
        const auto oldest = std::ranges::find_if(results_, [&](const KeptResult& entry) {
            return !entry.pinned && entry.result != result;
        });
        if (oldest != results_.end()) results_.erase(oldest);
    }
    Q_EMIT changed();
}

}  // namespace threefold::ui
