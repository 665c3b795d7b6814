#pragma once

#include <array>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/compute/aligned_buffer.h"
#include "engine/mesh.h"
#include "engine/model/model.h"
#include "engine/network/onednn.h"
#include "engine/network/pooling.h"
#include "engine/network/simd/kernels.h"

namespace threefold {

/// Quantisation ranges: the largest value of each operand of a hypothesis block's products,
/// measured on quantisation samples. They determine the 8-bit quantisation steps. Operands are
/// never negative: they are outputs of a ReLU, or pooled from such outputs.
struct OperandRanges {
    std::vector<float> features;    ///< one for each pooled feature, without the position
    std::array<float, 4> inputs{};  ///< one for the inputs of each of local_conv2 … local_conv5

    void include(const OperandRanges& other);
};

/// One block of stage 2: every vertex moves to the mean of its hypotheses, weighted by the scores
/// that six local graph convolutions compute (METHOD.md §7; Pixel2Mesh++, Wen et al. 2019).
/// One thread at a time.
///
/// A thread processes a few vertices at a time, from features to new positions: the activations
/// stay in its cache, and no matrix with a row for every hypothesis of every vertex is stored.
class HypothesisBlock {
  public:
    /// `index`: index of the block in the model, from 0. bfloat16 and int8 pool bfloat16 maps. int8
    /// derives its quantisation steps from `ranges`, which must be finite; larger values saturate.
    /// Throws ModelError, DeviceError, InputError (int8: ranges that are missing or invalid).
    HypothesisBlock(const Model& model, std::size_t index, Precision precision, int threads,
                    const simd::NetworkKernels& kernels, const OperandRanges& ranges = {});

    /// Intermediate results for the caller; each may be empty or null.
    struct ExtraOutputs {
        /// Receives features (vertices, hypotheses, kStage2FeatureWidth) of the first few vertices.
        std::function<void(std::span<const float> values, std::size_t vertices)> features;
        std::vector<float>* scores = nullptr;  ///< receives the scores, (vertices, hypotheses)
        OperandRanges* ranges = nullptr;       ///< extended by this run's ranges; not in int8
    };

    struct Output {
        Points points;                   ///< the moved vertices
        std::vector<float> entropy;      ///< entropy of each vertex's scores, in bits
        double poolingMilliseconds = 0;  ///< part of the run's wall time, see PoolingTimer
    };

    /// Moves all points. Throws Cancelled.
    Output run(const Points& points, const FeaturePooling& pooling, const std::stop_token& cancel,
               const std::function<void(float fraction)>& progress, const ExtraOutputs& extra);

  private:
    /// One thread's buffers for a chunk of vertices. An operand is an input of a product, in the
    /// products' precision.
    struct Workspace {
        AlignedBuffer<std::byte> features;  ///< operand (rows, pooled features)
        AlignedBuffer<std::byte> inputs;    ///< operand (rows, 192): x1 to x4
        /// (rows, 2 · 192): x W₀ | x W₁, where W₀ are the weights of the identity, W₁ those of the
        /// Laplacian.
        AlignedBuffer<float> products;
        AlignedBuffer<float> residuals;     ///< (rows, 192): x1, then x3, then x5
        AlignedBuffer<float> bias;          ///< (hypotheses, 192): bias of the first layer
        AlignedBuffer<float> lastProducts;  ///< (rows, 2): x5 W₀, x5 W₁ of local_conv6
        AlignedBuffer<std::byte> scratch;   ///< oneDNN's scratchpad
        OperandRanges ranges;  ///< over this thread's chunks, if ExtraOutputs::ranges is set
    };

    /// Contribution of position and bias to the first layer, added in float32, so that coordinates
    /// are not rounded to the operands' precision.
    struct FirstBias {
        std::vector<float> table;  ///< (hypotheses, 192): from the hypotheses' offsets and the bias
        std::vector<float> rowSums;   ///< row sums of the Laplacian, one for each hypothesis
        std::vector<float> position;  ///< (3, 2 · 192): the coordinates' weights W₀ | W₁
    };
    static FirstBias makeFirstBias(const Model& model, const std::string& name,
                                   std::span<const float> weights);

    void gather(std::span<const glm::vec3> points, const FeaturePooling& pooling,
                Workspace& workspace) const;
    void runFirstLayer(std::span<const glm::vec3> points, Workspace& workspace) const;
    /// Runs one of the convolutions 2 … 5 for the chunk.
    void runLayer(std::size_t convolution, std::size_t vertices, Workspace& workspace) const;
    /// Makes one vertex's input of the next convolution from the product of convolution 1 … 5.
    void applyEpilogue(std::size_t convolution, std::size_t vertex, const float* bias,
                       std::size_t biasStride, Workspace& workspace) const;
    void measureFeatures(std::size_t vertices, Workspace& workspace) const;
    void measureInputs(std::size_t convolution, std::size_t vertices, Workspace& workspace) const;
    /// Converts the first `count` operands, in rows of `inverseScales.size()` columns, to float32.
    /// `inverseScales` is used in int8 only.
    std::vector<float> toFloats(const AlignedBuffer<std::byte>& operands, std::size_t count,
                                std::span<const float> inverseScales) const;
    /// Features of the chunk with their positions: (points, hypotheses, kStage2FeatureWidth).
    std::vector<float> featuresOf(std::span<const glm::vec3> points,
                                  const Workspace& workspace) const;
    /// New position of a vertex, and the entropy of its scores in bits.
    struct MovedVertex {
        glm::vec3 point;
        float entropy;
    };
    MovedVertex moveVertex(glm::vec3 point, const float* products, std::span<float> scores) const;

    std::size_t hypotheses_;
    std::size_t rows_;          ///< rows of a chunk: vertices × hypotheses
    std::size_t operandBytes_;  ///< bytes of one operand value
    Precision precision_;
    int threads_;
    const simd::NetworkKernels* kernels_;
    const TemplateMesh* mesh_;

    /// Quantisation steps per unit, of each pooled feature.
    std::vector<float> featureInverseScales_;
    /// Quantisation steps per unit, of the inputs of convolutions 2 … 5.
    std::array<float, 4> inputInverseScales_{};

    onednn::Product first_;  ///< first product, of the features without the position
    FirstBias firstBias_;
    struct Layer {
        onednn::Product product;
        std::vector<float> bias;
    };
    std::vector<Layer> layers_;       ///< local_conv2 … local_conv5
    std::vector<float> lastWeights_;  ///< local_conv6: W0 and W1, 192 each
    float lastBias_ = 0.0F;
    std::vector<Workspace> workspaces_;
};

}  // namespace threefold
