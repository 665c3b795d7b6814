#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "cuda/backend/kernel_source.h"
#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/element.h"
#include "cuda/kernels/hypothesis_block.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// Quantisation ranges of both hypothesis blocks, for packing 8-bit weights.
using BlockQuantisationRanges = std::array<QuantisationRanges, kPublishedHypothesisBlocks>;

/// Kernels that compute the graph and hypothesis blocks on a device: fused or the library's.
/// Convolutions always use the library.
struct KernelChoice {
    bool fusedGraph = true;
    bool fusedHypotheses = true;

    /// The kernels that a device runs.
    static KernelChoice on(const DeviceLimits& limits, Precision precision, int hypotheses,
                           KernelSource kernels);
    /// `library` if one of the blocks is not fused.
    KernelSource source() const {
        return fusedGraph && fusedHypotheses ? KernelSource::fused : KernelSource::library;
    }
    /// "fused kernels", "library kernels" or "fused and library kernels".
    std::string_view text() const;
};

/// Device, precision and kernels of a network, which determine the layout of its weights and its
/// launches.
struct NetworkConfiguration {
    DeviceLimits limits;
    Precision precision;
    KernelChoice choice;
};

/// Template and weights in device memory, in the layouts of the chosen kernels and the library.
/// Uploaded once and never changed, so that the CUDA graphs of all batch sizes share this memory.
class DeviceModel {
  public:
    /// Blocks until the upload is complete. Throws ModelError, OutOfDeviceMemory, DeviceError.
    DeviceModel(std::shared_ptr<const Model> model, const NetworkConfiguration& configuration,
                const BlockQuantisationRanges& ranges, MemoryPool& pool, Stream stream);

    const Model& model() const { return *model_; }
    const NetworkConfiguration& configuration() const { return configuration_; }
    int vertices(std::size_t level) const {
        return static_cast<int>(model_->templateMesh.levels[level].vertexCount);
    }
    int levels() const { return static_cast<int>(model_->templateMesh.levels.size()); }
    int hypothesisCount() const {
        return static_cast<int>(model_->templateMesh.hypothesisOffsets.size());
    }

    const float* coordinates() const { return at<float>(coordinates_); }  ///< (vertices, 3)
    const float* hypotheses() const { return at<float>(hypotheses_); }    ///< (count, 3)
    /// (edges, 2): edges whose midpoints the next level adds.
    const unsigned* unpoolEdges(std::size_t level) const {
        return at<unsigned>(edgeOffsets_[level]);
    }
    const std::byte* cnnWeights(std::size_t stage) const {
        return at<std::byte>(cnnOffsets_[stage]);
    }
    const std::byte* graphBlockWeights(std::size_t level) const {
        return at<std::byte>(graphOffsets_[level]);
    }
    const std::byte* hypothesisBlockWeights(std::size_t block) const {
        return at<std::byte>(blockOffsets_[block]);
    }
    /// Bytes of the weights that one block reads.
    std::size_t graphBlockBytes(std::size_t level) const {
        return (level + 1 < graphOffsets_.size() ? graphOffsets_[level + 1] : blockOffsets_[0]) -
               graphOffsets_[level];
    }
    std::size_t hypothesisBlockBytes(std::size_t block) const {
        return (block + 1 < blockOffsets_.size() ? blockOffsets_[block + 1] : memory_.size()) -
               blockOffsets_[block];
    }

  private:
    template <class T>
    const T* at(std::size_t offset) const {
        return reinterpret_cast<const T*>(memory_.data() + offset);
    }

    std::shared_ptr<const Model> model_;
    NetworkConfiguration configuration_;
    PooledMemory memory_;
    std::size_t coordinates_ = 0;
    std::size_t hypotheses_ = 0;
    std::vector<std::size_t> edgeOffsets_;
    std::array<std::size_t, 2> cnnOffsets_{};  ///< of stage 1 and of stage 2
    std::vector<std::size_t> graphOffsets_;
    std::vector<std::size_t> blockOffsets_;
};

}  // namespace threefold::cuda
