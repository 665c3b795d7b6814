#pragma once

#include <cstddef>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/view.h"
#include "cuda/runtime/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// Width of an input row of block `level` (from 0): pooled features, above level 0 also unpooled
/// hidden features, then split coordinates (split_coordinates.h); padded to whole weight
/// chunks.
int graphInputPitch(std::size_t level);

/// Weights of all layers and the level's Laplacian in the kernel's layout, ready to be copied to
/// the device. Operands of products are rounded to `precision`; int8 uses float16. Throws
/// ModelError.
std::vector<std::byte> packGraphBlock(const Model& model, std::size_t level, Precision precision);

/// Arguments of launchGraphBlock(). All pointers are device memory.
struct GraphBlockArguments {
    /// (batch, vertices, inputPitch) of storageOf(precision), from launchPooling with
    /// splitCoordinates; 16-byte aligned.
    const void* inputs = nullptr;
    int inputPitch = 0;  ///< graphInputPitch()
    int batch = 1;
    int vertices = 0;
    int layers = 14;  ///< number of layers, at least 3
    /// (batch, vertices, 3): output of the last layer, absolute coordinates.
    float* points = nullptr;
    /// (batch, vertices, kGraphWidth) of storageOf(precision): rounded input of the last layer (the
    /// layer itself reads the unrounded input); 16-byte aligned.
    void* hidden = nullptr;
    const std::byte* weights = nullptr;  ///< packed, in device memory, 256-byte aligned
    std::byte* workspace = nullptr;      ///< graphBlockWorkspaceBytes() bytes, 256-byte aligned
};

/// Bytes of launchGraphBlock()'s workspace in device memory.
std::size_t graphBlockWorkspaceBytes(const DeviceLimits& limits, Precision precision, int batch,
                                     int vertices);

/// Whether the fused kernel runs on this device in this precision; otherwise use the library path.
/// Compute capability 7.5 has float32 and float16 only.
bool graphBlockFits(const DeviceLimits& limits, Precision precision);

/// Computes all layers of a graph block (METHOD.md §6): product, Laplacian, bias, ReLU and
/// residual, in one cooperative launch if the device supports it, else one launch per step.
/// Activations between layers have the precision of float32; the last layer is summed in float64.
/// Sums have a fixed order: the same input gives the same bits with either kind of launch.
/// Throws DeviceError where graphBlockFits() is false, or if a launch fails.
void launchGraphBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                      const GraphBlockArguments& arguments);

}  // namespace threefold::cuda
