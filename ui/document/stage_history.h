#pragma once

#include <optional>
#include <vector>

#include "engine/profile/rolling.h"
#include "engine/stage.h"

namespace threefold::ui {

/// The stage timings of the runs so far, the last of `kKept`.
class StageHistory {
  public:
    static constexpr std::size_t kKept = 256;

    /// `wall`: what the network took as a whole; 0: the sum of its stages.
    void add(const StageTimings& timings, double wall = 0);
    std::size_t runs() const { return runs_.size(); }
    /// A fit to photographs after the last run.
    void addFit(double milliseconds);

    /// Milliseconds of the last run; nothing where that run had no such stage.
    std::optional<double> last(Stage stage) const;
    /// Over all runs that had it.
    std::optional<double> median(Stage stage) const { return nearestRank(timesOf(stage), 0.5); }

    /// That which 95 % of these runs did not exceed.
    std::optional<double> p95(Stage stage) const { return nearestRank(timesOf(stage), 0.95); }

    /// Of the network, in the last run, and the median of all; nothing before the first run.
    std::optional<double> lastTotal() const;
    std::optional<double> medianTotal() const { return nearestRank(totals_, 0.5); }
    std::optional<double> p95Total() const { return nearestRank(totals_, 0.95); }
    const std::vector<double>& totals() const { return totals_; }  ///< oldest first

    /// Of the fits; nothing before the first.
    const std::vector<double>& fits() const { return fits_; }  ///< oldest first
    std::optional<double> lastFit() const;

  private:
    std::vector<double> timesOf(Stage stage) const;

    std::vector<StageTimings> runs_;
    std::vector<double> totals_;  // of each run
    std::vector<double> fits_;
};

}  // namespace threefold::ui
