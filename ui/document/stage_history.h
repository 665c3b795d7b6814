#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/profile/stopwatch.h"
#include "engine/stage.h"

namespace threefold::ui {

/// What two runs must have in common for their times to be compared.
struct RunKind {
    std::size_t views = 0;
    std::string backend;  ///< with its precision
    bool operator==(const RunKind&) const = default;
};

/// The stage timings of the runs so far, the last `kKept` of each of the last kinds. All numbers
/// are of the selected kind, by default that of the newest run.
class StageHistory {
  public:
    static constexpr std::size_t kKept = 256;

    /// `wall`: the network's whole time; 0: the sum of its stages. Selects that kind.
    void add(const StageTimings& timings, double wall = 0, const RunKind& kind = {});
    /// A fit to photographs after a run of the selected kind.
    void addFit(double milliseconds);
    /// Selects a kind, which may have no runs yet.
    void select(const RunKind& kind);
    const RunKind& kind() const { return group().kind; }
    std::size_t runs() const { return group().runs.size(); }

    /// Milliseconds of the last run; none if that run had no such stage.
    std::optional<double> last(Stage stage) const;
    /// Over all runs that had it.
    std::optional<double> median(Stage stage) const { return medianOf(timesOf(stage)); }

    /// The time that 95 % of these runs did not exceed.
    std::optional<double> p95(Stage stage) const { return nearestRank(timesOf(stage), 0.95); }

    /// The usual share of each of kAllStages in a run, 0…1: in the runs so far, or as expected.
    std::vector<double> shares() const;

    /// Of the network, in the last run, and the median of all; nothing before the first run.
    std::optional<double> lastTotal() const;
    std::optional<double> medianTotal() const { return medianOf(totals()); }
    std::optional<double> p95Total() const { return nearestRank(totals(), 0.95); }
    const std::vector<double>& totals() const { return group().totals; }  ///< oldest first

    /// Of the fits; nothing before the first.
    const std::vector<double>& fits() const { return group().fits; }  ///< oldest first
    std::optional<double> lastFit() const;

  private:
    struct Group {
        RunKind kind;
        std::vector<StageTimings> runs;
        std::vector<double> totals;  // of each run
        std::vector<double> fits;
    };
    static constexpr std::size_t kKinds = 16;

    const Group& group() const { return groups_.back(); }
    std::vector<double> timesOf(Stage stage) const;

    std::deque<Group> groups_{Group{}};  // the selected one last
};

}  // namespace threefold::ui
