#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cuda/kernels/element.h"
#include "cuda/library/context.h"

namespace threefold::cuda::library {

/// y = x · w, or with `accumulate` y += x · w; all row-major, sums in float32. `count` > 1: a
/// batch of products with fixed strides, which share x.
struct ProductShape {
    int rows = 1;
    int inner = 1;
    int columns = 1;
    /// Precision of x and w; y is storageOf(precision) or float32. float32 is strict: nothing is
    /// rounded.
    Precision precision = Precision::float16;
    bool float32Output = false;
    bool accumulate = false;
    /// Values from one row to the next; 0: rows follow each other.
    int xPitch = 0;
    int wPitch = 0;
    int yPitch = 0;
    int count = 1;
    std::int64_t wBatchStride = 0;  ///< values from one product's w to the next one's
    std::int64_t yBatchStride = 0;  ///< values from one product's y to the next one's

    double flop() const { return 2.0 * rows * inner * columns * count; }
    double bytes() const {  ///< x, w and y, each once; y twice if accumulated
        const ElementType element = storageOf(precision);
        const auto y =
            static_cast<double>(elementBytes(float32Output ? ElementType::float32 : element));
        return (1.0 * rows * inner + 1.0 * count * inner * columns) *
                   static_cast<double>(elementBytes(element)) +
               1.0 * count * rows * columns * (accumulate ? 2 : 1) * y;
    }
    /// "product 2466x2888x384 float16 …": key of the algorithm in a tuning plan. Unique for each
    /// combination of the fields above.
    std::string name() const;
};

/// Arguments in device memory, 16-byte aligned.
struct ProductArguments {
    const void* x = nullptr;  ///< (rows, inner)
    const void* w = nullptr;  ///< (inner, columns)
    void* y = nullptr;        ///< (rows, columns)
    std::byte* workspace = nullptr;
};

/// Serialised cuBLASLt algorithm: 64 bytes, valid only for the same version of cuBLASLt.
using AlgorithmBytes = std::array<std::uint64_t, 8>;
std::string toText(const AlgorithmBytes& algorithm);  ///< "cublasLt " and 128 hexadecimal digits
/// Parses toText(); nullopt for any other text.
std::optional<AlgorithmBytes> algorithmFrom(std::string_view text);

/// A product with a chosen algorithm of cuBLASLt, ready to run.
class Product {
  public:
    /// Takes the algorithm in context.algorithms; else times cuBLASLt's proposals and stores the
    /// fastest there. The parts of split sums are added in float32 and in a fixed order: the same
    /// input gives the same bits. Throws DeviceError if no algorithm runs, OutOfDeviceMemory,
    /// DeviceLost.
    Product(Context& context, const ProductShape& shape);

    const ProductShape& shape() const { return shape_; }
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured.
    void enqueue(Context& context, Stream stream, const ProductArguments& arguments) const;

  private:
    struct Plan;

    void run(Context& context, Stream stream, const cublasLtMatmulAlgo_t& algorithm,
             std::size_t workspaceBytes, const ProductArguments& arguments) const;
    void measure(Context& context);

    ProductShape shape_;
    std::size_t workspaceBytes_ = 0;
    std::shared_ptr<Plan> plan_;
};

}  // namespace threefold::cuda::library
