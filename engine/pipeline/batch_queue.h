#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace threefold {

/// Who waits for a request of the network, the most urgent first.
enum class Urgency {
    now,       ///< a person who clicked
    soon,      ///< a person who already sees a first result
    whenever,  ///< a list
};

struct BatchRequest {
    std::uint64_t id = 0;  ///< no other request of the queue has it
    Urgency urgency = Urgency::whenever;
    std::size_t views = 0;  ///< requests of equal numbers may share a batch; 0: goes alone
};

struct BatchRules {
    std::size_t full = 1;  ///< requests of a full batch
    /// How long a request of a list waits for others to fill its batch.
    std::chrono::steady_clock::duration timeOut = std::chrono::milliseconds(2);
    /// How long requests that are `now` may use the network while lists wait; see owed().
    std::chrono::steady_clock::duration patience = std::chrono::seconds(2);
    /// Whether other requests fill up the batch of one that is `now`. It then ends later than
    /// alone, unless a device computes them side by side.
    bool fillUrgent = false;
};

/// Decides which requests a network that several users share computes next. Computes nothing and
/// has no clock: times are passed in and never go back. For one thread at a time.
///
/// A `now` request is in the very next batch, alone unless `fillUrgent`; it waits for the batch in
/// flight only. `soon` comes next, alone. A batch of `whenever` closes when it is full or its
/// oldest request has waited for the time-out. Among equals the oldest goes first. The one
/// exception keeps lists from starving: see owed().
class BatchQueue {
  public:
    using Id = std::uint64_t;
    using TimePoint = std::chrono::steady_clock::time_point;

    explicit BatchQueue(BatchRules rules = {}) : rules_(rules) {}

    void setFull(std::size_t requests) { rules_.full = requests; }

    void add(const BatchRequest& request, TimePoint now);
    /// Removes a request that waits. False: it is in flight, or not known.
    bool remove(Id id);

    /// The batch to begin now, which is in flight from then on; empty: none can begin yet.
    /// `least`: leaves less urgent requests where they are.
    std::vector<Id> next(TimePoint now, Urgency least = Urgency::whenever);
    /// When a batch that is not full closes; none: no request of a list waits.
    std::optional<TimePoint> closes() const;

    /// Requests in flight that have ended, whether computed, failed or cancelled.
    void finish(std::span<const Id> batch, TimePoint now);
    /// Requests in flight that were interrupted: they wait again, in their old places.
    void putBack(std::span<const Id> batch);

    /// Whether a list is owed the next batch: since its last one ended, requests that are `now`
    /// have used the network for longer than `patience` while it waited. A batch in flight that is
    /// owed must not be interrupted. At most one batch of a list is owed in each `patience`.
    bool owed() const { return urgentUse_ >= rules_.patience; }

    std::size_t waiting() const;
    std::size_t inFlight() const { return inFlight_.size(); }

  private:
    struct Entry {
        BatchRequest request;
        std::uint64_t order = 0;  ///< of arrival
        TimePoint arrived = {};
        TimePoint begun = {};
    };
    using Entries = std::deque<Entry>;  ///< in the order of arrival

    Entries& of(Urgency urgency) { return waiting_[static_cast<std::size_t>(urgency)]; }
    std::vector<Id> nextOfLists(TimePoint now);
    void take(Urgency urgency, std::size_t views, std::size_t most, TimePoint now,
              std::vector<Id>& batch);
    bool listsWait() const;

    BatchRules rules_;
    std::array<Entries, 3> waiting_;  ///< by urgency
    std::map<Id, Entry> inFlight_;
    std::uint64_t arrivals_ = 0;
    std::chrono::steady_clock::duration urgentUse_{0};  ///< see owed()
};

}  // namespace threefold
