#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/library/context.h"
#include "engine/model/template_mesh.h"

namespace threefold::cuda::library {

/// A sparse square matrix with signed indices, as cuSPARSE takes it.
struct BlockDiagonal {
    std::vector<std::int32_t> rowOffsets;
    std::vector<std::int32_t> columns;
    std::vector<float> values;
};

/// Block-diagonal matrix with `times` copies of the matrix, one per mesh of a batch. One product
/// serves all meshes with the same bits as separate products. Throws InputError beyond 2^31 values.
BlockDiagonal repeatedAlongDiagonal(const SparseMatrix& matrix, int times);

/// y += L · x for all meshes of a batch, in float32, by cuSPARSE's deterministic algorithm.
class Laplacian {
  public:
    /// x and y are `columns` wide slices of rows of `pitch` values. Copies L to the device. Throws
    /// DeviceError, OutOfDeviceMemory, DeviceLost.
    Laplacian(Context& context, const SparseMatrix& matrix, int batch, int columns, int pitch);

    /// Bytes of enqueue()'s workspace.
    std::size_t workspaceBytes() const;

    /// Only enqueues: may be captured. x and y: (batch · vertices, columns), 16-byte aligned.
    void enqueue(Context& context, Stream stream, const float* x, float* y,
                 std::byte* workspace) const;

  private:
    struct Plan;

    std::shared_ptr<Plan> plan_;
};

}  // namespace threefold::cuda::library
