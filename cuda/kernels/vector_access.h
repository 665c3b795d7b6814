#pragma once

#include "cuda/kernels/element.h"
#include "cuda/portable/kernel.h"

/// Vectors of 16 bytes, the unit in which a thread reads and writes rows: conversion to floats and
/// back. Also loads and stores of pairs of values.
namespace threefold::cuda {

/// Values of T = float, Half or Bfloat16 in 16 bytes.
template <class T>
inline constexpr int kValuesPerVector = static_cast<int>(16 / sizeof(T));

/// Converts a vector's values to floats.
template <class T>
THREEFOLD_HOST_DEVICE void unpackVector(const uint4& bits, float (&values)[kValuesPerVector<T>]) {
    const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
    for (int i = 0; i < 4; ++i) {
        if constexpr (sizeof(T) == 4) {
            values[i] = detail::floatOf(words[i]);
        } else {
            values[2 * i] = lowOf<T>(words[i]);
            values[2 * i + 1] = highOf<T>(words[i]);
        }
    }
}

/// Rounds floats to a vector of T. kFinite: float16 saturates instead of giving infinity.
template <class T, bool kFinite = false>
THREEFOLD_HOST_DEVICE uint4 packVector(const float (&values)[kValuesPerVector<T>]) {
    unsigned words[4];
    for (int i = 0; i < 4; ++i) {
        if constexpr (sizeof(T) == 4) {
            words[i] = detail::bitsOf(values[i]);
        } else {
            words[i] = kFinite ? packFinite<T>(values[2 * i], values[2 * i + 1])
                               : packPair<T>(values[2 * i], values[2 * i + 1]);
        }
    }
    return uint4{words[0], words[1], words[2], words[3]};
}

/// Loads two neighbouring values; `source` must be aligned to 2 · sizeof(T).
template <class T>
THREEFOLD_HOST_DEVICE float2 loadPair(const T* source) {
    if constexpr (sizeof(T) == 4) {
        return *reinterpret_cast<const float2*>(source);
    } else {
        const std::uint32_t pair = *reinterpret_cast<const std::uint32_t*>(source);
        return float2{lowOf<T>(pair), highOf<T>(pair)};
    }
}

/// Rounds and stores two neighbouring values; `target` must be aligned to 2 · sizeof(T).
template <class T>
THREEFOLD_HOST_DEVICE void storePair(T* target, float first, float second) {
    if constexpr (sizeof(T) == 4) {
        *reinterpret_cast<float2*>(target) = float2{first, second};
    } else {
        *reinterpret_cast<std::uint32_t*>(target) = packPair<T>(first, second);
    }
}

}  // namespace threefold::cuda
