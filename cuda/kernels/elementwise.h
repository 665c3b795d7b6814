#pragma once

#include <cstdint>

#include "cuda/kernels/element.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda {

/// Elementwise kernels between the libraries' products (METHOD.md §6, §7). All pointers are device
/// memory, 16-byte aligned. Each launch throws InputError for unsupported shapes, DeviceError if it
/// fails.

/// out = scale · (max(sums + bias, 0) + residual), value by value.
struct LayerEpilogueArguments {
    const float* sums = nullptr;     ///< (rows, sumsPitch); the first `width` columns are used
    int sumsPitch = 0;               ///< a multiple of 4
    const float* bias = nullptr;     ///< (width)
    const void* residual = nullptr;  ///< null, or (rows, width) of `element`; may be `out`
    float scale = 1.0F;              ///< ½ to average a graph layer with the layer two before it
    std::int64_t rows = 0;
    int width = 0;  ///< a multiple of 4
    ElementType element = ElementType::float32;
    void* out = nullptr;  ///< (rows, width) of `element`
};
/// Launches the epilogue; enqueues only.
void launchLayerEpilogue(Stream stream, const LayerEpilogueArguments& arguments);

/// sums += p · weights, where p is the row's coordinates in float32, which the product of the
/// rounded features leaves out.
struct AddCoordinatesArguments {
    const float* points = nullptr;  ///< (points, 3)
    /// Null: rows are points. Or (offsetCount, 3): rows are (points, offsets), p = point + offset.
    const float* offsets = nullptr;
    int offsetCount = 1;
    const float* weights = nullptr;  ///< (3, width)
    std::int64_t rows = 0;
    int width = 0;          ///< a multiple of 4
    float* sums = nullptr;  ///< (rows, width)
};
/// Launches the sums; enqueues only.
void launchAddCoordinates(Stream stream, const AddCoordinatesArguments& arguments);

/// Last graph layer: linear, three columns, in float64, since the published sampler truncates the
/// pixels to which the layer's points project.
struct GraphOutputArguments {
    const void* hidden = nullptr;  ///< (batch, vertices, width) of `element`
    ElementType element = ElementType::float32;
    int width = 0;
    int batch = 1;
    int vertices = 0;
    const std::uint32_t* rowOffsets = nullptr;  ///< the level's Laplacian: (vertices + 1)
    const std::uint32_t* columns = nullptr;
    const float* values = nullptr;
    const float* weights = nullptr;  ///< (width, 6): three columns of W0, then three of W1
    const float* bias = nullptr;     ///< (3)
    float* points = nullptr;         ///< (batch, vertices, 3)
};
/// Launches the layer; enqueues only.
void launchGraphOutput(Stream stream, const GraphOutputArguments& arguments);

/// Sixth local convolution (one column), softmax over a vertex's hypotheses, and the vertex's move.
struct MoveVerticesArguments {
    const void* hidden = nullptr;  ///< (vertices, hypotheses, width) of `element`
    ElementType element = ElementType::float32;
    int width = 0;
    int vertices = 0;
    int hypotheses = 0;                ///< 1 to 1024
    const float* weights = nullptr;    ///< (2, width): W0, then W1
    const float* bias = nullptr;       ///< (1)
    const float* laplacian = nullptr;  ///< (hypotheses, hypotheses), dense
    const float* offsets = nullptr;    ///< (hypotheses, 3)
    const float* points = nullptr;     ///< (vertices, 3)
    float* moved = nullptr;            ///< (vertices, 3)
    float* scores = nullptr;           ///< null, or (vertices, hypotheses): after the softmax
};
/// Launches the layer; enqueues only. Throws InputError unless there are 1 to 1024 hypotheses.
void launchMoveVertices(Stream stream, const MoveVerticesArguments& arguments);

}  // namespace threefold::cuda
