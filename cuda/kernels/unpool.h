#pragma once

#include "cuda/kernels/element.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda {

/// Appends edge midpoints (METHOD.md §6): coordinates (batch, vertices, 3) and hidden features
/// (batch, vertices, kGraphWidth) of one level become those of the next.
struct UnpoolArguments {
    const float* points = nullptr;
    const void* hidden = nullptr;
    const unsigned* edges = nullptr;  ///< (edges, 2): TemplateLevel::unpoolEdges
    int batch = 1;
    int vertices = 0;  ///< number of vertices of the level below
    int edgeCount = 0;
    ElementType element = ElementType::float32;  ///< type of the hidden features
    float* pointsOut = nullptr;                  ///< (batch, vertices + edges, 3)
    void* hiddenOut = nullptr;  ///< (batch, vertices + edges, kGraphWidth); null: coordinates only
};
/// Launches the unpooling; enqueues only. Throws DeviceError if the launch fails.
void launchUnpool(Stream stream, const UnpoolArguments& arguments);

}  // namespace threefold::cuda
