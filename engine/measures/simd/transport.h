#pragma once

#include <cstddef>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Points of a cloud, one array per coordinate, padded to a multiple of kTransportLanes.
inline constexpr std::size_t kTransportLanes = 16;
struct TransportCloud {
    const float* x;
    const float* y;
    const float* z;
    std::size_t paddedCount;
};

/// Passes of sinkhornDistance() over all pairs, for one instruction set; transport.inl is
/// compiled once per set. `point` is (x, y, z); other arrays of a cloud have its padded length.
/// Distances and powers are float32 with a relative error of 3e-7. Deterministic. Thread-safe.
struct TransportKernels {
    std::string_view name;

    /// Σ_j 2^(e_j − e), with e_j = inverseTemperature · (potential_j − |point − to_j|) and e =
    /// max_j e_j. `scratch` has the padded length.
    struct PowerSum {
        float maxExponent;  ///< e
        double sum;
    };
    PowerSum (*powerSum)(const TransportCloud& to, const float* point, const float* potential,
                         float inverseTemperature, float* scratch);

    /// min_j |point − to_j| − potential_j
    float (*minReducedCost)(const TransportCloud& to, const float* point, const float* potential);

    /// Σ_j K_j weight_j and Σ_j K_j weight_j |point − to_j|, with K_j = 2^(inverseTemperature ·
    /// (ownPotential + potential_j − |point − to_j|)). Each K_j must be at most 2^126.
    struct Transported {
        double mass;
        double cost;
    };
    Transported (*transported)(const TransportCloud& to, const float* point, float ownPotential,
                               const float* potential, const float* weight,
                               float inverseTemperature);

    /// out = 2^max(x, −126), x at most 126; `count` is a multiple of kTransportLanes.
    void (*powersOfTwo)(const float* x, std::size_t count, float* out);
};

/// Implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(TransportKernels, runnableTransportKernels)

}  // namespace threefold::simd
