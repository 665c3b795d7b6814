#include "tests/cuda/library/plain_libraries.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "cuda/kernels/pooling.h"
#include "cuda/library/laplacian.h"
#include "cuda/library/product.h"
#include "cuda/portable/half.h"

namespace threefold::cuda {
namespace test {

float plainFeature(const float* point, std::size_t column, double view, float map) {
    const float phase = static_cast<float>(column % 17);
    return std::sin(phase + 3 * point[0] + 2 * point[1] - point[2]) +
           0.25F * static_cast<float>(view) * map;
}

}  // namespace test

namespace {

float load(const void* values, Element element, std::int64_t i) {
    switch (element) {
        case Element::float16:
            return toFloat(static_cast<const Half*>(values)[i]);
        case Element::bfloat16:
            return toFloat(static_cast<const Bfloat16*>(values)[i]);
        case Element::float32:
            break;
    }
    return static_cast<const float*>(values)[i];
}

void store(void* values, Element element, std::int64_t i, float value) {
    switch (element) {
        case Element::float16:
            static_cast<Half*>(values)[i] = fromFloat<Half>(value);
            return;
        case Element::bfloat16:
            static_cast<Bfloat16*>(values)[i] = fromFloat<Bfloat16>(value);
            return;
        case Element::float32:
            static_cast<float*>(values)[i] = value;
    }
}

}  // namespace

void launchPooling(Stream, const PoolingArguments& arguments) {
    for (int mesh = 0; mesh < arguments.batch; ++mesh) {
        for (int row = 0; row < arguments.pointCount * arguments.offsetCount; ++row) {
            const int point = row / arguments.offsetCount;
            const int offset = row % arguments.offsetCount;
            float at[3];
            for (int axis = 0; axis < 3; ++axis) {
                at[axis] = arguments.points[3 * (mesh * arguments.pointCount + point) + axis] +
                           arguments.offsets[3 * offset + axis];
            }
            const std::int64_t begin =
                (static_cast<std::int64_t>(mesh) * arguments.pointCount * arguments.offsetCount +
                 row) *
                arguments.pitch;
            for (int column = 0; column < arguments.pitch; ++column) {
                const DeviceMap& map = arguments.maps[column % arguments.mapCount];
                float value = 0;
                if (column < 3) {
                    value = at[column];
                } else if (column < 339) {
                    value =
                        test::plainFeature(at, static_cast<std::size_t>(column),
                                           arguments.transforms[mesh * arguments.views].rotation[0],
                                           load(map.values, arguments.element, 0));
                }
                store(arguments.out, arguments.element, begin + column, value);
            }
        }
    }
}

}  // namespace threefold::cuda

namespace threefold::cuda::library {

Context::Context(MemoryPool& memoryPool, Stream prepareIn)
    : memory(memoryPool), stream(prepareIn) {}

struct Product::Ready {};
Product::Product(Context&, const ProductShape& shape, std::size_t)
    : shape_(shape), workspaceBytes_(100) {}
Product::Product(Product&&) noexcept = default;
Product& Product::operator=(Product&&) noexcept = default;
Product::~Product() = default;

void Product::enqueue(Context&, Stream, const ProductArguments& arguments) const {
    const Element element = storageOf(shape_.precision);
    const Element output = shape_.float32Output ? Element::float32 : element;
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
                const float x =
                    load(arguments.x, element, product * shape_.xDistance + row * xPitch + k);
                for (int column = 0; column < shape_.columns; ++column) {
                    sums[static_cast<std::size_t>(column)] +=
                        x * load(arguments.w, element,
                                 product * shape_.wDistance + k * wPitch + column);
                }
            }
            for (int column = 0; column < shape_.columns; ++column) {
                const std::int64_t i = product * shape_.yDistance + row * yPitch + column;
                float value = sums[static_cast<std::size_t>(column)];
                if (shape_.accumulate) value += load(arguments.y, output, i);
                store(arguments.y, output, i, value);
            }
        }
    }
}

struct Laplacian::Ready {
    SparseMatrix matrix;
    int batch = 0;
    int columns = 0;
    int pitch = 0;
};
Laplacian::Laplacian(Context&, const SparseMatrix& matrix, int batch, int columns, int pitch)
    : ready_(std::make_unique<Ready>(Ready{matrix, batch, columns, pitch})) {}
Laplacian::Laplacian(Laplacian&&) noexcept = default;
Laplacian& Laplacian::operator=(Laplacian&&) noexcept = default;
Laplacian::~Laplacian() = default;
std::size_t Laplacian::workspaceBytes() const {
    return 300;
}

void Laplacian::enqueue(Context&, Stream, const float* x, float* y, std::byte* workspace) const {
    std::memset(workspace, 0xff, workspaceBytes());
    const SparseMatrix& matrix = ready_->matrix;
    const auto pitch = static_cast<std::size_t>(ready_->pitch);
    for (std::size_t mesh = 0; mesh < static_cast<std::size_t>(ready_->batch); ++mesh) {
        for (std::size_t row = 0; row < matrix.rows(); ++row) {
            for (std::uint32_t k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; ++k) {
                for (std::size_t c = 0; c < static_cast<std::size_t>(ready_->columns); ++c) {
                    y[(mesh * matrix.rows() + row) * pitch + c] +=
                        matrix.value[k] * x[(mesh * matrix.rows() + matrix.column[k]) * pitch + c];
                }
            }
        }
    }
}

}  // namespace threefold::cuda::library
