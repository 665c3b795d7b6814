#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "engine/network/backend.h"

namespace threefold {

/// A kind of backend, by its name in `--backend`, journals and benchmarks.
struct BackendKind {
    std::string_view name;
    bool usesGpu;
    std::span<const Precision> precisions;  ///< a particular device may lack some

    bool has(Precision precision) const {
        return std::ranges::find(precisions, precision) != precisions.end();
    }
};

inline constexpr Precision kProcessorPrecisions[] = {Precision::float32, Precision::bfloat16,
                                                     Precision::int8};
inline constexpr BackendKind kProcessorKind{"cpu", false, kProcessorPrecisions};
inline constexpr BackendKind kCudaKind{"cuda", true, kAllPrecisions};
/// All of them, the processor's first.
inline constexpr const BackendKind* kBackendKinds[] = {&kProcessorKind, &kCudaKind};

}  // namespace threefold
