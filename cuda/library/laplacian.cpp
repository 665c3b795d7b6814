#include "cuda/library/laplacian.h"

#include <limits>

#include <cuda_runtime_api.h>

#include "cuda/library/layout.h"
#include "cuda/runtime/check.h"
#include "engine/error.h"

namespace threefold::cuda::library {
namespace {

// The only CSR algorithm whose sums have a fixed order.
constexpr cusparseSpMMAlg_t kAlgorithm = CUSPARSE_SPMM_CSR_ALG3;
constexpr float kOne = 1.0F;

DenseMatrixHandle dense(int rows, int columns, int pitch, void* values) {
    return makeOwned<DenseMatrixHandle>([&](cusparseDnMatDescr_t* matrix) {
        CUSPARSE_CHECK(cusparseCreateDnMat(matrix, rows, columns, pitch, values, CUDA_R_32F,
                                           CUSPARSE_ORDER_ROW));
    });
}

}  // namespace

BlockDiagonal repeatedAlongDiagonal(const SparseMatrix& matrix, int times) {
    const std::size_t count = static_cast<std::size_t>(times) * matrix.values.size();
    if (count > std::numeric_limits<std::int32_t>::max())
        throw InputError(
            {"batch", {}, "too many meshes for one sparse product", "Use a smaller batch."});
    BlockDiagonal blocks;
    blocks.rowOffsets.reserve(static_cast<std::size_t>(times) * matrix.rows() + 1);
    blocks.columns.reserve(count);
    blocks.values.reserve(count);
    blocks.rowOffsets.push_back(0);
    for (std::size_t block = 0; block < static_cast<std::size_t>(times); ++block) {
        for (std::size_t row = 0; row < matrix.rows(); ++row) {
            for (std::uint32_t k = matrix.rowOffsets[row]; k < matrix.rowOffsets[row + 1]; ++k) {
                blocks.columns.push_back(
                    static_cast<std::int32_t>(block * matrix.rows() + matrix.columns[k]));
                blocks.values.push_back(matrix.values[k]);
            }
            blocks.rowOffsets.push_back(static_cast<std::int32_t>(blocks.columns.size()));
        }
    }
    return blocks;
}

struct Laplacian::Plan {
    PooledMemory memory;
    SparseMatrixHandle matrix;
    DenseMatrixHandle x;
    DenseMatrixHandle y;
    std::size_t workspaceBytes = 0;
};

Laplacian::Laplacian(Context& context, const SparseMatrix& matrix, int batch, int columns,
                     int pitch)
    : plan_(std::make_shared<Plan>()) {
    const BlockDiagonal blocks = repeatedAlongDiagonal(matrix, batch);
    const int rows = static_cast<int>(blocks.rowOffsets.size()) - 1;
    Packer packer;
    const std::size_t rowOffsets = packer.add(std::as_bytes(std::span(blocks.rowOffsets)));
    const std::size_t column = packer.add(std::as_bytes(std::span(blocks.columns)));
    const std::size_t value = packer.add(std::as_bytes(std::span(blocks.values)));
    const std::vector<std::byte> bytes = packer.release();
    plan_->memory = context.memory.allocate(bytes.size(), context.setupStream);
    CUDA_CHECK(cudaMemcpyAsync(plan_->memory.data(), bytes.data(), bytes.size(),
                               cudaMemcpyHostToDevice, context.setupStream));

    std::byte* base = plan_->memory.data();
    cusparseSpMatDescr_t descriptor = nullptr;
    CUSPARSE_CHECK(
        cusparseCreateCsr(&descriptor, rows, rows, static_cast<std::int64_t>(blocks.values.size()),
                          base + rowOffsets, base + column, base + value, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    plan_->matrix.reset(descriptor);
    // Placeholder addresses; each run sets the real ones.
    plan_->x = dense(rows, columns, pitch, base);
    plan_->y = dense(rows, columns, pitch, base);
    CUSPARSE_CHECK(cusparseSetStream(context.cusparse.get(), context.setupStream));
    CUSPARSE_CHECK(cusparseSpMM_bufferSize(
        context.cusparse.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
        &kOne, plan_->matrix.get(), plan_->x.get(), &kOne, plan_->y.get(), CUDA_R_32F, kAlgorithm,
        &plan_->workspaceBytes));
    // The copy from `bytes`, which is pageable, must end before `bytes` is destroyed.
    CUDA_CHECK(cudaStreamSynchronize(context.setupStream));
}

std::size_t Laplacian::workspaceBytes() const {
    return plan_->workspaceBytes;
}

void Laplacian::enqueue(Context& context, Stream stream, const float* x, float* y,
                        std::byte* workspace) const {
    CUSPARSE_CHECK(cusparseSetStream(context.cusparse.get(), stream));
    // x is only read, although dense descriptors take writable pointers.
    CUSPARSE_CHECK(cusparseDnMatSetValues(plan_->x.get(), const_cast<float*>(x)));
    CUSPARSE_CHECK(cusparseDnMatSetValues(plan_->y.get(), y));
    CUSPARSE_CHECK(cusparseSpMM(context.cusparse.get(), CUSPARSE_OPERATION_NON_TRANSPOSE,
                                CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, plan_->matrix.get(),
                                plan_->x.get(), &kOne, plan_->y.get(), CUDA_R_32F, kAlgorithm,
                                workspace));
}

}  // namespace threefold::cuda::library
