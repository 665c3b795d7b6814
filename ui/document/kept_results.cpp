#include "ui/document/kept_results.h"

#include <algorithm>

namespace threefold::ui {

KeptResults::KeptResults(Document& document) : QObject(&document), document_(document) {
    connect(&document.result, &ResultModel::changed, this, &KeptResults::keep);
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

namespace {

/// Whether `next` takes the place of `kept`: it is the same, its fit, or that fit once more.
bool replaces(const Result& next, const Result& kept) {
    const render::SceneMeshRef& mesh = next.mesh(MeshId::result);
    if (!mesh || kept.mesh(MeshId::result) != mesh) return false;
    return !kept.mesh(MeshId::fitted) ||
           (next.mesh(MeshId::fitted) && next.fit && kept.fit &&
            next.fit->outcome.requested == kept.fit->outcome.requested);
}

}  // namespace

void KeptResults::keep() {
    const ResultRef& result = document_.result.current();
    if (!result) return;
    auto known = std::ranges::find(results_, result, &KeptResult::result);
    if (known == results_.end())
        known = std::ranges::find_if(
            results_, [&](const KeptResult& entry) { return replaces(*result, *entry.result); });
    // Another fit of a kept result is under way: its result will be kept.
    const auto sameMesh = [&](const KeptResult& entry) {
        return entry.result->mesh(MeshId::result) == result->mesh(MeshId::result);
    };
    if (known == results_.end() && document_.fit.awaited() &&
        std::ranges::any_of(results_, sameMesh))
        return Q_EMIT changed();
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
