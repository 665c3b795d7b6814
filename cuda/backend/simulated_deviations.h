#pragma once

#include <algorithm>
#include <iterator>

#include "cuda/backend/allowed_deviation.h"
#include "cuda/backend/kernel_source.h"
#include "cuda/kernels/element.h"
#include "engine/model/model.h"
#include "engine/network/precision.h"

/// Deviations that a device's rounding causes in the full-size network, as simulated by
/// tests/cuda/simulation: the largest over the bundled plane, chair and car. A test fails where the
/// simulation exceeds these deviations by more than a margin.
namespace threefold::cuda {

/// Simulated deviation of one configuration.
struct SimulatedDeviation {
    Precision precision;
    KernelSource kernels;
    SamplerKind sampler;
    Deviation deviation;
};

inline constexpr SimulatedDeviation kSimulatedDeviations[] = {
#include "cuda/backend/simulated_deviations.inl"
};

/// Table row of a configuration; null if there is none. The libraries compute 8 bit as float16.
constexpr const SimulatedDeviation* findSimulatedDeviation(Precision precision,
                                                           KernelSource kernels,
                                                           SamplerKind sampler) {
    if (kernels == KernelSource::library) precision = precisionOutsideHypothesisBlocks(precision);
    const auto* row = std::find_if(std::begin(kSimulatedDeviations), std::end(kSimulatedDeviations),
                                   [&](const auto& entry) {
                                       return entry.precision == precision &&
                                              entry.kernels == kernels && entry.sampler == sampler;
                                   });
    return row == std::end(kSimulatedDeviations) ? nullptr : row;
}

constexpr bool everyConfigurationHasARow() {
    for (const Precision precision : kAllPrecisions)
        for (const KernelSource kernels : {KernelSource::fused, KernelSource::library})
            for (const SamplerKind sampler :
                 {SamplerKind::bilinearPerView, SamplerKind::nearestInFirstView})
                if (!findSimulatedDeviation(precision, kernels, sampler)) return false;
    return true;
}
static_assert(everyConfigurationHasARow());

constexpr Deviation simulatedDeviation(Precision precision, KernelSource kernels,
                                       SamplerKind sampler) {
    return findSimulatedDeviation(precision, kernels, sampler)->deviation;
}

}  // namespace threefold::cuda
