#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "cuda/kernels/element.h"

namespace threefold::cuda::library {

/// A tensor in device memory, valid when the stream has come this far.
struct StepTensor {
    std::string_view name;  ///< "map_64", "features", "layer 3", "scores", …
    const void* values = nullptr;
    Element element = Element::float32;
    /// Of the whole tensor: blocks that work in chunks give one chunk after another.
    std::size_t firstRow = 0;
    std::size_t rows = 0;
    std::size_t width = 0;  ///< values of a row that mean something
    std::size_t pitch = 0;  ///< values from one row to the next
};

/// Called while the steps are enqueued. To look at a tensor, enqueue a copy in the same stream:
/// later steps reuse the memory.
using StepTap = std::function<void(const StepTensor& tensor)>;

}  // namespace threefold::cuda::library
