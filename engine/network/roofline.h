#pragma once

#include <cstddef>

#include "engine/model/model.h"
#include "engine/model/run_step.h"
#include "engine/network/precision.h"

namespace threefold {

/// Shape of the matrix product that dominates the method's work (METHOD.md §8).
inline constexpr std::size_t kProductRows = 106038;
inline constexpr std::size_t kProductInner = 192;
inline constexpr std::size_t kProductColumns = 384;

/// Measures this machine's product rate in Gflop/s: 2 · rows · inner · columns divided by the
/// median time of one oneDNN float32 product on `threads` threads (0: as many as the process may
/// use). Throws DeviceError.
double measureGflopPerSecond(int threads, int repeats);

/// Measures the rate of one thread at the products of a hypothesis block, in Gflop/s: the best of
/// five measurements, about 10 ms in all. `precision`: float32, or bfloat16 or int8 if the
/// processor has that arithmetic. Throws DeviceError, std::bad_alloc.
double measureBlockGflopPerSecond(Precision precision);

/// Operations (multiply-adds × 2) of METHOD.md's equations for one run step; 0 for `load`,
/// `preprocess` and projections.
double minimumFlop(const Model& model, RunStep step, std::size_t views);

/// Minimum memory traffic of one run step in bytes: weights, inputs and outputs once each. Values
/// between the step's layers are not counted. `bytesPerValue` applies to weights, maps and
/// features; coordinates are float32, images 8-bit RGBA of 224 × 224. 0 for `load`, and for
/// project2, whose maps count as inputs of the hypothesis blocks.
double minimumTrafficBytes(const Model& model, RunStep step, std::size_t views,
                           std::size_t bytesPerValue);

}  // namespace threefold
