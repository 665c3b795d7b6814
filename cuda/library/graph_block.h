#pragma once

#include <cstddef>
#include <vector>

#include "cuda/kernels/graph_block.h"
#include "cuda/library/context.h"
#include "cuda/library/laplacian.h"
#include "cuda/library/product.h"
#include "engine/model/model.h"

namespace threefold::cuda::library {

/// Width of an input row of block `level` (from 0): pooled features and, above level 0, hidden
/// features of the level below; padded for vector loads. The pitch for launchPooling().
int paddedGraphInputWidth(std::size_t level);

/// All layers' weights and the level's Laplacian, to be copied to device memory as they are,
/// 256-byte aligned. Independent of the batch. Throws ModelError.
std::vector<std::byte> packGraphWeights(const Model& model, std::size_t level, Precision precision);

/// One graph block (METHOD.md §6), layer by layer: a product with [W0 | W1], the Laplacian times
/// the right half of its result, then bias, ReLU and residual. Between product and ReLU all is
/// float32; coordinates enter the first layer in float32; the last layer is summed in float64 in
/// every precision.
class GraphBlock {
  public:
    /// Copies the level's Laplacian to the device. Throws DeviceError, OutOfDeviceMemory,
    /// DeviceLost.
    GraphBlock(Context& context, const Model& model, std::size_t level, Precision precision,
               int batch);

    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Enqueues the block as launchGraphBlock(), but with inputs of paddedGraphInputWidth() (first
    /// three columns unused), weights of packGraphWeights() and workspaceBytes(). `pooledAt`
    /// (batch, vertices, 3): unrounded coordinates at which the inputs were pooled. Only enqueues:
    /// may be captured, once it has run outside of a capture.
    void enqueue(Stream stream, const GraphBlockArguments& arguments, const float* pooledAt,
                 const OperationHook& hook = runOperation) const;

  private:
    /// Enqueues the last layer, from `hidden` values to points.
    void enqueueOutput(Stream stream, const GraphBlockArguments& arguments, const void* hidden,
                       const OperationHook& hook) const;

    Context* context_;
    std::size_t level_;
    ElementType element_;
    int batch_;
    int vertices_;
    std::size_t nonZeros_;
    Laplacian laplacian_;
    Product first_;
    Product inner_;
    std::size_t sums_ = 0;        ///< bytes into the workspace: (rows, 2 · 192) of float32
    std::size_t activation_ = 0;  ///< (rows, 192)
    std::size_t scratch_ = 0;     ///< scratch memory of the libraries
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
