#include "engine/network/service/scheduler.h"

#include <algorithm>

namespace threefold {

Scheduler::Id Scheduler::add(Urgency urgency) {
    waiting_.emplace(++lastId_, Entry{urgency, {}});
    return lastId_;
}

bool Scheduler::remove(Id id) {
    if (waiting_.erase(id) == 0) return false;
    if (!hasLists()) nowDuration_ = {};
    return true;
}

std::optional<Scheduler::Id> Scheduler::oldest(const Entries& entries, Urgency urgency) {
    const auto found = std::ranges::find_if(
        entries, [&](const auto& entry) { return entry.second.urgency == urgency; });
    return found == entries.end() ? std::nullopt : std::optional(found->first);
}

std::optional<Scheduler::Id> Scheduler::next() const {
    if (isListStarved()) {
        if (const auto list = oldest(waiting_, Urgency::list)) return list;
    }
    for (const Urgency urgency : {Urgency::now, Urgency::soon, Urgency::list}) {
        if (const auto id = oldest(waiting_, urgency)) return id;
    }
    return std::nullopt;
}

void Scheduler::begin(Id id, TimePoint now) {
    auto node = waiting_.extract(id);
    node.mapped().startedAt = now;
    inFlight_.insert(std::move(node));
}

void Scheduler::finish(Id id, TimePoint now) {
    const auto node = inFlight_.extract(id);
    if (node.empty()) return;
    const Entry& entry = node.mapped();
    if (entry.urgency == Urgency::now) nowDuration_ += now - entry.startedAt;
    if (entry.urgency == Urgency::list || !hasLists()) nowDuration_ = {};
}

void Scheduler::putBack(Id id) {
    waiting_.insert(inFlight_.extract(id));
}

std::vector<Scheduler::Id> Scheduler::interruptible() const {
    std::vector<Id> ids;
    for (const auto& [id, entry] : inFlight_) {
        if (entry.urgency == Urgency::soon || (entry.urgency == Urgency::list && !isListStarved()))
            ids.push_back(id);
    }
    return ids;
}

bool Scheduler::hasLists() const {
    return oldest(waiting_, Urgency::list) || oldest(inFlight_, Urgency::list);
}

}  // namespace threefold
