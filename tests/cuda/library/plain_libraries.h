#pragma once

#include <cstddef>
#include <memory>

#include "cuda/library/context.h"
#include "tests/cuda/runtime/fake_device.h"

/// NVIDIA's libraries as plain loops over host memory, so that the blocks that are made of them run
/// without a GPU: Product, Laplacian and Context of cuda/library are defined anew in
/// plain_libraries.cpp; so is launchPooling() in plain_pooling.cpp, for those who list that, too.
namespace threefold::cuda::test {

/// Feature `column` (from 3 on) of the stand-in for pooling at a point: an arbitrary function of
/// all inputs, so that a missing one changes the result. `view` and `map`: the first numbers of the
/// mesh's own transforms and of a map's own images.
float plainFeature(const float* point, std::size_t column, double view, float map);

}  // namespace threefold::cuda::test
