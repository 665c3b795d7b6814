#pragma once

#include <cstddef>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/view.h"
#include "cuda/portable/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// Width of a row of inputs of block `level` (from 0): pooled features and hidden ones, padded to
/// what the kernel's tiles divide.
int graphInputPitch(std::size_t level);

/// All layers' weights and the level's Laplacian in the layout the kernel wants, to be copied to
/// the device as they are. Throws ModelError. Precision: float32, tfloat32, float16 or bfloat16.
std::vector<std::byte> packGraphBlock(const Model& model, std::size_t level, Precision precision,
                                      const DeviceLimits& limits);

struct GraphBlockArguments {
    const void* inputs = nullptr;  ///< (batch, vertices, pitch): from launchPooling
    int batch = 1;
    int vertices = 0;
    int layers = 14;
    float* points = nullptr;  ///< (batch, vertices, 3): absolute coordinates, the last layer
    void* hidden = nullptr;   ///< (batch, vertices, 192): input of the last layer
    const std::byte* weights = nullptr;  ///< packed, in device memory, 256-byte aligned
    std::byte* workspace = nullptr;      ///< graphBlockWorkspace() bytes of device memory
};

std::size_t graphBlockWorkspace(std::size_t level, Precision precision, int batch, int vertices);

/// METHOD.md §6: product, Laplacian, bias, ReLU and residual of all layers of a block in few
/// launches; one cooperative launch where the device can.
void launchGraphBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                      const GraphBlockArguments& arguments);

/// Midpoints appended (METHOD.md §6): coordinates (batch, vertices, 3) and hidden features
/// (batch, vertices, 192) of the level below become those of the next one.
struct UnpoolArguments {
    const float* points = nullptr;
    const void* hidden = nullptr;
    const unsigned* edges = nullptr;  ///< (edges, 2)
    int batch = 1;
    int vertices = 0;  ///< of the level below
    int edgeCount = 0;
    Element element = Element::float32;  ///< of the hidden features
    float* pointsOut = nullptr;
    void* hiddenOut = nullptr;
};
void launchUnpool(Stream stream, const UnpoolArguments& arguments);

}  // namespace threefold::cuda
