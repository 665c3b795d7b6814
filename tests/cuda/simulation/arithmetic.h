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

/// What NVIDIA's libraries make of float32 operands of products in tfloat32: nothing says whether
/// they round.
enum class LibraryOperands { rounded, cut };

/// How each part of the network is computed, in the order of the parts.
struct Arithmetic {
    Precision cnn1 = Precision::float32;
    Precision graph = Precision::float32;
    Precision cnn2 = Precision::float32;
    Precision hypotheses = Precision::float32;
    Kernels kernels = Kernels::fused;
    SumOrder order = SumOrder::forward;
    LibraryOperands operands = LibraryOperands::rounded;

    /// All parts as a device does it.
    static Arithmetic of(Precision precision, Kernels kernels = Kernels::fused) {
        const Precision wide = precisionOutsideHypothesisBlocks(precision);
        return {wide, wide, wide, precision, kernels};
    }

    /// As of(), and what a device may do in this way or that is as bad as it can be: float32's sums
    /// go backward, NVIDIA's libraries cut off operands.
    static Arithmetic worst(Precision precision, Kernels kernels) {
        Arithmetic arithmetic = of(precision, kernels);
        if (precision == Precision::float32) arithmetic.order = SumOrder::backward;
        arithmetic.operands = LibraryOperands::cut;
        return arithmetic;
    }
};

}  // namespace threefold::cuda::simulation
