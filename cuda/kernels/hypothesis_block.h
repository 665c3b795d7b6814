#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/view.h"
#include "cuda/runtime/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// Quantisation ranges of a hypothesis block: the largest magnitude among the inputs of each of its
/// six local convolutions.
struct QuantisationRanges {
    float input[6] = {};
};

/// Weights of hypothesis block `block` (from 0), the hypotheses and their Laplacian in the kernel's
/// layout, ready to be copied to the device (0.9 MB in float16). `ranges`: used in 8 bit only,
/// which rounds the inputs of the second to the fifth convolution. Throws ModelError; DeviceError
/// if the kernel does not fit (hypothesisBlockFits()); for 8 bit InputError if a range is negative
/// or not finite, or if no range is above 0.
std::vector<std::byte> packHypothesisBlock(const Model& model, std::size_t block,
                                           Precision precision, const DeviceLimits& limits,
                                           const QuantisationRanges& ranges = {});

/// Arguments of launchHypothesisBlock(). Pointers are device memory.
struct HypothesisArguments {
    const float* points = nullptr;  ///< (batch, vertices, 3)
    float* moved = nullptr;         ///< (batch, vertices, 3); must not overlap `points`
    float* scores = nullptr;        ///< null, or (batch, vertices, hypotheses)
    int batch = 1;
    int vertices = 0;
    const ViewTransform* transforms = nullptr;  ///< (batch, views)
    int views = 3;                              ///< 2 to 8
    /// 16, 32 and 64 channels of storageOf(precision), aligned to 16 bytes; sides 224, 112 and 56,
    /// or 224 divided by any other power of two.
    DeviceMap maps[3];
    const std::byte* weights = nullptr;  ///< packed, in device memory, 256-byte aligned
    /// Null, or 6 non-negative values in device memory: each becomes the larger of itself and the
    /// largest magnitude that entered its convolution (to measure quantisation ranges; in any
    /// precision but 8 bit).
    float* ranges = nullptr;
};

/// Shape of the kernel's thread blocks on a device.
struct HypothesisShape {
    int vertices = 0;  ///< vertices that a thread block takes at once
    int threads = 0;
    std::size_t sharedBytes = 0;
};

/// Largest shape that fits the device's shared memory; nullopt if none fits or the device lacks the
/// precision (bfloat16, tfloat32 and int8 need compute capability 8.0).
std::optional<HypothesisShape> hypothesisBlockShape(const DeviceLimits& limits,
                                                    Precision precision);

/// Whether the fused kernel runs on this device in this precision with this many hypotheses (1 to
/// 48); otherwise use the library path.
bool hypothesisBlockFits(const DeviceLimits& limits, Precision precision, int hypotheses);

/// Computes a hypothesis block (METHOD.md §7) from vertex to moved vertex in one kernel:
/// activations never leave the chip. The same input gives the same bits. In float16 and 8 bit
/// activations saturate at 65504. Throws InputError if the arguments contradict
/// HypothesisArguments, DeviceError if the kernel does not fit or its launch is refused. Does
/// nothing without vertices.
void launchHypothesisBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                           const HypothesisArguments& arguments);

}  // namespace threefold::cuda
