#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/architecture.h"
#include "engine/network/precision.h"

/// Wrapper of oneDNN. All uses of oneDNN go through this wrapper: it hides the differences between
/// oneDNN's versions 2 and 3 and turns oneDNN's exceptions into DeviceError or std::bad_alloc.
/// Weights are packed once, at construction.
namespace threefold::onednn {

std::string version();       ///< "2.6.3"
std::string instructions();  ///< widest instruction set used on this processor: "AVX-512 BF16"

/// Limits the threads of oneDNN and OpenMP calls from this thread, during the object's lifetime; 0:
/// no change.
class ThreadLimit {
  public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    int previous_;
};

/// y = act(x · W + b) on one thread, for a fixed number of rows.
class Product {
  public:
    struct Shape {
        std::size_t rows;
        std::size_t inner;
        std::size_t columns;
    };

    /// `weights` (inner, columns) row-major; `bias` (columns) or empty. bfloat16: x is bfloat16,
    /// weights are rounded to bfloat16. int8: x is uint8, weights are quantised to −127…127 with
    /// one step size per column, sums are integers. Bias and y stay float32. Throws DeviceError,
    /// std::bad_alloc.
    Product(Shape shape, Precision precision, std::span<const float> weights,
            std::span<const float> bias, bool relu);

    const Shape& shape() const { return shape_; }

    /// Size of the scratch memory of run().
    std::size_t scratchBytes() const;

    /// Computes y. x: (rows, inner) of float32, bfloat16 or uint8; y: (rows, columns) float32; both
    /// dense. Thread-safe if each thread has its own scratch.
    void run(const void* x, float* y, std::byte* scratch) const;

  private:
    struct State;
    Shape shape_;
    std::shared_ptr<State> state_;
};

/// Measures the times of `repeats` float32 products in seconds, after one warm-up. Each product is
/// one oneDNN call on the threads that ThreadLimit allows.
std::vector<double> productSeconds(Product::Shape shape, int repeats);

/// One layer of METHOD.md §4 over all views: SAME padding, bias, ReLU. Maps are
/// (view, row, column, channel); maps and weights are float32 or bfloat16, sums and bias float32.
/// Uses the threads that ThreadLimit allows.
class Convolution {
  public:
    /// `side`: width and height of the input map. `weights` (out, in, k, k), `bias` (out).
    Convolution(const ConvolutionSpec& spec, int side, std::size_t views, Precision precision,
                std::span<const float> weights, std::span<const float> bias);
    /// Copies a layer for another number of views; shares packed weights if their layouts agree.
    Convolution(const Convolution& other, std::size_t views);
    ~Convolution();
    Convolution(Convolution&&) noexcept;
    Convolution& operator=(Convolution&&) noexcept;

    int outputSide() const;
    std::size_t outputCount() const;  ///< number of values in the output maps of all views
    void run(const void* x, void* y) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::onednn
