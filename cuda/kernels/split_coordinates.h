#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cuda/portable/half.h"

/// Coordinates as operands of products in a narrow type, at the precision of float32 (METHOD.md §6,
/// §7). A type of 16 bits would move a point at distance 0.8 by up to 2e-4, a hundredth of the
/// radius of its hypotheses.
///
/// A coordinate and its weight are each cut into parts: x = x0 + x1 + x2, where each part is what
/// the parts before it leave, rounded to the type. The product x w is then the sum of xi wj; those
/// below float32's rounding are left out. Each xi wj is one column of inputs and one row of
/// weights. x0 w0 has the place of the coordinate itself; furtherProduct() lists the others, the
/// largest first, in groups of x, y and z.
namespace threefold::cuda {

/// An operand of a tensor-core product in tfloat32: float32 of which 10 bits of mantissa count.
struct Tfloat32 {
    std::uint32_t bits;
};

struct PartProduct {
    int coordinate;  ///< which part of the coordinate
    int weight;      ///< which part of its weight
};
inline constexpr int kParts = 3;
inline constexpr int kFurtherProducts = 5;
constexpr PartProduct furtherProduct(int i) {
    constexpr PartProduct kAll[kFurtherProducts] = {{1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
    return kAll[i];
}
/// Columns beside the three of the coordinates themselves.
inline constexpr int kFurtherColumns = 3 * kFurtherProducts;

/// A value of T stays finite: of float16 the largest where it would be infinite.
template <class T>
THREEFOLD_DEVICE float saturated(float x) {
    if constexpr (std::is_same_v<T, Half>) return fminf(fmaxf(x, -65504.0F), 65504.0F);
    return x;
}

THREEFOLD_DEVICE float toFloat(Tfloat32 x) {
    return detail::floatOf(x.bits);
}

/// Rounded to an operand of a product.
template <class Operand>
THREEFOLD_DEVICE Operand operandOf(float x) {
    if constexpr (std::is_same_v<Operand, Tfloat32>) {
        return {toTf32(x)};
    } else {
        return fromFloat<Operand>(x);
    }
}

template <class Operand>
THREEFOLD_DEVICE void splitInto(float x, float (&parts)[kParts]) {
    for (float& part : parts) {
        part = toFloat(operandOf<Operand>(saturated<Operand>(x)));
        x -= part;
    }
}

}  // namespace threefold::cuda
