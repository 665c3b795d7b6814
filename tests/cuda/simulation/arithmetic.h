#pragma once

#include "cuda/kernels/element.h"

namespace threefold::cuda::simulation {

/// Kernels of the graph and hypothesis blocks. Convolutions are always cuDNN's.
enum class Kernels {
    fused,    ///< cuda/kernels
    library,  ///< cuda/library: activations are rounded between the layers
    /// Like fused, but the graph blocks round coordinates, activations and Laplacian sums once
    /// instead of splitting them into parts, and sum their last layer in float32. No device
    /// computes this way any more.
    fusedRoundingOnce,
};

/// Order of the sums in products; backward shows how much results depend on the order.
enum class SumOrder { forward, backward };

/// How NVIDIA's libraries convert float32 operands of tfloat32 products: by rounding or by
/// truncation. NVIDIA does not document which.
enum class LibraryOperands { rounded, truncated };

/// Precision of each part of the network, in the order of the parts.
struct Arithmetic {
    Precision cnn1 = Precision::float32;
    Precision graph = Precision::float32;
    Precision cnn2 = Precision::float32;
    Precision hypotheses = Precision::float32;
    Kernels kernels = Kernels::fused;
    SumOrder order = SumOrder::forward;
    LibraryOperands operands = LibraryOperands::rounded;

    /// Arithmetic of a device with `precision`. Parts outside the hypothesis blocks have the
    /// precision that precisionOutsideHypothesisBlocks() returns.
    static Arithmetic of(Precision precision, Kernels kernels = Kernels::fused) {
        const Precision wide = precisionOutsideHypothesisBlocks(precision);
        return {wide, wide, wide, precision, kernels};
    }

    /// Like of(), with the worst of the behaviours that a device may have: sums go backward if
    /// `precision` is float32, and NVIDIA's libraries truncate operands.
    static Arithmetic worst(Precision precision, Kernels kernels) {
        Arithmetic arithmetic = of(precision, kernels);
        if (precision == Precision::float32) arithmetic.order = SumOrder::backward;
        arithmetic.operands = LibraryOperands::truncated;
        return arithmetic;
    }
};

}  // namespace threefold::cuda::simulation
