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
/// files. Several threads may have claims at once; add() and expect() must precede the first one.
class NameClaims {
  public:
    /// Registers a finished sample, by its position in the list.
    void add(const std::string& name, std::size_t position) { names_.emplace(name, position); }

    /// Registers a sample that will make a claim.
    void expect(std::size_t position) { waiting_.insert(position); }

  private:
    friend class NameClaim;

    std::mutex mutex_;
    std::condition_variable passed_;
    std::set<std::size_t> waiting_;  ///< positions of samples whose claim has not ended
    std::map<std::string, std::size_t> names_;
};

/// One sample's claim of its name. Claims follow the order of the list, whichever loader is faster:
/// of two samples with one name the later one always fails. The destructor ends the claim.
class NameClaim {
  public:
    NameClaim(NameClaims& claims, std::size_t position) : claims_(claims), position_(position) {}
    ~NameClaim();
    NameClaim(const NameClaim&) = delete;
    NameClaim& operator=(const NameClaim&) = delete;

    /// Waits for the claims of earlier samples. Returns the position of another sample with this
    /// name; nullopt if none.
    std::optional<std::size_t> take(const std::string& name);

  private:
    NameClaims& claims_;
    const std::size_t position_;
};

}  // namespace threefold
