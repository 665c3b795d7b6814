#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/precision.h"

namespace threefold::cuda::library {

/// Padding before and after, the same for height and width.
struct Padding {
    int before = 0;
    int after = 0;

    bool operator==(const Padding&) const = default;
};

/// TensorFlow's SAME padding (METHOD.md §4): the output's side is ⌈side / stride⌉; if the total
/// padding is odd, the extra pixel comes after.
Padding samePadding(int side, int kernel, int stride);

/// Convolution of a fixed size, with bias and ReLU, for which an engine is chosen.
struct ConvolutionShape {
    int images = 1;
    int side = 224;
    int in = 8;  ///< input channels in memory
    int out = 16;
    int kernel = 3;
    int stride = 1;
    /// float32 is strict: no engine that rounds or transforms operands. 8 bit runs as float16.
    Precision precision = Precision::float16;

    bool operator==(const ConvolutionShape&) const = default;

    int outputSide() const { return (side + stride - 1) / stride; }
    std::size_t inputValues() const;
    std::size_t outputValues() const;
    double flop() const;
    double bytes() const;  ///< input, unwidened filter, bias and output, each once
    /// "convolution 3 images 224 8>16 3/1 float16": key of the engine in a tuning plan.
    std::string name() const;
};

/// Form of a packed filter. Not every engine supports asymmetric padding. Widening the filter by a
/// row of zeros above and a column of zeros on the left makes the padding symmetric with equal
/// sums.
enum class FilterLayout { original, widened };

/// Filter side and padding of a layout. Widening changes nothing if the padding is symmetric
/// already.
struct FilterGeometry {
    int kernel = 3;
    Padding padding;

    bool operator==(const FilterGeometry&) const = default;
};
FilterGeometry filterGeometry(const ConvolutionShape& shape, FilterLayout layout);

/// Number of values of a packed filter.
std::size_t filterValues(const ConvolutionShape& shape, FilterLayout layout);

/// Converts a model's filter (out, in, kernel, kernel) to (out, kernel, kernel, channels) for
/// channels-innermost images, widened as `layout` says; channels from `in` up to shape.in are zero.
/// Throws InputError if `values` has another size or shape.in is less than `in`.
std::vector<float> packFilter(std::span<const float> values, int in, const ConvolutionShape& shape,
                              FilterLayout layout);

/// Chosen engine of a convolution, as stored between runs.
struct StoredEngine {
    FilterLayout layout = FilterLayout::original;
    /// cuDNN's JSON, compiled kernels included: building costs up to a second, reading a
    /// millisecond. Valid only for the same GPU, driver and cuDNN.
    std::string json;

    bool operator==(const StoredEngine&) const = default;
};

std::string toText(const StoredEngine& engine);  ///< "as-is {…}", "widened {…}"

/// Parses toText(); nullopt for any other text. Leaves the text between the braces to cuDNN.
std::optional<StoredEngine> storedEngineFrom(std::string_view text);

}  // namespace threefold::cuda::library
