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

/// The values of a result computed so far, kept with it. Thread-safe.
class QuantityCache {
  public:
    /// Beside the numbers of stages.
    static constexpr std::size_t kTruth = std::numeric_limits<std::size_t>::max(),
                                 kHull = kTruth - 1;

    /// The kept values, or else those of `compute`.
    template <class Compute>
    SurfaceValues find(std::size_t stage, Quantity quantity, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        const auto key = std::pair(stage, quantity);
        auto at = known_.find(key);
        if (at == known_.end()) at = known_.emplace(key, compute()).first;
        return at->second;
    }

    /// Of a mesh between two stages, or of the fitted mesh so far. The last three are kept: an
    /// animation passes through many; a fit needs the shown mesh and the next. Computed outside the
    /// lock.
    template <class Compute>
    SurfaceValues findOn(const render::SceneMeshRef& mesh, Quantity quantity,
                         const Compute& compute) {
        {
            const std::lock_guard lock(mutex_);
            for (const OnMesh& kept : recent_)
                if (kept.mesh == mesh && kept.quantity == quantity) return kept.values;
        }
        SurfaceValues values = compute();
        const std::lock_guard lock(mutex_);
        std::shift_right(recent_.begin(), recent_.end(), 1);
        recent_.front() = {mesh, quantity, values};
        return values;
    }
    template <class Compute>
    render::SceneMeshRef meshBetween(MorphPlace place, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        if (meshPlace_ != place) {
            mesh_ = compute();
            meshPlace_ = place;
        }
        return mesh_;
    }

  private:
    std::mutex mutex_;
    struct OnMesh {
        render::SceneMeshRef mesh;
        Quantity quantity = Quantity::none;
        SurfaceValues values;
    };
    std::array<OnMesh, 3> recent_;
    std::optional<MorphPlace> meshPlace_;
    render::SceneMeshRef mesh_;
    std::map<std::pair<std::size_t, Quantity>, SurfaceValues> known_;
};

}  // namespace threefold::ui
