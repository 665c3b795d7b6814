#pragma once

#include <cstdint>

#include "cuda/kernels/element.h"
#include "cuda/portable/half.h"

namespace threefold::cuda::test {

/// Value `i` of a tensor in host memory.
inline float load(const void* values, ElementType element, std::int64_t i) {
    switch (element) {
        case ElementType::float16:
            return toFloat(static_cast<const Half*>(values)[i]);
        case ElementType::bfloat16:
            return toFloat(static_cast<const Bfloat16*>(values)[i]);
        case ElementType::float32:
            break;
    }
    return static_cast<const float*>(values)[i];
}

inline void store(void* values, ElementType element, std::int64_t i, float value) {
    switch (element) {
        case ElementType::float16:
            static_cast<Half*>(values)[i] = fromFloat<Half>(value);
            return;
        case ElementType::bfloat16:
            static_cast<Bfloat16*>(values)[i] = fromFloat<Bfloat16>(value);
            return;
        case ElementType::float32:
            static_cast<float*>(values)[i] = value;
    }
}

}  // namespace threefold::cuda::test
