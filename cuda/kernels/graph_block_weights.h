#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/model/model.h"

namespace threefold::cuda {

/// Rows of a patch: those of the largest tile of a hidden layer.
inline constexpr std::size_t kPatchRows = 64;

/// A permutation of a level's vertices in which each kPatchRows in turn are neighbours of each
/// other, as far as that goes: the vertex at each place. A tile's rows then read few different rows
/// of the layer before, which fit into the first-level cache: on the published template's last
/// level 98 for 64 rows, where the template's own order has 248.
std::vector<std::uint32_t> patchOrder(const SparseMatrix& laplacian);

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
