#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/kernels/element.h"
#include "cuda/library/context.h"

namespace threefold::cuda::library {

/// y = x · w, then + bias, then ReLU, each as asked; all row-major, products added up in float32.
/// With `accumulate` y's old contents are added. With `count` > 1 as many of them, at fixed
/// distances.
struct ProductShape {
    int rows = 1;
    int inner = 1;
    int columns = 1;
    /// Of x and w; y is storageOf(precision), or float32. float32 is strict.
    Precision precision = Precision::float16;
    bool float32Output = false;
    bool bias = false;  ///< (columns) of y's element
    bool relu = false;
    bool accumulate = false;
    /// Values from one row to the next; 0: rows follow each other.
    int xPitch = 0;
    int wPitch = 0;
    int yPitch = 0;
    int count = 1;
    std::int64_t xDistance = 0;  ///< values from one product's operand to the next; 0: shared
    std::int64_t wDistance = 0;
    std::int64_t yDistance = 0;

    bool operator==(const ProductShape&) const = default;

    /// "product 2466x192x384 float16 …": key of its algorithm in a plan.
    std::string name() const;
};

struct ProductArguments {
    const void* x = nullptr;
    const void* w = nullptr;
    const void* bias = nullptr;
    void* y = nullptr;
    std::byte* workspace = nullptr;
};

/// A product with a chosen algorithm of cuBLASLt, ready to run.
class Product {
  public:
    /// The algorithm in context.algorithms, or else the fastest of those that cuBLASLt proposes,
    /// measured here and put there. Split sums only in float32 and in a fixed order, so that the
    /// same input gives the same bits. Throws DeviceError where none runs it.
    Product(Context& context, const ProductShape& shape,
            std::size_t largestWorkspace = std::size_t{32} << 20);
    Product(Product&&) noexcept;
    Product& operator=(Product&&) noexcept;
    ~Product();

    const ProductShape& shape() const { return shape_; }
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured. All pointers in device memory, 16-byte aligned.
    void enqueue(Stream stream, const ProductArguments& arguments) const;

  private:
    struct Ready;

    Context* context_;
    ProductShape shape_;
    std::size_t workspaceBytes_ = 0;
    std::unique_ptr<Ready> ready_;
};

}  // namespace threefold::cuda::library
