#pragma once

#include <cstddef>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/view.h"
#include "cuda/runtime/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// Width of a row of inputs of block `level` (from 0): pooled features, above level 0 the unpooled
/// hidden ones, and the parts of coordinates (split_coordinates.h), padded to what the kernel's
/// tiles divide.
int graphInputPitch(std::size_t level);

/// Weights of all layers and the level's Laplacian in the kernel's layout, ready to be copied to
/// the device. Operands of products are rounded to `precision`; int8 uses float16. Throws
/// ModelError.
std::vector<std::byte> packGraphBlock(const Model& model, std::size_t level, Precision precision);

struct GraphBlockArguments {
    /// (batch, vertices, inputPitch) of storageOf(precision), from launchPooling with
    /// splitCoordinates; 16-byte aligned.
    const void* inputs = nullptr;
    int inputPitch = 0;  ///< graphInputPitch()
    int batch = 1;
    int vertices = 0;
    int layers = 14;          ///< at least 3
    float* points = nullptr;  ///< (batch, vertices, 3): absolute coordinates, the last layer
    /// (batch, vertices, 192) of storageOf(precision): input of the last layer, which itself takes
    /// it unrounded; 16-byte aligned.
    void* hidden = nullptr;
    const std::byte* weights = nullptr;  ///< packed, in device memory, 256-byte aligned
    std::byte* workspace = nullptr;      ///< graphBlockWorkspace() bytes, 256-byte aligned
};

/// Bytes of launchGraphBlock()'s workspace in device memory.
std::size_t graphBlockWorkspace(const DeviceLimits& limits, Precision precision, int batch,
                                int vertices);

/// Whether the kernel runs on such a device in this precision; the library path serves the others.
/// Compute capability 7.5 has float32 and float16 only.
bool graphBlockFits(const DeviceLimits& limits, Precision precision);

/// METHOD.md §6: product, Laplacian, bias, ReLU and residual of all layers of a block, in one
/// cooperative launch if the device has those, else in one launch a step. Between the layers
/// activations have the precision of float32, and the last layer is summed in float64. Sums have a
/// fixed order: the same input gives the same bits, however it was launched.
void launchGraphBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                      const GraphBlockArguments& arguments);

/// Midpoints appended (METHOD.md §6): coordinates (batch, vertices, 3) and hidden features
/// (batch, vertices, 192) of the level below become those of the next one.
struct UnpoolArguments {
    const float* points = nullptr;
    const void* hidden = nullptr;
    const unsigned* edges = nullptr;  ///< (edges, 2): TemplateLevel::unpoolEdges
    int batch = 1;
    int vertices = 0;  ///< of the level below
    int edgeCount = 0;
    Element element = Element::float32;  ///< of the hidden features
    float* pointsOut = nullptr;          ///< (batch, vertices + edges, 3)
    void* hiddenOut = nullptr;           ///< (batch, vertices + edges, 192); null: coordinates only
};
void launchUnpool(Stream stream, const UnpoolArguments& arguments);

}  // namespace threefold::cuda
