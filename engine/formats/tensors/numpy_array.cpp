#include "engine/formats/tensors/numpy_array.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

namespace threefold {
namespace {

constexpr std::array<std::pair<std::string_view, DType>, 12> kTypes = {{{"f2", DType::f16},
                                                                        {"f4", DType::f32},
                                                                        {"f8", DType::f64},
                                                                        {"i1", DType::i8},
                                                                        {"i2", DType::i16},
                                                                        {"i4", DType::i32},
                                                                        {"i8", DType::i64},
                                                                        {"u1", DType::u8},
                                                                        {"u2", DType::u16},
                                                                        {"u4", DType::u32},
                                                                        {"u8", DType::u64},
                                                                        {"b1", DType::boolean}}};

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

/// Copies element by element into C order, counting through the shape like an odometer.
void gather(const NumpyLayout& layout, std::span<const std::byte> bytes, Array& array) {
    const std::size_t size = dtypeSize(layout.type.dtype);
    const std::vector<std::size_t> steps = sourceSteps(layout);
    std::vector<std::size_t> index(layout.shape.size());
    std::size_t source = 0;
    for (std::size_t out = 0; out < bytes.size(); out += size) {
        std::memcpy(array.data.data() + out, bytes.data() + source * size, size);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            source += steps[axis];
            if (++index[axis] < layout.shape[axis]) break;
            source -= steps[axis] * layout.shape[axis];
            index[axis] = 0;
        }
    }
}

}  // namespace

std::optional<NumpyType> parseNumpyType(std::string_view text) {
    NumpyType type;
    if (!text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
        type.bigEndian = text[0] == '>';
        text.remove_prefix(1);
    }
    if (text == "?") text = "b1";
    const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                    [&](const auto& entry) { return entry.first == text; });
    if (found == kTypes.end()) return std::nullopt;
    type.dtype = found->second;
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
    std::reverse(layout.axes.begin(), layout.axes.end());
    return layout;
}

std::optional<Array> arrayFromNumpy(const NumpyLayout& layout, std::span<const std::byte> bytes) {
    if (byteCount(layout.type.dtype, layout.shape) != bytes.size()) return std::nullopt;
    Array array{layout.type.dtype, layout.shape, {}};
    if (std::is_sorted(layout.axes.begin(), layout.axes.end())) {
        array.data.assign(bytes.begin(), bytes.end());
    } else {
        array.data.resize(bytes.size());
        gather(layout, bytes, array);
    }
    if (layout.type.bigEndian) swapByteOrder(array.data, dtypeSize(array.dtype));
    return array;
}

}  // namespace threefold
