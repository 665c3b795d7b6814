#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace threefold {

/// Names of a list's samples, each claimed by one sample only, as no two samples may write the same
/// files. Turns may run on several threads at once; add() and expect() must precede the first turn.
class NameClaims {
  public:
    /// Registers a finished sample, by its position in the list.
    void add(const std::string& name, std::size_t position) { names_.emplace(name, position); }

    /// Registers a sample that will take a turn.
    void expect(std::size_t position) { waiting_.insert(position); }

    /// One sample's turn to claim its name. Turns follow the order of the list, whichever loader is
    /// faster: of two samples with one name the later one always fails. The destructor ends the
    /// turn.
    class Turn {
      public:
        Turn(NameClaims& claims, std::size_t position) : claims_(claims), position_(position) {}
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        /// Waits for the turn. Returns the position of another sample with this name; nullopt if
        /// none.
        std::optional<std::size_t> claim(const std::string& name);

      private:
        NameClaims& claims_;
        const std::size_t position_;
    };

  private:
    std::mutex mutex_;
    std::condition_variable passed_;
    std::set<std::size_t> waiting_;  ///< positions of samples before the end of their turn
    std::map<std::string, std::size_t> names_;
};

}  // namespace threefold
