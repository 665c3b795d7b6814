#pragma once

#include <filesystem>
#include <optional>

#include "cuda/runtime/plan.h"
#include "engine/progress.h"

namespace threefold::cuda {

/// $XDG_CACHE_HOME/threefold, else $HOME/.cache/threefold; empty where neither is an absolute path.
std::filesystem::path defaultPlanFolder();

/// Plans on disk, one file for a key. A cache: nothing that goes wrong here is an error, it is
/// logged and the plan is made again. Any number of processes may share the folder.
class PlanStore {
  public:
    /// An empty folder keeps nothing. `log` may be empty.
    explicit PlanStore(std::filesystem::path folder, LogFunction log = {});

    /// The plan of this key; nothing where there is none, or it is stale, damaged or unreadable
    /// (the reason is logged: a missing one as debug, the rest as a warning).
    std::optional<Plan> load(const PlanKey& key) const;

    /// Writes whole or not at all, makes the folder if need be. False, with a warning, where that
    /// is not possible. Throws InputError for a plan that encodePlan() refuses.
    bool save(const PlanKey& key, const Plan& plan) const;

    /// "plan-<16 hexadecimal digits of the key's hash>.json" in the folder.
    std::filesystem::path fileOf(const PlanKey& key) const;

  private:
    void log(LogLevel level, const std::string& line) const;

    std::filesystem::path folder_;
    LogFunction log_;
};

}  // namespace threefold::cuda
