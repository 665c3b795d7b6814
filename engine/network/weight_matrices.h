#pragma once

#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/network/simd/kernels.h"

namespace threefold {

/// The named tensor as float32. Throws ModelError if the model lacks the tensor, or if it does not
/// have `count` values.
std::vector<float> weightValues(const Model& model, const std::string& name, std::size_t count);

/// Concatenates a graph convolution's two weight matrices side by side, (paddedInner, 2 · outer)
/// row-major, so that one product computes x W0 in the left half and x W1 in the right (METHOD.md
/// §6). Reads `prefix` + ".weights.0" and ".weights.1"; rows beyond `inner` are zero.
std::vector<float> supportsSideBySide(const Model& model, const std::string& prefix,
                                      std::size_t inner, std::size_t outer,
                                      std::size_t paddedInner);

/// Stacks a graph convolution's two weight matrices, (2 · inner, outer), for inputs [x | L x].
std::vector<float> stackedSupports(const Model& model, const std::string& prefix, std::size_t inner,
                                   std::size_t outer);

/// The matrix's arrays, as the kernels take them; the matrix must outlive the result.
inline simd::SparseRows rowsOf(const SparseMatrix& matrix) {
    return {matrix.rowOffsets.data(), matrix.columns.data(), matrix.values.data()};
}

/// Rounds `width` up to a multiple that suits vectors and oneDNN's blocks.
constexpr std::size_t paddedWidth(std::size_t width, std::size_t multiple = 16) {
    return (width + multiple - 1) / multiple * multiple;
}

}  // namespace threefold
