#include "cuda/library/convolution_shape.h"

#include <algorithm>

#include <fmt/format.h>

#include "cuda/kernels/element.h"
#include "engine/error.h"

namespace threefold::cuda::library {
namespace {

constexpr std::string_view kAsIs = "as-is ";
constexpr std::string_view kWidened = "widened ";

}  // namespace

Padding samePadding(int side, int kernel, int stride) {
    const int output = (side + stride - 1) / stride;
    const int total = std::max((output - 1) * stride + kernel - side, 0);
    return {total / 2, total - total / 2};
}

std::size_t ConvolutionShape::inputValues() const {
    return static_cast<std::size_t>(images) * static_cast<std::size_t>(side * side) *
           static_cast<std::size_t>(in);
}

std::size_t ConvolutionShape::outputValues() const {
    return static_cast<std::size_t>(images) *
           static_cast<std::size_t>(outputSide() * outputSide()) * static_cast<std::size_t>(out);
}

double ConvolutionShape::flop() const {
    return 2.0 * static_cast<double>(outputValues()) * in * kernel * kernel;
}

double ConvolutionShape::bytes() const {
    const std::size_t values = inputValues() + filterValues(*this, FilterLayout::original) +
                               static_cast<std::size_t>(out) + outputValues();
    return static_cast<double>(values * elementBytes(storageOf(precision)));
}

std::string ConvolutionShape::name() const {
    return fmt::format("convolution {} images {} {}>{} {}/{} {}", images, side, in, out, kernel,
                       stride, precisionName(precision));
}

FilterGeometry filterGeometry(const ConvolutionShape& shape, FilterLayout layout) {
    const Padding padding = samePadding(shape.side, shape.kernel, shape.stride);
    const int extra = layout == FilterLayout::widened ? padding.after - padding.before : 0;
    return {shape.kernel + extra, {padding.before + extra, padding.after}};
}

std::size_t filterValues(const ConvolutionShape& shape, FilterLayout layout) {
    const int kernel = filterGeometry(shape, layout).kernel;
    return static_cast<std::size_t>(shape.out) * static_cast<std::size_t>(kernel * kernel) *
           static_cast<std::size_t>(shape.in);
}

std::vector<float> packFilter(std::span<const float> values, int in, const ConvolutionShape& shape,
                              FilterLayout layout) {
    const auto side = static_cast<std::size_t>(shape.kernel);
    const auto inputs = static_cast<std::size_t>(in);
    const auto channels = static_cast<std::size_t>(shape.in);
    const auto outputs = static_cast<std::size_t>(shape.out);
    if (values.size() != outputs * inputs * side * side || channels < inputs)
        throw InputError({shape.name(),
                          "filter",
                          fmt::format("{} values, expected {} × {} × {} × {} (outputs, inputs, "
                                      "rows, columns)",
                                      values.size(), outputs, inputs, side, side),
                          {}});
    const auto wide = static_cast<std::size_t>(filterGeometry(shape, layout).kernel);
    const std::size_t shift = wide - side;
    std::vector<float> packed(filterValues(shape, layout), 0.0F);
    for (std::size_t output = 0; output < outputs; ++output) {
        for (std::size_t input = 0; input < inputs; ++input)
            for (std::size_t row = 0; row < side; ++row)
                for (std::size_t column = 0; column < side; ++column)
                    packed[((output * wide + row + shift) * wide + column + shift) * channels +
                           input] =
                        values[((output * inputs + input) * side + row) * side + column];
    }
    return packed;
}

std::string toText(const StoredEngine& engine) {
    return std::string(engine.layout == FilterLayout::original ? kAsIs : kWidened) + engine.json;
}

std::optional<StoredEngine> storedEngineFrom(std::string_view text) {
    for (const FilterLayout layout : {FilterLayout::original, FilterLayout::widened}) {
        const std::string_view prefix = layout == FilterLayout::original ? kAsIs : kWidened;
        if (!text.starts_with(prefix)) continue;
        const std::string_view json = text.substr(prefix.size());
        if (json.size() >= 2 && json.front() == '{' && json.back() == '}')
            return StoredEngine{layout, std::string(json)};
    }
    return std::nullopt;
}

}  // namespace threefold::cuda::library
