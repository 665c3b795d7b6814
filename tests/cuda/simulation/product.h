#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/network/onednn.h"
#include "tests/cuda/simulation/arithmetic.h"

namespace threefold::cuda::simulation {

/// Reverses `values` if sums go backward.
inline void reverseIfBackward(std::span<float> values, SumOrder order) {
    if (order == SumOrder::backward) std::reverse(values.begin(), values.end());
}

/// Product x · W in float32, computed on the calling thread. Threads may share an object.
class Product {
  public:
    /// `weights` (inner, columns) must be rounded.
    Product(onednn::Product::Shape shape, std::vector<float> weights, SumOrder order)
        : order_(order),
          product_(shape, Precision::float32, ordered(shape, weights, order), {}, false) {}

    /// Returns x · W. `x` (rows, inner) must be rounded; if sums go backward, the elements of each
    /// row of `x` are reversed in place.
    std::vector<float> times(std::span<float> x) const {
        const onednn::Product::Shape& shape = product_.shape();
        for (std::size_t row = 0; row < shape.rows; ++row) {
            reverseIfBackward(x.subspan(row * shape.inner, shape.inner), order_);
        }
        std::vector<float> sums(shape.rows * shape.columns);
        std::vector<std::byte> scratch(product_.scratchBytes());
        product_.run(x.data(), sums.data(), scratch.data());
        return sums;
    }

  private:
    static std::vector<float> ordered(onednn::Product::Shape shape, std::span<const float> weights,
                                      SumOrder order) {
        std::vector<float> result(weights.begin(), weights.end());
        if (order == SumOrder::forward) return result;
        for (std::size_t k = 0; k < shape.inner; ++k) {
            std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(k * shape.columns),
                        shape.columns,
                        result.end() - static_cast<std::ptrdiff_t>((k + 1) * shape.columns));
        }
        return result;
    }

    SumOrder order_;
    onednn::Product product_;
};

}  // namespace threefold::cuda::simulation
