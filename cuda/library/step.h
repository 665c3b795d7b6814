#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "cuda/kernels/element.h"

namespace threefold::cuda::library {

/// A tensor in device memory as it will be when the stream has come this far.
struct StepTensor {
    std::string_view name;  ///< "map_64", "features", "layer 3", "scores", …
    const void* values = nullptr;
    Element element = Element::float32;
    std::size_t firstRow =
        0;  ///< of the whole tensor; blocks that work in chunks give them in turn
    std::size_t rows = 0;
    std::size_t width = 0;  ///< values of a row that mean something
    std::size_t pitch = 0;  ///< values from one row to the next
};

/// Called between the steps, while they are being enqueued: whoever wants to compare a tensor
/// enqueues a copy of it in the same stream. The memory is reused by later steps.
using StepTap = std::function<void(const StepTensor& tensor)>;

}  // namespace threefold::cuda::library
