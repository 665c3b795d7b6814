#pragma once

#include <cstddef>
#include <vector>

#include "cuda/kernels/view.h"
#include "cuda/library/context.h"
#include "cuda/library/product.h"
#include "cuda/library/step.h"
#include "engine/model/model.h"

namespace threefold::cuda::library {

/// Weights of block `block` (from 0), the hypotheses and their Laplacian, to be copied to device
/// memory as they are (256-byte aligned). Throws ModelError. 8-bit precisions are float16 here.
std::vector<std::byte> packHypothesisBlockWeights(const Model& model, std::size_t block,
                                                  Precision precision);

struct HypothesisBlockInputs {
    const float* points = nullptr;              ///< (batch, vertices, 3)
    float* moved = nullptr;                     ///< the same shape; may not be `points`
    float* scores = nullptr;                    ///< null, or (batch, vertices, hypotheses)
    const ViewTransform* transforms = nullptr;  ///< (batch, views)
    DeviceMap maps[3];                          ///< 16, 32 and 64 channels of storageOf(precision)
    const std::byte* weights = nullptr;
    std::byte* workspace = nullptr;  ///< workspaceBytes(), 256-byte aligned
};

/// How a block's vertices are cut so that its activations fit a bound.
struct Chunks {
    int vertices = 0;  ///< of each but the last, which may have fewer
    int count = 0;

    bool operator==(const Chunks&) const = default;
};
/// Equal chunks of at most `bytes` and at least one vertex.
Chunks chunksOf(int vertices, std::size_t bytesForVertex, std::size_t bytes);

/// METHOD.md §7, one block layer by layer, a few hundred vertices at a time: pooling at all
/// hypotheses, five local convolutions (product, dense Laplacian as a batched product, bias, ReLU
/// and residual), then the sixth, softmax and move. Sums and what lies between product and ReLU are
/// float32; coordinates enter in float32 whatever the precision.
class HypothesisBlock {
  public:
    /// `activationBytes` bounds workspaceBytes(), libraries' own apart. Throws DeviceError,
    /// OutOfDeviceMemory.
    HypothesisBlock(Context& context, const Model& model, Precision precision, int batch,
                    int vertices, int views, std::size_t activationBytes = std::size_t{64} << 20);

    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured. The same object serves both blocks. `tap` sees "features"
    /// and "layer 1" … "layer 5" chunk by chunk, rows being (batch, vertices, hypotheses).
    void enqueue(Stream stream, const HypothesisBlockInputs& arguments,
                 const StepTap& tap = {}) const;

  private:
    Context* context_;
    Precision precision_;
    int batch_;
    int vertices_;
    int views_;
    int hypotheses_;
    Chunks chunks_;
    Product first_;
    Product hidden_;
    Product laplacian_;
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
