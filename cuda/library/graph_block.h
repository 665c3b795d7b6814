#pragma once

#include <cstddef>
#include <vector>

#include "cuda/kernels/graph_block.h"
#include "cuda/library/context.h"
#include "cuda/library/laplacian.h"
#include "cuda/library/product.h"
#include "engine/model/model.h"

namespace threefold::cuda::library {

/// Width of a row of inputs of block `level` (from 0): pooled features and, but for the first
/// level, the hidden ones of the level below; padded to what vector loads divide. The pitch for
/// launchPooling().
int graphInputWidth(std::size_t level);

/// All layers' weights and the level's Laplacian, to be copied to device memory as they are,
/// 256-byte aligned. The same for any batch. Throws ModelError.
std::vector<std::byte> packGraphWeights(const Model& model, std::size_t level, Precision precision);

/// METHOD.md §6, one block layer by layer: a product with both supports' weights side by side, the
/// Laplacian over its right half, then bias, ReLU and residual. Between product and ReLU all is
/// float32; coordinates enter the first layer in float32 and leave the last in float64's sums
/// whatever the precision.
class GraphBlock {
  public:
    /// Copies the level's Laplacian to the device. Throws DeviceError, OutOfDeviceMemory,
    /// DeviceLost.
    GraphBlock(Context& context, const Model& model, std::size_t level, Precision precision,
               int batch);

    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// As launchGraphBlock(), but with inputs of graphInputWidth(), of which the first three
    /// columns are not used, packGraphWeights() and workspaceBytes(). `pooledAt` (batch, vertices,
    /// 3): where the inputs were pooled, unrounded. Only enqueues: may be captured, once it has run
    /// outside of a capture.
    void enqueue(Stream stream, const GraphBlockArguments& arguments, const float* pooledAt,
                 const StepHook& step = runStep) const;

  private:
    Context* context_;
    std::size_t level_;
    Element element_;
    int batch_;
    int vertices_;
    std::size_t nonZeros_;
    Laplacian laplacian_;
    Product first_;
    Product others_;
    std::size_t sums_ = 0;        ///< bytes into the workspace: (rows, 2 · 192) of float32
    std::size_t activation_ = 0;  ///< (rows, 192)
    std::size_t scratch_ = 0;     ///< the libraries'
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
