#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/library/context.h"
#include "engine/model/template_mesh.h"

namespace threefold::cuda::library {

/// A sparse matrix as cuSPARSE takes it, once for each mesh of a batch along the diagonal: one
/// product then serves all meshes.
struct SparseBlocks {
    std::vector<std::int32_t> rowStart;
    std::vector<std::int32_t> column;
    std::vector<float> value;
};
SparseBlocks repeatedAlongDiagonal(const SparseMatrix& matrix, int times);

/// y += L · x for all meshes of a batch, float32, by cuSPARSE's deterministic algorithm.
class Laplacian {
  public:
    /// x and y are `columns` wide, parts of rows of `pitch` values. Copies L to the device.
    /// Throws DeviceError, OutOfDeviceMemory.
    Laplacian(Context& context, const SparseMatrix& matrix, int batch, int columns, int pitch);
    Laplacian(Laplacian&&) noexcept;
    Laplacian& operator=(Laplacian&&) noexcept;
    ~Laplacian();

    /// Device memory that it holds for itself.
    std::size_t ownedBytes() const;

    /// Only enqueues: may be captured. (batch · vertices, columns) each.
    void enqueue(Stream stream, const float* x, float* y) const;

  private:
    struct Ready;

    Context* context_;
    std::unique_ptr<Ready> ready_;
};

}  // namespace threefold::cuda::library
