#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/view.h"
#include "cuda/portable/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// The largest magnitude that enters each of the six local convolutions of a block, from
/// calibration: what an 8-bit step is scaled by.
struct HypothesisRanges {
    float input[6] = {};
};

/// Weights, hypotheses and their Laplacian of block `block` (from 0) in the layout the kernel
/// wants, to be copied to the device as they are. Throws ModelError. `ranges` only for 8 bit.
std::vector<std::byte> packHypothesisBlock(const Model& model, std::size_t block,
                                           Precision precision, const DeviceLimits& limits,
                                           const HypothesisRanges& ranges = {});

struct HypothesisArguments {
    const float* points = nullptr;  ///< (batch, vertices, 3)
    float* moved = nullptr;         ///< the same shape; may not be `points`
    float* scores = nullptr;        ///< null, or (batch, vertices, hypotheses)
    int batch = 1;
    int vertices = 0;
    const ViewTransform* transforms = nullptr;  ///< (batch, views)
    int views = 3;                              ///< 2 to 8
    DeviceMap maps[3];                          ///< 16, 32 and 64 channels of storageOf(precision)
    const std::byte* weights = nullptr;         ///< packed, in device memory, 256-byte aligned
    /// Null, or 6 values in device memory: the largest magnitude that entered each convolution is
    /// kept there (calibration; any precision but 8 bit).
    float* ranges = nullptr;
};

/// Whether the fused kernel runs on such a device in this precision, with so many hypotheses; the
/// library path is there for the others.
bool hypothesisBlockFits(const DeviceLimits& limits, Precision precision, int hypotheses);

/// METHOD.md §7 from vertex to moved vertex in one kernel: activations never leave the chip.
void launchHypothesisBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                           const HypothesisArguments& arguments);

}  // namespace threefold::cuda
