#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cuda/portable/half.h"

/// Splits coordinates into narrow operands whose products keep the precision of float32 (METHOD.md
/// §6, §7). Rounding to float16 would move a coordinate of 0.8, such as a vertex's depth, by up to
/// 2e-4, a hundredth of the radius of the vertex's hypotheses.
///
/// A coordinate and its weight are each split into parts, x = x0 + x1 + x2: each part is the
/// remainder of the earlier parts, rounded to the type. The product x w is the sum of all xi wj;
/// terms below float32's rounding are omitted. Each xi wj takes one column of inputs and one row of
/// weights. x0 w0 takes the column of the coordinate itself; extraProduct() lists the other
/// terms, the largest first, in groups of x, y and z.
namespace threefold::cuda {

/// Operand of a tensor-core product in tfloat32: float32 with 10 significant mantissa bits.
struct Tfloat32 {
    std::uint32_t bits;
};

/// Product of a part of a coordinate and a part of its weight.
struct PartProduct {
    int coordinate;  ///< index of the coordinate's part
    int weight;      ///< index of the weight's part
};
inline constexpr int kCoordinateParts = 3;
inline constexpr int kExtraProducts = 5;
constexpr PartProduct extraProduct(int i) {
    constexpr PartProduct kAll[kExtraProducts] = {{1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
    return kAll[i];
}
/// Columns in addition to the three coordinate columns.
inline constexpr int kExtraColumns = 3 * kExtraProducts;

/// Clamps to the finite range of float16; other types pass through.
template <class T>
THREEFOLD_HOST_DEVICE float saturated(float x) {
    if constexpr (std::is_same_v<T, Half>) return fminf(fmaxf(x, -65504.0F), 65504.0F);
    return x;
}

THREEFOLD_HOST_DEVICE float toFloat(Tfloat32 x) {
    return detail::floatOf(x.bits);
}

/// Rounds to an operand type of a product.
template <class Operand>
THREEFOLD_HOST_DEVICE Operand toOperand(float x) {
    if constexpr (std::is_same_v<Operand, Tfloat32>) {
        return {toTf32(x)};
    } else {
        return fromFloat<Operand>(x);
    }
}

/// Splits `x` into parts, each rounded to the operand type, whose sum is nearly `x`.
template <class Operand>
THREEFOLD_HOST_DEVICE void splitInto(float x, float (&parts)[kCoordinateParts]) {
    for (float& part : parts) {
        part = toFloat(toOperand<Operand>(saturated<Operand>(x)));
        x -= part;
    }
}

}  // namespace threefold::cuda
