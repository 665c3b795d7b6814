#pragma once

#include "cuda/kernels/element.h"

namespace threefold::cuda::simulation {

/// Who computes the graph and hypothesis blocks. Convolutions are the library's in all.
enum class Kernels {
    fused,    ///< cuda/kernels
    library,  ///< cuda/library: activations are rounded between the layers
    /// As fused, but for coordinates, activations and Laplacian sums of the graph blocks that are
    /// rounded once, and for their last layer's sums in float32. No device computes so any more.
    fusedRoundingOnce,
};

/// Products may add up from the last value to the first: what another order of sums can change.
enum class SumOrder { forward, backward };

/// How each part of the network is computed, in the order of the parts.
struct Arithmetic {
    Precision cnn1 = Precision::float32;
    Precision graph = Precision::float32;
    Precision cnn2 = Precision::float32;
    Precision hypotheses = Precision::float32;
    Kernels kernels = Kernels::fused;
    SumOrder order = SumOrder::forward;

    /// All parts as a device does it.
    static Arithmetic of(Precision precision, Kernels kernels = Kernels::fused) {
        const Precision wide = widePrecision(precision);
        return {wide, wide, wide, precision, kernels};
    }
};

}  // namespace threefold::cuda::simulation
