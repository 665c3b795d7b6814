#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/view.h"
#include "cuda/runtime/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// The largest magnitude that enters each of the six local convolutions of a block, from
/// calibration: what an 8-bit step is scaled by.
struct HypothesisRanges {
    float input[6] = {};
};

/// Weights, hypotheses and their Laplacian of block `block` (from 0) in the layout the kernel
/// wants, to be copied to the device as they are (0.9 MB in float16). `ranges` only for 8
/// bit, which rounds the inputs of the second to the fifth convolution.
/// Throws ModelError; DeviceError where the kernel does not fit (see hypothesisBlockFits); for 8
/// bit InputError where a range is negative, not finite, or none of them is above 0.
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
    /// 16, 32 and 64 channels of storageOf(precision), aligned to 16 bytes; sides 224, 112 and 56,
    /// or 224 divided by any other power of two.
    DeviceMap maps[3];
    const std::byte* weights = nullptr;  ///< packed, in device memory, 256-byte aligned
    /// Null, or 6 values in device memory, 0 or more: each becomes the larger of itself and the
    /// largest magnitude that entered its convolution (calibration; any precision but 8 bit).
    float* ranges = nullptr;
};

/// How a block of threads is made for a device.
struct HypothesisShape {
    int vertices = 0;  ///< that a block takes at once
    int threads = 0;
    std::size_t sharedBytes = 0;
};

/// The largest shape that the device's shared memory holds; nothing where the precision is not the
/// device's (bfloat16, tfloat32 and int8 from 8.0 on, float8 from 8.9 on) or no shape is small
/// enough.
std::optional<HypothesisShape> hypothesisBlockShape(const DeviceLimits& limits,
                                                    Precision precision);

/// Whether the fused kernel runs on such a device in this precision, with so many hypotheses (1 to
/// 48); the library path is there for the others.
bool hypothesisBlockFits(const DeviceLimits& limits, Precision precision, int hypotheses);

/// METHOD.md §7 from vertex to moved vertex in one kernel: activations never leave the chip. The
/// same input gives the same bits. Activations beyond 65504 stay 65504 in float16 and 8 bit.
/// Throws InputError where the arguments contradict the above, DeviceError where the kernel does
/// not fit or is refused. Nothing is done where there are no vertices.
void launchHypothesisBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                           const HypothesisArguments& arguments);

}  // namespace threefold::cuda
