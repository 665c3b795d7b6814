#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <utility>

namespace threefold {

/// Amount, such as bytes, that concurrent work shares: work begins once its amount, together with
/// the amounts of all work in progress, is within a limit. Work that exceeds the limit runs alone.
/// Thread-safe.
class SharedBudget {
  public:
    explicit SharedBudget(std::uint64_t limit) : limit_(limit) {}

    /// Holds an amount of the budget until destroyed. The budget must outlive its parts.
    class Part {
      public:
        Part(Part&& other) noexcept
            : budget_(std::exchange(other.budget_, nullptr)), amount_(other.amount_) {}
        Part& operator=(Part&&) = delete;
        ~Part() {
            if (budget_ != nullptr) budget_->giveBack(amount_);
        }
        /// False if the wait was cancelled: the work must not begin.
        explicit operator bool() const { return budget_ != nullptr; }

      private:
        friend SharedBudget;
        Part(SharedBudget* budget, std::uint64_t amount) : budget_(budget), amount_(amount) {}

        SharedBudget* budget_;
        std::uint64_t amount_;
    };

    /// Waits until `amount` fits, or nothing else is held, or `cancel` is requested.
    [[nodiscard]] Part take(std::uint64_t amount, const std::stop_token& cancel = {}) {
        std::unique_lock lock(mutex_);
        const bool fits = changed_.wait(lock, cancel, [&] {
            return parts_ == 0 || (held_ <= limit_ && amount <= limit_ - held_);
        });
        if (!fits) return {nullptr, 0};
        ++parts_;
        held_ += amount;
        return {this, amount};
    }

  private:
    void giveBack(std::uint64_t amount) {
        const std::scoped_lock lock(mutex_);
        --parts_;
        held_ -= amount;
        changed_.notify_all();
    }

    const std::uint64_t limit_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::size_t parts_ = 0;
    std::uint64_t held_ = 0;
};

}  // namespace threefold
