#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/run_step.h"
#include "engine/profile/rolling_window.h"

namespace threefold::ui {

/// Key of runs whose times are comparable.
struct RunConditions {
    std::size_t views = 0;
    std::string backend;  ///< with its precision
    bool operator==(const RunConditions&) const = default;
};

/// Step timings of the last kMaxRuns runs under each of the last kMaxConditions conditions. All
/// times are in milliseconds, of the runs under the selected conditions: add() selects those of the
/// newest run, select() any others.
class StepHistory {
  public:
    static constexpr std::size_t kMaxRuns = 256;

    /// Adds a run under `conditions`, which become the selected ones. `elapsedMilliseconds`: wall
    /// time of the network; 0: the sum of its run steps.
    void add(const StepTimings& timings, double elapsedMilliseconds = 0,
             const RunConditions& conditions = {});
    /// Adds the time of a fit to photographs after a run under the selected conditions.
    void addFit(double milliseconds) { groups_.back().fits.add(milliseconds); }
    /// Selects conditions, which may have no runs yet.
    void select(const RunConditions& conditions);
    const RunConditions& conditions() const { return groups_.back().conditions; }
    std::size_t runs() const { return totals().size(); }

    /// Time of a step in the last run; none if the run had no such step.
    std::optional<double> last(RunStep step) const;
    /// Times of a step in all runs that had it.
    const RollingWindow& times(RunStep step) const {
        return groups_.back().steps[static_cast<std::size_t>(step)];
    }
    /// Times of the whole network.
    const RollingWindow& totals() const { return groups_.back().totals; }
    /// Times of the fits.
    const RollingWindow& fits() const { return groups_.back().fits; }

    /// Steps of the newest run's model; before any run those of the published model.
    std::span<const RunStep> steps() const { return runStepsOf(groups_.back().newest); }

    /// Fraction of a run's time for each of steps(), 0…1, from the medians of the runs so far, or
    /// as expected before any run. Projections report no progress: their time goes to the steps
    /// that they run in, and their own fraction is 0.
    std::vector<double> stepFractions() const;

  private:
    struct Group {
        RunConditions conditions;
        StepTimings newest = {};
        std::vector<RollingWindow> steps =
            std::vector(std::size(kAllRunSteps), RollingWindow(kMaxRuns));
        RollingWindow totals = RollingWindow(kMaxRuns), fits = RollingWindow(kMaxRuns);
    };
    static constexpr std::size_t kMaxConditions = 16;

    std::deque<Group> groups_{Group{}};  // the selected group last
};

}  // namespace threefold::ui
