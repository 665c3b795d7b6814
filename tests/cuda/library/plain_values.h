#pragma once

#include <cstdint>

#include "cuda/kernels/element.h"
#include "cuda/portable/half.h"

namespace threefold::cuda::test {

/// Value `i` of a tensor in host memory.
inline float load(const void* values, Element element, std::int64_t i) {
    switch (element) {
        case Element::float16:
            return toFloat(static_cast<const Half*>(values)[i]);
        case Element::bfloat16:
            return toFloat(static_cast<const Bfloat16*>(values)[i]);
        case Element::float32:
            break;
    }
    return static_cast<const float*>(values)[i];
}

inline void store(void* values, Element element, std::int64_t i, float value) {
    switch (element) {
        case Element::float16:
            static_cast<Half*>(values)[i] = fromFloat<Half>(value);
            return;
        case Element::bfloat16:
            static_cast<Bfloat16*>(values)[i] = fromFloat<Bfloat16>(value);
            return;
        case Element::float32:
            static_cast<float*>(values)[i] = value;
    }
}

}  // namespace threefold::cuda::test
