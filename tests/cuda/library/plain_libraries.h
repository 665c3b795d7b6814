#pragma once

#include <cstddef>
#include <memory>

#include "cuda/library/context.h"
#include "tests/cuda/runtime/fake_device.h"

/// NVIDIA's libraries as plain loops over host memory, so that the blocks that call them run
/// without a GPU. plain_libraries.cpp replaces Product, Laplacian and Context of cuda/library;
/// plain_pooling.cpp, which targets may add, replaces launchPooling().
namespace threefold::cuda::test {

/// Feature `column` (from 3 on) that the stand-in for pooling computes at a point: an arbitrary
/// function of all inputs, so that a missing input changes the result. `view`: first number of the
/// mesh's own transforms; `map`: first number of the mesh's own images in a map.
float plainFeature(const float* point, std::size_t column, double view, float map);

}  // namespace threefold::cuda::test
