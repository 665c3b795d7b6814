#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/architecture.h"
#include "engine/network/backend.h"

namespace threefold::onednn {

/// The only wrapper of oneDNN: hides the differences between its versions 2 and 3 and turns its
/// exceptions into DeviceError. Weights are packed once, at construction.

std::string version();       ///< "2.6.3"
std::string instructions();  ///< widest instruction set it uses on this processor: "AVX-512 BF16"

/// Limits, during its lifetime, the threads that oneDNN and OpenMP use when called from this
/// thread; 0: unchanged.
class ThreadLimit {
  public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    int before_;
};

/// y = act(x · W + b) on one thread, for a fixed number of rows.
class Product {
  public:
    struct Shape {
        std::size_t rows;
        std::size_t inner;
        std::size_t outer;
    };

    /// `weights` (inner, outer) row-major; `bias` (outer) or empty. With bfloat16, x is bfloat16
    /// and the weights are rounded to it; with int8, x is whole numbers of 0…255 and each column of
    /// the weights is rounded to 255 steps of its own, sums are whole. Bias and y stay float32.
    /// Throws DeviceError, std::bad_alloc.
    Product(Shape shape, Precision precision, std::span<const float> weights,
            std::span<const float> bias, bool relu);

    const Shape& shape() const { return shape_; }

    /// Bytes that `scratch` needs.
    std::size_t scratchBytes() const;

    /// x: (rows, inner) of float32, bfloat16 or uint8, y: (rows, outer) float32, both dense. May be
    /// called from several threads at once, each with its own scratch.
    void run(const void* x, float* y, std::byte* scratch) const;

  private:
    struct State;
    Shape shape_;
    std::shared_ptr<State> state_;
};

/// Seconds that each of `repeats` float32 products takes as one oneDNN call on all the threads that
/// ThreadLimit allows, after one call to warm up.
std::vector<double> timeProduct(Product::Shape shape, int repeats);

/// One layer of METHOD.md §4 over all views: SAME padding, bias, ReLU; maps are
/// (view, row, column, channel), of float32 or, as the weights then are, of bfloat16; sums and bias
/// are float32. Uses the threads that ThreadLimit allows.
class Convolution {
  public:
    /// `side` of the input map in pixels. `weights` (out, in, k, k), `bias` (out).
    Convolution(const ConvolutionSpec& spec, int side, std::size_t views, Precision precision,
                std::span<const float> weights, std::span<const float> bias);
    /// The same layer for another number of views, sharing packed weights where they fit.
    Convolution(const Convolution& other, std::size_t views);
    ~Convolution();
    Convolution(Convolution&&) noexcept;
    Convolution& operator=(Convolution&&) noexcept;

    int outputSide() const;
    std::size_t outputCount() const;  ///< values in all views' output maps
    void run(const void* x, void* y) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::onednn
