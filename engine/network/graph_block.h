#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/compute/aligned_buffer.h"
#include "engine/mesh.h"
#include "engine/model/model.h"
#include "engine/network/onednn.h"
#include "engine/network/pooling.h"
#include "engine/network/simd/kernels.h"

namespace threefold {

/// One block of stage 1: 14 or 15 graph convolutions on one level of the template
/// (METHOD.md §6; Pixel2Mesh, Wang et al. 2018). One thread at a time.
///
/// Vertices are processed in chunks. In the hidden layers, a thread gathers a chunk's [x | L x] in
/// its cache and multiplies this matrix by [W0; W1] in one product.
class GraphBlock {
  public:
    /// `level`: index of the block in the model, from 0. Throws ModelError, DeviceError.
    GraphBlock(const Model& model, std::size_t level, int threads,
               const simd::NetworkKernels& kernels);

    struct Output {
        Points points;                   ///< absolute coordinates of the level's vertices
        std::vector<float> hidden;       ///< (vertices, 192): input of the last layer
        double poolingMilliseconds = 0;  ///< part of the run's wall time, see PoolingTimer
    };

    /// Runs the block. `points`: the level's vertices; `hidden`: (vertices, 192) or empty. Throws
    /// Cancelled.
    Output run(const Points& points, std::span<const float> hidden, const FeaturePooling& pooling,
               const std::stop_token& cancel, const std::function<void(float fraction)>& progress);

    /// Appends each edge's midpoint: the mean of its two ends (METHOD.md §6).
    static Points unpool(const Points& points, const TemplateLevel& level);
    static std::vector<float> unpool(std::span<const float> hidden, const TemplateLevel& level);

  private:
    /// Calls work(first vertex, end vertex, thread) for each chunk.
    template <class Work>
    void forEachChunk(const std::stop_token& cancel, const Work& work) const;
    /// Runs the first layer. Returns the milliseconds spent on pooling.
    double runFirstLayer(const Points& points, std::span<const float> hidden,
                         const FeaturePooling& pooling, const std::stop_token& cancel);
    void runHiddenLayer(std::size_t layer, const float* residual, const float* x, float* out,
                        const std::stop_token& cancel);
    Points runLastLayer(const float* x, const std::stop_token& cancel);

    std::size_t vertices_;
    std::size_t chunks_;
    std::size_t inputWidth_;  ///< number of pooled and hidden features of a vertex
    std::size_t paddedInput_;
    int threads_;
    const simd::NetworkKernels* kernels_;
    const SparseMatrix* laplacian_;

    onednn::Product first_;
    std::vector<float> firstBias_;
    std::vector<onednn::Product> hidden_;
    std::vector<double> lastWeights_;  ///< (192, 2 × 3): W0 | W1
    std::vector<float> lastBias_;
    std::vector<double> lastProducts_;  ///< (vertices, 2 × 3): x W0 | x W1

    AlignedBuffer<float> firstProducts_;  ///< (rows, 2 · 192): x W0 | x W1 of the first layer
    std::vector<AlignedBuffer<float>> activations_;  ///< three buffers of (rows, 192)
    std::vector<AlignedBuffer<float>> gathered_;     ///< per thread: a chunk's inputs
    std::vector<AlignedBuffer<std::byte>> scratch_;  ///< per thread: oneDNN's scratchpad
};

}  // namespace threefold
