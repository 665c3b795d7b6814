#pragma once

#include <cstddef>

#include "cuda/portable/half.h"
#include "engine/network/precision.h"

namespace threefold::cuda {

/// Type of values in device memory. Products always accumulate in float32 (int32 for 8 bit).
enum class ElementType { float32, float16, bfloat16 };

/// Whether products of the precision have 8-bit operands.
constexpr bool isEightBit(Precision precision) {
    return precision == Precision::int8;
}

/// Precision outside the fused hypothesis block, the only part with 8 bit.
constexpr Precision precisionOutsideHypothesisBlocks(Precision precision) {
    return isEightBit(precision) ? Precision::float16 : precision;
}

/// Bytes of one value.
constexpr std::size_t elementBytes(ElementType element) {
    return element == ElementType::float32 ? 4 : 2;
}

/// Calls `use` with a value of the type that `element` names: `use(T{})`.
template <class Use>
auto withElementType(ElementType element, const Use& use) {
    switch (element) {
        case ElementType::float16:
            return use(Half{});
        case ElementType::bfloat16:
            return use(Bfloat16{});
        case ElementType::float32:
            break;
    }
    return use(float{});
}

/// Type of maps, features and hidden values in memory. tfloat32 rounds only the operands of a
/// product; with 8 bit the inputs of the hypothesis block stay float16.
constexpr ElementType storageOf(Precision precision) {
    switch (precision) {
        case Precision::float32:
        case Precision::tfloat32:
            return ElementType::float32;
        case Precision::bfloat16:
            return ElementType::bfloat16;
        default:
            return ElementType::float16;
    }
}

}  // namespace threefold::cuda
