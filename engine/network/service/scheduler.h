#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace threefold {

/// Urgency of a request to the network, most urgent first.
enum class Urgency {
    now,   ///< a user has clicked and waits
    soon,  ///< a user already sees a first result
    list,  ///< samples of a list's run
};

/// Decides which request a shared network computes next. Has no clock: callers pass in times, which
/// must never decrease. One thread at a time.
///
/// `now` requests come first, then `soon`, then `list`; among equals the oldest. A `now` request
/// interrupts less urgent requests in flight. One exception keeps lists from starving: see
/// isListStarved().
class Scheduler {
  public:
    using Id = std::uint64_t;
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;
    using Duration = Clock::duration;

    /// Maximum time that `now` requests may use the network while lists wait.
    static constexpr Duration kDefaultMaxListWait = std::chrono::seconds(2);

    explicit Scheduler(Duration maxListWait = kDefaultMaxListWait) : maxListWait_(maxListWait) {}

    Id add(Urgency urgency);  ///< ids rise from 1
    /// Removes a waiting request. False: the request is in flight or unknown.
    bool remove(Id id);

    /// The next request; nullopt if none waits.
    std::optional<Id> next() const;
    /// Marks a waiting request as in flight.
    void begin(Id id, TimePoint now);
    /// Ends a request in flight: computed, failed or cancelled.
    void finish(Id id, TimePoint now);
    /// Returns a request in flight to its old queue position, after an interruption or the loss of
    /// its device.
    void putBack(Id id);

    /// Requests in flight that a `now` request interrupts.
    std::vector<Id> interruptible() const;

    /// Whether a list goes next although `now` requests wait: `now` requests have used the network
    /// for `maxListWait` or longer since a list last ran. One request of a list then goes first.
    bool isListStarved() const { return nowDuration_ >= maxListWait_; }

    std::size_t waiting() const { return waiting_.size(); }
    std::size_t inFlight() const { return inFlight_.size(); }

  private:
    struct Entry {
        Urgency urgency = Urgency::list;
        TimePoint startedAt = {};
    };
    using Entries = std::map<Id, Entry>;  ///< in the order of arrival

    static std::optional<Id> oldest(const Entries& entries, Urgency urgency);
    bool hasLists() const;

    Duration maxListWait_;
    Id lastId_ = 0;
    Entries waiting_;
    Entries inFlight_;
    Duration nowDuration_{0};  ///< time that `now` requests have used, see isListStarved()
};

}  // namespace threefold
