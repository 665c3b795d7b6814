#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include "ui/results/mesh_morph.h"
#include "ui/results/mesh_values.h"

namespace threefold::ui {

/// Cache of a result's surface values and morphed mesh. Thread-safe.
class QuantityCache {
  public:
    /// Keys of getOrCompute() beside the indices of stages.
    static constexpr std::size_t kTruth = std::numeric_limits<std::size_t>::max(),
                                 kHull = kTruth - 1;

    /// The cached values, or else the values of `compute`, which are then cached. `compute` runs
    /// under the lock, so it must not call back into the cache.
    template <class Compute>
    SurfaceValues getOrCompute(std::size_t stage, Quantity quantity, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        const auto key = std::pair(stage, quantity);
        auto found = values_.find(key);
        if (found == values_.end()) found = values_.emplace(key, compute()).first;
        return found->second;
    }

    /// The cached values of a mesh between two stages or of a converging mesh, or else the values
    /// of `compute`, which are then cached. Only the last three computed values are kept: an
    /// animation passes through many meshes, and a fit needs values of the shown mesh and of the
    /// next. `compute` runs outside the lock.
    template <class Compute>
    SurfaceValues getOrCompute(const render::SceneMeshRef& mesh, Quantity quantity,
                               const Compute& compute) {
        {
            const std::lock_guard lock(mutex_);
            for (const RecentValues& entry : recent_)
                if (entry.mesh == mesh && entry.quantity == quantity) return entry.values;
        }
        SurfaceValues values = compute();
        const std::lock_guard lock(mutex_);
        std::shift_right(recent_.begin(), recent_.end(), 1);
        recent_.front() = {mesh, quantity, values};
        return values;
    }
    /// The cached mesh if it was computed for `blend`, else the mesh of `compute`, which is then
    /// cached. `compute` runs under the lock.
    template <class Compute>
    render::SceneMeshRef meshBetween(StageBlend blend, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        if (meshBlend_ != blend) {
            mesh_ = compute();
            meshBlend_ = blend;
        }
        return mesh_;
    }

  private:
    std::mutex mutex_;
    struct RecentValues {
        render::SceneMeshRef mesh;
        Quantity quantity = Quantity::none;
        SurfaceValues values;
    };
    std::array<RecentValues, 3> recent_;
    std::optional<StageBlend> meshBlend_;
    render::SceneMeshRef mesh_;
    std::map<std::pair<std::size_t, Quantity>, SurfaceValues> values_;
};

}  // namespace threefold::ui
