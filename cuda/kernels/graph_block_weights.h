#pragma once

#include <cstddef>
#include <vector>

#include "engine/model/model.h"

namespace threefold::cuda {

/// Input of packGraphBlock(), of any input width and number of layers, from a model or made by a
/// test. Matrices are row-major.
struct GraphBlockWeights {
    /// (inputWidth, 384): [W0 | W1], of which the first three rows are those of the coordinates.
    std::vector<float> first;
    std::vector<std::vector<float>> hidden;  ///< (384, 192) each: [W0; W1]
    std::vector<std::vector<float>> bias;    ///< (192) each, of the first layer and the hidden ones
    std::vector<float> last;                 ///< (2, 192, 3): of both supports
    std::vector<float> lastBias;             ///< (3)
    SparseMatrix laplacian;
};

/// Throws ModelError.
GraphBlockWeights graphBlockWeights(const Model& model, std::size_t level);

/// `inputPitch` is a multiple of 64, at least the input width and kFurtherColumns.
std::vector<std::byte> packGraphBlock(const GraphBlockWeights& weights, int inputPitch,
                                      Precision precision);

}  // namespace threefold::cuda
