#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/hypothesis_block.h"
#include "cuda/kernels/pooling.h"
#include "cuda/library/context.h"
#include "cuda/library/product.h"
#include "engine/model/model.h"

namespace threefold::cuda::library {

/// Weights of block `block` (from 0), the hypotheses and their Laplacian, to be copied to device
/// memory as they are, 256-byte aligned. Independent of the batch. Throws ModelError.
std::vector<std::byte> packHypothesisWeights(const Model& model, std::size_t block,
                                             Precision precision);

/// Division of a mesh's vertices into chunks whose activations fit a bound.
struct Chunks {
    int vertices = 0;  ///< vertices per chunk; the last may have fewer
    int count = 0;

    bool operator==(const Chunks&) const = default;
};

/// Nearly equal chunks of at most `bytes`, and of at least one vertex.
Chunks chunksOf(int vertices, std::size_t bytesForVertex, std::size_t bytes);

/// One hypothesis block (METHOD.md §7), layer by layer, a few hundred vertices at a time: pooling
/// at all hypotheses, five local convolutions, then the sixth, softmax and move. A convolution is
/// one product with [W0 | W1]; then a batched product adds the dense Laplacian times the right half
/// of the result to its left half; then bias, ReLU and residual. Between product and ReLU all is
/// float32; coordinates enter in float32 whatever the precision.
class HypothesisBlock {
  public:
    /// Makes one object for both blocks. `activationBytes` bounds the workspace except the
    /// libraries' own scratch memory. Throws DeviceError, OutOfDeviceMemory, DeviceLost.
    HypothesisBlock(Context& context, const Model& model, Precision precision, int batch, int views,
                    std::size_t activationBytes = std::size_t{64} << 20);

    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Computes a block as launchHypothesisBlock() does, but with packHypothesisWeights() and
    /// without ranges. Only enqueues: may be captured after a call outside of a capture.
    /// `workspace`: 256-byte aligned.
    void enqueue(Stream stream, const HypothesisArguments& arguments, std::byte* workspace,
                 const OperationHook& hook = runOperation) const;

  private:
    /// `count` vertices of one mesh of the batch, from vertex `begin` on.
    struct Chunk {
        int mesh;
        int begin;
        int count;
    };

    void enqueueChunk(Stream stream, const HypothesisArguments& arguments, std::byte* base,
                      Chunk chunk, const OperationHook& hook) const;
    /// Pooling of the chunk's features, at all hypotheses, into the workspace at `base`.
    PoolingArguments poolingOf(const HypothesisArguments& arguments, std::byte* base,
                               Chunk chunk) const;
    /// The sixth convolution of the chunk's `hidden` values, softmax and move.
    MoveVerticesArguments moveOf(const HypothesisArguments& arguments, const void* hidden,
                                 Chunk chunk) const;
    /// Index of the chunk's first vertex in the batch.
    std::int64_t firstVertexOf(Chunk chunk) const {
        return static_cast<std::int64_t>(chunk.mesh) * vertices_ + chunk.begin;
    }

    Context* context_;
    ElementType element_;
    int batch_;
    int views_;
    int vertices_;
    int hypotheses_;
    Chunks chunks_;
    Product first_;
    Product inner_;
    Product laplacian_;
    std::size_t features_ = 0;     ///< bytes into the workspace: (rows of a chunk, padded features)
    std::size_t sums_ = 0;         ///< (rows, 2 · 192) of float32
    std::size_t oddOutputs_ = 0;   ///< (rows, 192): x1, then x3, then x5
    std::size_t evenOutputs_ = 0;  ///< (rows, 192): x2, then x4
    std::size_t scratch_ = 0;      ///< scratch memory of the libraries
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
