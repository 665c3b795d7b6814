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

/// One block of stage 2: every vertex moves to the mean of its hypotheses, weighted by the score
/// that six local graph convolutions give each (METHOD.md §7; Pixel2Mesh++, Wen et al. 2019).
/// One thread at a time.
///
/// A thread takes a few vertices at a time from their features to their new positions: their
/// activations stay in its cache, and no matrix of all 106 038 rows is stored.
class HypothesisBlock {
  public:
    /// Block `index` (from 0) of the model. Throws ModelError, DeviceError.
    HypothesisBlock(const Model& model, std::size_t index, Precision precision, int threads,
                    const simd::Kernels& kernels);

    /// Intermediate results for the caller; both may be empty.
    struct Taps {
        /// Features (rows, hypotheses, 339) of the first few vertices.
        std::function<void(std::span<const float> values, std::size_t rows)> features;
        std::vector<float>* scores = nullptr;  ///< becomes (vertices, hypotheses)
    };

    struct Output {
        Points points;               ///< the moved vertices
        std::vector<float> entropy;  ///< of each vertex's scores, bits
    };

    /// Throws Cancelled.
    Output run(const Points& points, const FeaturePooling& pooling, const std::stop_token& cancel,
               const std::function<void(float done)>& progress, const Taps& taps);

  private:
    /// One thread's memory for the vertices it works on.
    struct Workspace {
        AlignedBuffer<float> inputs;        ///< (rows, padded features), later (rows, 2 · 192)
        AlignedBuffer<float> joined;        ///< (rows, 2 · 192)
        AlignedBuffer<float> kept;          ///< (rows, 192): x1, then x3, then x5
        AlignedBuffer<float> passing;       ///< (rows, 192): x2, c3(x2), x4, c5(x4)
        AlignedBuffer<float> products;      ///< (rows, 2)
        AlignedBuffer<std::uint16_t> half;  ///< inputs in bfloat16, if that is the precision
        AlignedBuffer<std::byte> scratch;   ///< oneDNN's
    };

    void gather(std::span<const glm::vec3> points, const FeaturePooling& pooling,
                Workspace& space) const;
    void firstLayer(std::size_t vertices, Workspace& space) const;
    void layer(const onednn::Product& product, const float* x, float* out, std::size_t vertices,
               Workspace& space) const;
    void multiply(const onednn::Product& product, float* out, Workspace& space) const;
    struct Move {
        glm::vec3 point;
        float entropy;
    };
    Move move(glm::vec3 point, const float* products, std::span<float> scores) const;

    std::size_t hypotheses_;
    std::size_t rows_;  ///< of a chunk: its vertices × hypotheses
    std::size_t paddedInput_;
    Precision precision_;
    int threads_;
    const simd::Kernels* kernels_;
    const TemplateMesh* mesh_;

    onednn::Product first_;
    std::vector<float> firstBias_;
    std::vector<onednn::Product> layers_;  ///< local_conv2 … local_conv5
    std::vector<float> lastWeights_;       ///< local_conv6: both supports, each 192 wide
    float lastBias_ = 0.0F;
    std::vector<Workspace> spaces_;
};

}  // namespace threefold
