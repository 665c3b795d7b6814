#pragma once

#include <cstddef>

#include "engine/model/model.h"
#include "engine/stage.h"

namespace threefold {

/// Rows and widths of the product that dominates the method's work (METHOD.md §8).
inline constexpr std::size_t kProductRows = 106038;
inline constexpr std::size_t kProductInner = 192;
inline constexpr std::size_t kProductOuter = 384;

/// This machine's rate of multiplication in Gflop/s: 2 · rows · inner · outer over the median time
/// of oneDNN's own float32 product as one call on `threads` threads (0: as many as the process may
/// use). Throws DeviceError.
double measureProductRate(int threads, int repeats);

/// Multiply-adds × 2 that METHOD.md's equations need in one stage (0 for `load` and `preprocess`).
double multiplyAddFlop(const Model& model, Stage stage, std::size_t views);

/// Least bytes that one stage must read or write: its weights, inputs and outputs, each once, and
/// nothing between its layers. `bytesPerValue` applies to weights, maps and features; coordinates
/// are float32, images 8-bit RGBA of 224 × 224. 0 for `load`.
double minimumTrafficBytes(const Model& model, Stage stage, std::size_t views,
                           std::size_t bytesPerValue);

}  // namespace threefold
