#pragma once

#include <optional>
#include <vector>

#include "engine/profile/stage.h"

namespace threefold::ui {

/// The stage timings of the runs so far, the last of `kKept`.
class StageHistory {
  public:
    static constexpr std::size_t kKept = 256;

    void add(const StageTimings& timings);
    std::size_t runs() const { return runs_.size(); }

    /// Milliseconds of the last run; nothing where that run had no such stage.
    std::optional<double> last(Stage stage) const;
    /// Over all runs that had it.
    std::optional<double> median(Stage stage) const;

    /// networkMilliseconds of the last run, and the median of all; nothing before the first run.
    std::optional<double> lastTotal() const;
    std::optional<double> medianTotal() const;

  private:
    std::vector<StageTimings> runs_;
};

}  // namespace threefold::ui
