#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "engine/error.h"

namespace threefold {

enum class Priority {
    interactive,  ///< a person waits for it
    background,
};

struct BatcherOptions {
    std::size_t batch = 8;  ///< requests in a full one
    /// How long a request may wait for others to join it, by its priority.
    std::chrono::nanoseconds interactivePatience{0};
    std::chrono::nanoseconds backgroundPatience = std::chrono::milliseconds(20);
};

/// Gathers requests into batches. A batch is due when it is full, or when one request has run out
/// of patience. Interactive requests go first, older before newer within a priority; background
/// ones fill what is left, and wait as long as interactive ones fill every batch.
///
/// Has no thread and no clock: the caller says what time it is, and that never goes back. Not
/// thread-safe.
template <class Request>
class Batcher {
  public:
    using Time = std::chrono::steady_clock::time_point;
    using Ticket = std::uint64_t;  ///< names a request, never twice the same

    /// Throws InputError for an empty batch or a negative patience.
    explicit Batcher(BatcherOptions options) : options_(options) {
        if (options.batch == 0 || options.interactivePatience.count() < 0 ||
            options.backgroundPatience.count() < 0) {
            throw InputError({"batches", "", "of no requests, or with a negative time-out", ""});
        }
    }

    Ticket add(Request request, Priority priority, Time now) {
        queueOf(priority).push_back({nextTicket_, now + patience(priority), std::move(request)});
        return nextTicket_++;
    }

    /// Takes a request back. False when it has already been handed out or taken back.
    bool cancel(Ticket ticket) {
        return std::any_of(queues_.begin(), queues_.end(), [&](Queue& queue) {
            return std::erase_if(queue,
                                 [&](const Entry& entry) { return entry.ticket == ticket; }) > 0;
        });
    }

    /// A batch that is due, else nothing; ask again until there is nothing.
    std::vector<Request> take(Time now) {
        const std::optional<Time> when = due();
        if (!when || (waiting() < options_.batch && *when > now)) return {};
        return takeAny();
    }

    /// The next batch whether it is due or not, for the end of the work; nothing when none waits.
    std::vector<Request> takeAny() {
        std::vector<Request> batch;
        batch.reserve(std::min(options_.batch, waiting()));
        for (Queue& queue : queues_) {
            while (!queue.empty() && batch.size() < options_.batch) {
                batch.push_back(std::move(queue.front().request));
                queue.pop_front();
            }
        }
        return batch;
    }

    /// When the first of those waiting runs out of patience: how long the caller may sleep, unless
    /// a batch is full before. Nothing when none waits.
    std::optional<Time> due() const {
        std::optional<Time> first;
        for (const Queue& queue : queues_) {
            if (queue.empty()) continue;
            first = first ? std::min(*first, queue.front().due) : queue.front().due;
        }
        return first;
    }

    std::size_t waiting() const {
        std::size_t sum = 0;
        for (const Queue& queue : queues_) sum += queue.size();
        return sum;
    }

  private:
    struct Entry {
        Ticket ticket;
        Time due;
        Request request;
    };
    using Queue = std::deque<Entry>;

    Queue& queueOf(Priority priority) { return queues_[static_cast<std::size_t>(priority)]; }

    std::chrono::nanoseconds patience(Priority priority) const {
        return priority == Priority::interactive ? options_.interactivePatience
                                                 : options_.backgroundPatience;
    }

    BatcherOptions options_;
    std::array<Queue, 2> queues_;  ///< by priority, oldest first
    Ticket nextTicket_ = 1;
};

}  // namespace threefold
