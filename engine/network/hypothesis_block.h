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

/// Largest values that enter a hypothesis block's products: what the steps of 8 bit are made from.
/// None is below 0: features come from maps after a ReLU, and so do the layers' inputs.
struct ProductRanges {
    std::vector<float> features;    ///< of each pooled feature, without the position
    std::array<float, 4> inputs{};  ///< of local_conv2 … local_conv5

    void include(const ProductRanges& other);
};

/// One block of stage 2: every vertex moves to the mean of its hypotheses, weighted by the score
/// that six local graph convolutions give each (METHOD.md §7; Pixel2Mesh++, Wen et al. 2019).
/// One thread at a time.
///
/// A thread takes a few vertices at a time from their features to their new positions: their
/// activations stay in its cache, and no matrix of all 106 038 rows is stored.
class HypothesisBlock {
  public:
    /// Block `index` (from 0) of the model. In bfloat16 and int8 the maps that it pools are of
    /// bfloat16; int8 takes its steps from `ranges`, all finite, and what exceeds them saturates.
    /// Throws ModelError, DeviceError, InputError.
    HypothesisBlock(const Model& model, std::size_t index, Precision precision, int threads,
                    const simd::Kernels& kernels, const ProductRanges& ranges = {});

    /// Intermediate results for the caller; both may be empty.
    struct Taps {
        /// Features (rows, hypotheses, 339) of the first few vertices.
        std::function<void(std::span<const float> values, std::size_t rows)> features;
        std::vector<float>* scores = nullptr;  ///< becomes (vertices, hypotheses)
        ProductRanges* ranges = nullptr;       ///< grows to hold this run; not in int8
    };

    struct Output {
        Points points;                   ///< the moved vertices
        std::vector<float> entropy;      ///< of each vertex's scores, bits
        double poolingMilliseconds = 0;  ///< of the run's wall time, see PoolingClock
    };

    /// Throws Cancelled.
    Output run(const Points& points, const FeaturePooling& pooling, const std::stop_token& cancel,
               const std::function<void(float done)>& progress, const Taps& taps);

  private:
    /// One thread's memory for the vertices it works on. An operand is a product's input in the
    /// precision of the products.
    struct Workspace {
        AlignedBuffer<std::byte> features;  ///< operand (rows, pooled features)
        AlignedBuffer<std::byte> inputs;    ///< operand (rows, 192): x1 to x4
        AlignedBuffer<float> products;      ///< (rows, 2 · 192), of both supports
        AlignedBuffer<float> kept;          ///< (rows, 192): x1, then x3, then x5
        AlignedBuffer<float> bias;          ///< (hypotheses, 192) of the first layer
        AlignedBuffer<float> scores;        ///< (rows, 2)
        AlignedBuffer<std::byte> scratch;   ///< oneDNN's
        ProductRanges ranges;               ///< of what this thread saw, where asked for
    };

    /// What position and bias add to the first layer. They are linear in both the vertex and a
    /// hypothesis's offset, so no product has to carry the coordinates and no rounding of operands
    /// touches them.
    struct FirstBias {
        std::vector<float> table;     ///< (hypotheses, 192): of the offsets and the bias
        std::vector<float> rowSums;   ///< of the Laplacian
        std::vector<float> position;  ///< (3, 2 · 192): weights of both supports
    };
    static FirstBias makeFirstBias(const Model& model, const std::string& name,
                                   std::span<const float> weights);

    void gather(std::span<const glm::vec3> points, const FeaturePooling& pooling,
                Workspace& space) const;
    void firstLayer(std::span<const glm::vec3> points, Workspace& space) const;
    /// Convolution 2 … 5 of the chunk.
    void layer(std::size_t convolution, std::size_t vertices, Workspace& space) const;
    /// Mixes one vertex's product of convolution 1 … 5 into the next one's input.
    void join(std::size_t convolution, std::size_t vertex, const float* bias,
              std::size_t biasStride, Workspace& space) const;
    void measureFeatures(std::size_t vertices, Workspace& space) const;
    void measureInputs(std::size_t convolution, std::size_t vertices, Workspace& space) const;
    /// The operands in the workspace, `count` of them, as float32.
    std::vector<float> floats(const AlignedBuffer<std::byte>& operands, std::size_t count) const;
    /// (points, hypotheses, 339), as the first product reads them.
    std::vector<float> featuresOf(std::span<const glm::vec3> points, const Workspace& space) const;
    struct Move {
        glm::vec3 point;
        float entropy;
    };
    Move move(glm::vec3 point, const float* products, std::span<float> scores) const;

    std::size_t hypotheses_;
    std::size_t rows_;          ///< of a chunk: its vertices × hypotheses
    std::size_t operandBytes_;  ///< of one value
    Precision precision_;
    int threads_;
    const simd::Kernels* kernels_;
    const TemplateMesh* mesh_;

    std::vector<float> featuresPerUnit_;  ///< steps of 8 bit
    std::array<float, 4> inputsPerUnit_{};

    onednn::Product first_;  ///< of the features without the position
    FirstBias firstBias_;
    struct Layer {
        onednn::Product product;
        std::vector<float> bias;
    };
    std::vector<Layer> layers_;       ///< local_conv2 … local_conv5
    std::vector<float> lastWeights_;  ///< local_conv6: both supports, each 192 wide
    float lastBias_ = 0.0F;
    std::vector<Workspace> spaces_;
};

}  // namespace threefold
