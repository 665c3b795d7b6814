#include "tests/cuda/library/plain_libraries.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/library/laplacian.h"
#include "cuda/library/product.h"
#include "tests/cuda/library/plain_values.h"

namespace threefold::cuda::library {

using test::load;
using test::store;

Context::Context(MemoryPool& memoryPool, Stream stream, Algorithms& chosen)
    : memory(memoryPool), setupStream(stream), algorithms(chosen) {}

Product::Product(Context&, const ProductShape& shape) : shape_(shape), workspaceBytes_(100) {}

void Product::enqueue(Context&, Stream, const ProductArguments& arguments) const {
    const ElementType element = storageOf(shape_.precision);
    const ElementType output = shape_.float32Output ? ElementType::float32 : element;
    const auto orWidth = [](int pitch, int width) { return pitch != 0 ? pitch : width; };
    const std::int64_t xPitch = orWidth(shape_.xPitch, shape_.inner);
    const std::int64_t wPitch = orWidth(shape_.wPitch, shape_.columns);
    const std::int64_t yPitch = orWidth(shape_.yPitch, shape_.columns);
    std::memset(arguments.workspace, 0xff, workspaceBytes_);
    std::vector<float> sums(static_cast<std::size_t>(shape_.columns));
    for (int product = 0; product < shape_.count; ++product) {
        for (int row = 0; row < shape_.rows; ++row) {
            std::fill(sums.begin(), sums.end(), 0.0F);
            for (int k = 0; k < shape_.inner; ++k) {
                const float x = load(arguments.x, element, row * xPitch + k);
                for (int column = 0; column < shape_.columns; ++column) {
                    sums[static_cast<std::size_t>(column)] +=
                        x * load(arguments.w, element,
                                 product * shape_.wBatchStride + k * wPitch + column);
                }
            }
            for (int column = 0; column < shape_.columns; ++column) {
                const std::int64_t i = product * shape_.yBatchStride + row * yPitch + column;
                float value = sums[static_cast<std::size_t>(column)];
                if (shape_.accumulate) value += load(arguments.y, output, i);
                store(arguments.y, output, i, value);
            }
        }
    }
}

struct Laplacian::Plan {
    SparseMatrix matrix;
    int batch = 0;
    int columns = 0;
    int pitch = 0;
};
Laplacian::Laplacian(Context&, const SparseMatrix& matrix, int batch, int columns, int pitch)
    : plan_(std::make_shared<Plan>(Plan{matrix, batch, columns, pitch})) {}
std::size_t Laplacian::workspaceBytes() const {
    return 300;
}

void Laplacian::enqueue(Context&, Stream, const float* x, float* y, std::byte* workspace) const {
    std::memset(workspace, 0xff, workspaceBytes());
    const SparseMatrix& matrix = plan_->matrix;
    const auto pitch = static_cast<std::size_t>(plan_->pitch);
    for (std::size_t mesh = 0; mesh < static_cast<std::size_t>(plan_->batch); ++mesh) {
        for (std::size_t row = 0; row < matrix.rows(); ++row) {
            for (std::uint32_t k = matrix.rowOffsets[row]; k < matrix.rowOffsets[row + 1]; ++k) {
                for (std::size_t c = 0; c < static_cast<std::size_t>(plan_->columns); ++c) {
                    y[(mesh * matrix.rows() + row) * pitch + c] +=
                        matrix.values[k] *
                        x[(mesh * matrix.rows() + matrix.columns[k]) * pitch + c];
                }
            }
        }
    }
}

}  // namespace threefold::cuda::library
