#pragma once

#include "engine/model/template_mesh.h"
#include "engine/network/simd/kernels.h"

namespace threefold {

/// A view of the matrix as the kernels take it; the matrix must outlive it.
inline simd::SparseRows rowsOf(const SparseMatrix& matrix) {
    return {matrix.rowStart.data(), matrix.column.data(), matrix.value.data()};
}

}  // namespace threefold
