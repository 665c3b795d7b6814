#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/backend.h"

namespace threefold::cuda::library {

/// Padding before and after each of height and width.
struct Padding {
    int before = 0;
    int after = 0;

    bool operator==(const Padding&) const = default;
};

/// TensorFlow's SAME (METHOD.md §4): the output's side is ⌈side / stride⌉, and what does not divide
/// by two goes behind.
Padding samePadding(int side, int kernel, int stride);

/// One convolution with bias and ReLU of a fixed size: what an engine is chosen for.
struct ConvolutionShape {
    int images = 1;
    int side = 224;
    int in = 8;  ///< channels as they lie in memory
    int out = 16;
    int kernel = 3;
    int stride = 1;
    /// float32 is strict: no engine that rounds operands or transforms them. 8 bit is float16.
    Precision precision = Precision::float16;

    bool operator==(const ConvolutionShape&) const = default;

    int outputSide() const { return (side + stride - 1) / stride; }
    std::size_t inputValues() const;
    std::size_t outputValues() const;
    double flop() const;
    double bytes() const;  ///< input, filter as it is, bias and output, each once
    /// "convolution 3 images 224 8>16 3/1 float16": key of its algorithm in a plan.
    std::string name() const;
};

/// Engines differ in whether they take a padding that is not the same on both sides. A filter with
/// a row of zeros above and a column of zeros on the left needs one row and one column more of
/// padding in front; the padding is then the same all round, and the sums are the same.
enum class FilterForm { asIs, widened };

/// Side of the filter and padding in either form. Widening changes nothing where the padding is the
/// same on both sides already.
struct FilterGeometry {
    int kernel = 3;
    Padding padding;

    bool operator==(const FilterGeometry&) const = default;
};
FilterGeometry filterGeometry(const ConvolutionShape& shape, FilterForm form);

/// Values of a packed filter.
std::size_t filterValues(const ConvolutionShape& shape, FilterForm form);

/// (out, in, kernel, kernel), as models hold filters, to the (out, kernel, kernel, channels) that
/// go with channels-innermost images; rows and columns of zeros as `form` says, channels from `in`
/// up to shape.in are zero. Throws InputError where `values` are of another count or shape.in is
/// less than `in`.
std::vector<float> packFilter(std::span<const float> values, int in, const ConvolutionShape& shape,
                              FilterForm form);

/// A convolution's chosen engine as it is kept between runs.
struct StoredPlan {
    FilterForm form = FilterForm::asIs;
    /// cuDNN's own, compiled kernels included: making it anew costs up to a second, reading it a
    /// millisecond. Good for the same GPU, driver and cuDNN alone.
    std::string json;

    bool operator==(const StoredPlan&) const = default;
};

std::string toText(const StoredPlan& plan);  ///< "as-is {…}", "widened {…}"

/// Nothing for anything that toText() does not write. What lies between the braces is left to
/// cuDNN.
std::optional<StoredPlan> storedPlanFrom(std::string_view text);

}  // namespace threefold::cuda::library
