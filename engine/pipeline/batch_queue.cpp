#include "engine/pipeline/batch_queue.h"

#include <algorithm>
#include <set>
#include <utility>

namespace threefold {

void BatchQueue::add(const BatchRequest& request, TimePoint now) {
    of(request.urgency).push_back({request, ++arrivals_, now, {}});
}

bool BatchQueue::remove(Id id) {
    for (Entries& entries : waiting_) {
        if (std::erase_if(entries, [&](const Entry& entry) { return entry.request.id == id; }) == 0)
            continue;
        if (!listsWait()) urgentUse_ = {};
        return true;
    }
    return false;
}

std::vector<BatchQueue::Id> BatchQueue::next(TimePoint now, Urgency least) {
    std::vector<Id> batch;
    const bool lists = least == Urgency::whenever && !of(Urgency::whenever).empty();
    if (lists && owed()) {
        take(Urgency::whenever, of(Urgency::whenever).front().request.views, rules_.full, now,
             batch);
        return batch;
    }
    for (const Urgency urgency : {Urgency::now, Urgency::soon}) {
        if (urgency > least || of(urgency).empty()) continue;
        const std::size_t views = of(urgency).front().request.views;
        take(urgency, views, 1, now, batch);
        if (rules_.fillUrgent && urgency == Urgency::now && views != 0) {
            for (const Urgency other : {Urgency::now, Urgency::soon, Urgency::whenever})
                take(other, views, rules_.full, now, batch);
        }
        return batch;
    }
    return lists ? nextOfLists(now) : batch;
}

std::vector<BatchQueue::Id> BatchQueue::nextOfLists(TimePoint now) {
    const Entries& entries = of(Urgency::whenever);
    std::vector<Id> batch;
    std::set<std::size_t> seen;
    for (const Entry& oldest : entries) {
        const std::size_t views = oldest.request.views;
        if (views != 0 && !seen.insert(views).second) continue;
        const auto alike = static_cast<std::size_t>(std::ranges::count_if(
            entries, [&](const Entry& entry) { return entry.request.views == views; }));
        const bool full = views == 0 || alike >= rules_.full;
        if (!full && now - oldest.arrived < rules_.timeOut) continue;
        take(Urgency::whenever, views, rules_.full, now, batch);
        break;
    }
    return batch;
}

/// Takes the oldest requests of so many views until the batch has `most`.
void BatchQueue::take(Urgency urgency, std::size_t views, std::size_t most, TimePoint now,
                      std::vector<Id>& batch) {
    Entries left;
    for (Entry& entry : of(urgency)) {
        const bool room =
            views == 0 ? batch.empty() : batch.size() < std::max<std::size_t>(most, 1);
        if (!room || entry.request.views != views) {
            left.push_back(entry);
            continue;
        }
        entry.begun = now;
        batch.push_back(entry.request.id);
        inFlight_.emplace(entry.request.id, entry);
    }
    of(urgency) = std::move(left);
}

std::optional<BatchQueue::TimePoint> BatchQueue::closes() const {
    const Entries& entries = waiting_.back();
    if (entries.empty()) return std::nullopt;
    return entries.front().arrived + rules_.timeOut;
}

void BatchQueue::finish(std::span<const Id> batch, TimePoint now) {
    bool ofList = false;
    TimePoint begun = now;
    for (const Id id : batch) {
        const auto entry = inFlight_.extract(id);
        if (entry.empty()) continue;
        ofList |= entry.mapped().request.urgency == Urgency::whenever;
        if (entry.mapped().request.urgency == Urgency::now) begun = entry.mapped().begun;
    }
    urgentUse_ += now - begun;
    if (ofList || !listsWait()) urgentUse_ = {};
}

void BatchQueue::putBack(std::span<const Id> batch) {
    for (const Id id : batch) {
        const auto node = inFlight_.extract(id);
        if (node.empty()) continue;
        const Entry& entry = node.mapped();
        Entries& entries = of(entry.request.urgency);
        const auto place = std::ranges::upper_bound(entries, entry.order, {}, &Entry::order);
        entries.insert(place, entry);
    }
}

std::size_t BatchQueue::waiting() const {
    std::size_t count = 0;
    for (const Entries& entries : waiting_) count += entries.size();
    return count;
}

bool BatchQueue::listsWait() const {
    return !waiting_.back().empty() || std::ranges::any_of(inFlight_, [](const auto& entry) {
        return entry.second.request.urgency == Urgency::whenever;
    });
}

}  // namespace threefold
