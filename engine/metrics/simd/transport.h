#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace threefold::simd {

/// Points of a cloud, coordinates apart, filled up to a multiple of kTransportLanes.
inline constexpr std::size_t kTransportLanes = 16;
struct TransportCloud {
    const float* x;
    const float* y;
    const float* z;
    std::size_t padded;
};

/// The passes of approximateMatching() over all pairs, once for each instruction set. One source
/// (transport.inl) is compiled for each. `point` is (x, y, z); all of a cloud's other arrays have
/// its padded length. Distances and powers are float32, good to 3e-7 of themselves; what is summed
/// up is at every call the same. Thread-safe.
struct TransportKernels {
    std::string_view name;

    /// Σ_j 2^(e_j − e), where e_j = inverse · (price_j − |point − to_j|) and e is the largest of
    /// them. `row` is room for a padded length.
    struct PowerSum {
        float largest;  ///< e
        double sum;
    };
    PowerSum (*powerSum)(const TransportCloud& to, const float* point, const float* price,
                         float inverse, float* row);

    /// min_j |point − to_j| − price_j
    float (*least)(const TransportCloud& to, const float* point, const float* price);

    /// With K_j = 2^(inverse · (own + price_j − |point − to_j|)), at most 2^126: Σ_j K_j weight_j,
    /// and Σ_j K_j weight_j |point − to_j|.
    struct Moved {
        double mass;
        double cost;
    };
    Moved (*moved)(const TransportCloud& to, const float* point, float own, const float* price,
                   const float* weight, float inverse);

    /// out = 2^x for x up to 126, 2^-126 and below it; `count` a multiple of kTransportLanes.
    void (*powers)(const float* x, std::size_t count, float* out);
};

/// Those that this processor can run, the fastest first; the last one is "portable".
std::span<const TransportKernels* const> availableTransports();

}  // namespace threefold::simd
