#include "engine/formats/tensors/numpy_array.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace threefold {
namespace {

/// For each axis of the user's, the step in elements within the file's bytes.
std::vector<std::size_t> sourceSteps(const NumpyLayout& layout) {
    std::vector<std::size_t> steps(layout.shape.size());
    std::size_t step = 1;
    for (auto axis = layout.axes.rbegin(); axis != layout.axes.rend(); ++axis) {
        steps[*axis] = step;
        step *= layout.shape[*axis];
    }
    return steps;
}

}  // namespace

std::optional<NumpyType> parseNumpyType(std::string_view text) {
    NumpyType type;
    if (!text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
        type.bigEndian = text[0] == '>';
        text.remove_prefix(1);
    }
    if (text == "?") text = "b1";
    const std::optional<DType> found = findDType(&DTypeNames::numpy, text);
    if (!found) return std::nullopt;
    type.dtype = *found;
    return type;
}

NumpyLayout NumpyLayout::cOrder(NumpyType type, std::vector<std::size_t> shape) {
    NumpyLayout layout{type, std::move(shape), {}};
    layout.axes.resize(layout.shape.size());
    std::iota(layout.axes.begin(), layout.axes.end(), std::size_t{0});
    return layout;
}

NumpyLayout NumpyLayout::fortranOrder(NumpyType type, std::vector<std::size_t> shape) {
    NumpyLayout layout = cOrder(type, std::move(shape));
    std::ranges::reverse(layout.axes);
    return layout;
}

std::optional<Array> arrayFromNumpy(const NumpyLayout& layout, std::span<const std::byte> bytes) {
    if (byteCount(layout.type.dtype, layout.shape) != bytes.size()) return std::nullopt;
    Array array{layout.type.dtype, layout.shape, {}};
    if (std::ranges::is_sorted(layout.axes)) {
        array.data.assign(bytes.begin(), bytes.end());
    } else {
        array.data.resize(bytes.size());
        gather(bytes, 0, sourceSteps(layout), array);
    }
    if (layout.type.bigEndian) swapByteOrder(array.data, dtypeSize(array.dtype));
    return array;
}

}  // namespace threefold
