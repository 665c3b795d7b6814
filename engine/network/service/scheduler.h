#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace threefold {

/// Who waits for a request of the network, the most urgent first.
enum class Urgency {
    now,   ///< a person who clicked
    soon,  ///< a person who already sees a first result
    list,  ///< a list of samples
};

/// Decides which request a network that several users share computes next. Computes nothing and has
/// no clock: times are passed in and never go back. For one thread at a time.
///
/// A `now` request comes next, then `soon`, then `list`; among equals the oldest. A `now` request
/// interrupts what is in flight of the others. The one exception keeps lists from starving: see
/// owed().
class Scheduler {
  public:
    using Id = std::uint64_t;
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;
    using Duration = Clock::duration;

    /// How long `now` requests may use the network while lists wait.
    static constexpr Duration kPatience = std::chrono::seconds(2);

    explicit Scheduler(Duration patience = kPatience) : patience_(patience) {}

    Id add(Urgency urgency);  ///< ids rise from 1
    /// Removes a request that waits. False: it is in flight, or not known.
    bool remove(Id id);

    /// Whose turn it is; none: nothing waits.
    std::optional<Id> next() const;
    /// The request, which waits, is in flight from now on.
    void begin(Id id, TimePoint now);
    /// A request in flight has ended, whether computed, failed or cancelled.
    void finish(Id id, TimePoint now);
    /// A request in flight was interrupted or lost its device: it waits again, in its old place.
    void putBack(Id id);

    /// Requests in flight that a `now` request interrupts.
    std::vector<Id> interruptible() const;

    /// Whether a list is owed the next turn: since its last one ended, `now` requests have used the
    /// network for longer than the patience while it waited. At most one turn of a list is owed in
    /// each such time.
    bool owed() const { return urgentUse_ >= patience_; }

    std::size_t waiting() const { return waiting_.size(); }
    std::size_t inFlight() const { return inFlight_.size(); }

  private:
    struct Entry {
        Urgency urgency = Urgency::list;
        TimePoint begun = {};
    };
    using Entries = std::map<Id, Entry>;  ///< in the order of arrival

    static std::optional<Id> oldest(const Entries& entries, Urgency urgency);
    bool listsWait() const;

    Duration patience_;
    Id last_ = 0;
    Entries waiting_;
    Entries inFlight_;
    Duration urgentUse_{0};  ///< see owed()
};

}  // namespace threefold
