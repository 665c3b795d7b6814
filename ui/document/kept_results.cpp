#include "ui/document/kept_results.h"

#include <algorithm>

namespace threefold::ui {

KeptResults::KeptResults(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::resultChanged, this, &KeptResults::keep);
    keep();
}

ResultRef KeptResults::find(const InputState& state) const {
    for (auto kept = all_.rbegin(); kept != all_.rend(); ++kept) {
        const SampleRef& sample = kept->result->sample;
        if (state.sameInput({sample, ViewSelection(kept->result->views)}) && state.sample &&
            sameTruth(*state.sample, *sample))
            return kept->result;
    }
    return nullptr;
}

KeptResult* KeptResults::entryOf(const ResultRef& result) {
    const auto found = std::ranges::find(all_, result, &KeptResult::result);
    return found == all_.end() ? nullptr : &*found;
}

bool KeptResults::setPinned(const ResultRef& result, bool pinned) {
    KeptResult* kept = entryOf(result);
    if (kept == nullptr || kept->pinned == pinned) return true;
    const auto count = std::ranges::count(all_, true, &KeptResult::pinned);
    if (pinned && static_cast<std::size_t>(count) >= kMostPinned) return false;
    kept->pinned = pinned;
    Q_EMIT changed();
    return true;
}

void KeptResults::remove(const ResultRef& result) {
    if (std::erase_if(all_, [&](const KeptResult& each) { return each.result == result; }) > 0)
        Q_EMIT changed();
}

void KeptResults::setPicture(const ResultRef& result, const QImage& picture) {
    KeptResult* kept = entryOf(result);
    if (kept == nullptr) return;
    kept->picture = picture;
    Q_EMIT changed();
}

void KeptResults::keep() {
    const ResultRef& result = document_.result();
    if (!result) return;
    const render::SceneMeshRef& mesh = result->mesh(MeshId::result);
    const auto known = std::ranges::find_if(all_, [&](const KeptResult& each) {
        return each.result == result || (mesh && each.result->mesh(MeshId::result) == mesh);
    });
    if (known != all_.end()) {
        if (known->result != result) {
            known->result = result;
            known->picture = {};
        }
    } else {
        all_.push_back({result, false, {}});
    }
    if (all_.size() > kMost) {
        const auto oldest = std::ranges::find_if(
            all_, [&](const KeptResult& each) { return !each.pinned && each.result != result; });
        if (oldest != all_.end()) all_.erase(oldest);
    }
    Q_EMIT changed();
}

}  // namespace threefold::ui
