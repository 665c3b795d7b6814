#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "ui/document/mesh_morph.h"
#include "ui/document/quantities.h"

namespace threefold::ui {

/// The values of a result computed so far, kept with it. Thread-safe.
class QuantityCache {
  public:
    /// The kept values, or else those of `compute`. `stage` kMorphStages: the truth.
    template <class Compute>
    SurfaceValues find(std::size_t stage, Quantity quantity, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        const auto key = std::pair(stage, quantity);
        auto at = known_.find(key);
        if (at == known_.end()) at = known_.emplace(key, compute()).first;
        return at->second;
    }

    /// Between two stages only the last place is kept: an animation passes through many. The
    /// same place gives the same objects again.
    template <class Compute>
    SurfaceValues findBetween(MorphPlace place, Quantity quantity, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        if (valuesPlace_ != place || valuesQuantity_ != quantity) {
            values_ = compute();
            valuesPlace_ = place;
            valuesQuantity_ = quantity;
        }
        return values_;
    }
    /// Of the fitted mesh so far. The last two are kept: the one that is shown, and the next.
    /// Computed outside the lock.
    template <class Compute>
    SurfaceValues findOfFit(const render::SceneMeshRef& soFar, Quantity quantity,
                            const Compute& compute) {
        {
            const std::lock_guard lock(mutex_);
            for (const OfFit& kept : ofFit_)
                if (kept.mesh == soFar && kept.quantity == quantity) return kept.values;
        }
        SurfaceValues values = compute();
        const std::lock_guard lock(mutex_);
        ofFit_[1] = std::exchange(ofFit_[0], {soFar, quantity, values});
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
    std::optional<MorphPlace> valuesPlace_;
    Quantity valuesQuantity_ = Quantity::none;
    SurfaceValues values_;
    struct OfFit {
        render::SceneMeshRef mesh;
        Quantity quantity = Quantity::none;
        SurfaceValues values;
    };
    std::array<OfFit, 2> ofFit_;
    std::optional<MorphPlace> meshPlace_;
    render::SceneMeshRef mesh_;
    std::map<std::pair<std::size_t, Quantity>, SurfaceValues> known_;
};

}  // namespace threefold::ui
