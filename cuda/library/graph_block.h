#pragma once

#include <cstddef>
#include <vector>

#include "cuda/library/context.h"
#include "cuda/library/laplacian.h"
#include "cuda/library/product.h"
#include "cuda/library/step.h"
#include "engine/model/model.h"

namespace threefold::cuda::library {

/// Width of a row of inputs of block `level` (from 0): pooled features and, but for the first
/// level, the hidden ones of the level below; padded to what cuBLASLt's vector loads divide. The
/// pitch that launchPooling() is asked for.
int graphInputWidth(std::size_t level);

/// All layers' weights of a block, to be copied to device memory as they are (256-byte aligned).
/// Throws ModelError. 8-bit precisions are float16 here.
std::vector<std::byte> packGraphBlockWeights(const Model& model, std::size_t level,
                                             Precision precision);

struct GraphBlockInputs {
    const void* inputs = nullptr;  ///< (batch, vertices, graphInputWidth) of storageOf(precision)
    const float* points =
        nullptr;  ///< (batch, vertices, 3): the first three of each row, unrounded
    const std::byte* weights = nullptr;
    float* pointsOut = nullptr;      ///< (batch, vertices, 3): absolute coordinates
    void* hidden = nullptr;          ///< (batch, vertices, 192) of storageOf(precision)
    std::byte* workspace = nullptr;  ///< workspaceBytes(), 256-byte aligned
};

/// METHOD.md §6, one block layer by layer: a product with both supports' weights side by side, the
/// Laplacian over its right half, then bias, ReLU and residual. Between product and epilogue all is
/// float32; coordinates enter the first layer in float32 whatever the precision.
class GraphBlock {
  public:
    /// Copies the level's Laplacian to the device. Throws DeviceError, OutOfDeviceMemory,
    /// ModelError.
    GraphBlock(Context& context, const Model& model, std::size_t level, Precision precision,
               int batch);

    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured. `tap` sees "layer 0" … and "hidden".
    void enqueue(Stream stream, const GraphBlockInputs& arguments, const StepTap& tap = {}) const;

  private:
    Context* context_;
    std::size_t level_;
    Precision precision_;
    int batch_;
    int vertices_;
    std::size_t layers_;
    Laplacian laplacian_;
    Product first_;
    Product hidden_;
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
