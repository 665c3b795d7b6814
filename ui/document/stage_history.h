#pragma once

#include <span>
#include <string>

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
/// are milliseconds of the selected kind, by default that of the newest run.
class StageHistory {
  public:
    static constexpr std::size_t kKept = 256;

    /// `wall`: the network's whole time; 0: the sum of its stages. Selects that kind.
    void add(const StageTimings& timings, double wall = 0, const RunKind& kind = {});
    /// A fit to photographs after a run of the selected kind.
    void addFit(double milliseconds) { groups_.back().fits.add(milliseconds); }
    /// Selects a kind, which may have no runs yet.
    void select(const RunKind& kind);
    const RunKind& kind() const { return groups_.back().kind; }
    std::size_t runs() const { return totals().size(); }

    /// Of the last run; none if that run had no such stage.
    std::optional<double> last(Stage stage) const;
    /// Of all runs that had it.
    const Rolling& times(Stage stage) const {
        return groups_.back().stages[static_cast<std::size_t>(stage)];
    }
    /// Of the network as a whole.
    const Rolling& totals() const { return groups_.back().totals; }
    const Rolling& fits() const { return groups_.back().fits; }

    /// The stages of the newest run's model, of the published one before any run.
    std::span<const Stage> stages() const { return stagesOf(groups_.back().newest); }

    /// The usual share of each of stages() in a run's progress, 0…1: in the runs so far, or as
    /// expected. A projection, which has no progress, has none: the stages it runs in have its
    /// time.
    std::vector<double> shares() const;

  private:
    struct Group {
        RunKind kind;
        StageTimings newest = {};
        std::vector<Rolling> stages = std::vector(std::size(kAllStages), Rolling(kKept));
        Rolling totals = Rolling(kKept), fits = Rolling(kKept);
    };
    static constexpr std::size_t kKinds = 16;

    std::deque<Group> groups_{Group{}};  // the selected one last
};

}  // namespace threefold::ui
