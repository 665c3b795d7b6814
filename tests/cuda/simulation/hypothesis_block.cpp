#include "tests/cuda/simulation/hypothesis_block.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cuda/portable/half.h"
#include "engine/compute/parallel.h"
#include "engine/model/architecture.h"
#include "engine/network/weight_matrices.h"
#include "tests/cuda/simulation/product.h"
#include "tests/cuda/simulation/rounding.h"

namespace threefold::cuda::simulation {
namespace {

constexpr std::size_t kWidth = kHiddenWidth;
constexpr std::size_t kBothSupports = 2 * kWidth;  // [x W0 | x W1]
constexpr std::size_t kInputs = paddedWidth(kStage2FeatureWidth);
constexpr std::size_t kVerticesTogether = 4;

/// Quantisation scale of inputs, which are never negative: their range has 255 steps.
float stepOf(float range) {
    return range > 0.0F ? range / 255.0F : 1.0F;
}

void toUnits(std::span<float> inputs, float step) {
    const float perUnit = 1.0F / step;
    for (float& value : inputs) value = std::nearbyint(std::min(value * perUnit, 255.0F));
}

/// Quantises weights (192, 2 · 192) to −127…127 by columns; returns the scale of each column.
std::vector<float> toUnits(std::vector<float>& weights) {
    std::vector<float> largest(kBothSupports, 0.0F);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        largest[i % kBothSupports] = std::max(largest[i % kBothSupports], std::abs(weights[i]));
    }
    std::vector<float> units(kBothSupports);
    for (std::size_t column = 0; column < kBothSupports; ++column) {
        const float other = largest[(column + kWidth) % kBothSupports];
        const float magnitude = std::max(largest[column], other / 16.0F);
        units[column] = magnitude > 0.0F ? magnitude / 127.0F : 1.0F;
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = static_cast<float>(toInt8(weights[i] / units[i % kBothSupports]));
    }
    return units;
}

/// A local convolution with its weights in the device's format.
struct Convolution {
    Product product;  ///< x · [W0 | W1]
    std::vector<float> bias;
    float step = 1;            ///< 8 bit: quantisation scale of the inputs
    std::vector<float> scale;  ///< 8 bit: scale of the sums of each column; else empty
};

class Block {
  public:
    Block(const Model& model, std::size_t index, const Arithmetic& arithmetic,
          const QuantisationRanges& ranges)
        : mesh_(&model.templateMesh),
          kernels_(*simd::runnableNetworkKernels().front()),
          eightBit_(isEightBit(arithmetic.hypotheses)),
          order_(arithmetic.order),
          library_(arithmetic.kernels == Kernels::library),
          stored_{storedFormat(arithmetic.hypotheses)},
          operand_{library_ ? libraryOperandFormat(arithmetic.hypotheses, arithmetic.operands)
                            : operandFormat(arithmetic.hypotheses)},
          mixing_{library_ ? Format::float32 : operand_.format},
          laplacian_(model.templateMesh.hypothesisLaplacian),
          rows_(kVerticesTogether * model.templateMesh.hypothesisOffsets.size()) {
        roundAll(laplacian_.values, mixing_);
        const auto name = [index](std::size_t convolution) {
            return fmt::format("stage2.drb{}.local_conv{}", index + 1, convolution);
        };
        convolutions_.push_back(first(model, name(1)));
        for (std::size_t i = 2; i < kLocalConvolutionCount; ++i) {
            convolutions_.push_back(inner(model, name(i), ranges.input[i - 1]));
        }
        lastWeights_ = stackedSupports(model, name(kLocalConvolutionCount), kWidth, 1);
        lastBias_ = weightValues(model, name(kLocalConvolutionCount) + ".bias", 1)[0];
    }

    /// Moves at most kVerticesTogether points.
    void move(std::span<glm::vec3> points, const FeaturePooling& pooling,
              QuantisationRanges& seen) const {
        const std::size_t used = points.size() * mesh_->hypothesisOffsets.size();
        std::vector<float> x = pooledFeatures(points, pooling);
        see(seen.input[0], std::span(x).first(used * kInputs));
        std::vector<float> kept;  // x1, then x3, which are added to later outputs
        for (std::size_t i = 0; i < convolutions_.size(); ++i) {
            const bool keeps = i % 2 == 0;
            x = convolve(convolutions_[i], x);
            if (keeps && i > 0) {
                for (std::size_t k = 0; k < x.size(); ++k) x[k] += kept[k];
            }
            see(seen.input[i + 1], std::span(x).first(used * kWidth));
            if (i + 1 == convolutions_.size()) break;
            if (keeps) {
                kept = x;
                roundAll(kept, stored_);
            }
            roundInputs(x, convolutions_[i + 1]);
        }
        // The fused kernel keeps x5 unrounded in registers.
        if (library_) roundAll(x, stored_);
        scoreAndMove(points, x);
    }

  private:
    onednn::Product::Shape shape(std::size_t inner) const { return {rows_, inner, kBothSupports}; }

    Convolution first(const Model& model, const std::string& name) const {
        std::vector<float> weights =
            supportsSideBySide(model, name, kStage2FeatureWidth, kWidth, kInputs);
        // Coordinates are split into parts whose sum is their float32 value (split_coordinates.h).
        roundAll(std::span(weights).subspan(3 * kBothSupports), operand_);
        return {Product(shape(kInputs), std::move(weights), order_),
                weightValues(model, name + ".bias", kWidth),
                1.0F,
                {}};
    }

    Convolution inner(const Model& model, const std::string& name, float range) const {
        std::vector<float> weights = supportsSideBySide(model, name, kWidth, kWidth, kWidth);
        std::vector<float> bias = weightValues(model, name + ".bias", kWidth);
        if (!eightBit_) {
            roundAll(weights, operand_);
            return {Product(shape(kWidth), std::move(weights), order_), std::move(bias), 1.0F, {}};
        }
        const float step = stepOf(range);
        std::vector<float> scale = toUnits(weights);
        for (float& unit : scale) unit *= step;
        return {Product(shape(kWidth), std::move(weights), order_), std::move(bias), step,
                std::move(scale)};
    }

    std::vector<float> pooledFeatures(std::span<const glm::vec3> points,
                                      const FeaturePooling& pooling) const {
        std::vector<float> x(rows_ * kInputs);
        float* row = x.data();
        for (const glm::vec3 point : points) {
            for (const glm::vec3 offset : mesh_->hypothesisOffsets) {
                pooling.pool(point + offset, row);
                const std::span<float> pooled(row + 3, kStage2FeatureWidth - 3);
                roundAll(pooled, stored_);
                roundAll(pooled, operand_);
                row += kInputs;
            }
        }
        return x;
    }

    void roundInputs(std::vector<float>& x, const Convolution& convolution) const {
        if (eightBit_) {
            toUnits(x, convolution.step);
        } else {
            roundAll(x, stored_);
            roundAll(x, operand_);
        }
    }

    /// ReLU(x W0 + L (x W1) + b).
    std::vector<float> convolve(const Convolution& convolution, std::vector<float>& x) const {
        const std::vector<float> sums = convolution.product.times(x);
        const float* scale = convolution.scale.data();
        std::vector<float> far(rows_ * kWidth);
        for (std::size_t i = 0; i < far.size(); ++i) {
            const std::size_t c = i % kWidth;
            far[i] = sums[i / kWidth * kBothSupports + kWidth + c];
            if (eightBitIn(convolution)) far[i] *= scale[kWidth + c];
        }
        roundAll(far, mixing_);

        std::vector<float> out(rows_ * kWidth);
        const std::size_t hypotheses = mesh_->hypothesisOffsets.size();
        for (std::size_t row = 0; row < rows_; row += hypotheses) {
            kernels_.laplacian(rowsOf(laplacian_), 0, hypotheses, far.data() + row * kWidth, kWidth,
                               kWidth, out.data() + row * kWidth, kWidth);
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::size_t c = i % kWidth;
            const float own = sums[i / kWidth * kBothSupports + c];
            float sum = out[i] + convolution.bias[c];
            if (eightBitIn(convolution)) {
                sum = (std::nearbyint(sum / scale[c]) + own) * scale[c];
            } else {
                sum += own;
            }
            out[i] = std::max(sum, 0.0F);
        }
        return out;
    }

    static bool eightBitIn(const Convolution& convolution) { return !convolution.scale.empty(); }

    /// The last convolution, softmax and the step are float32 in every precision.
    void scoreAndMove(std::span<glm::vec3> points, const std::vector<float>& x) const {
        std::vector<float> products(rows_ * 2);
        kernels_.dotPairs(x.data(), rows_, kWidth, lastWeights_.data(), products.data());
        const std::size_t hypotheses = mesh_->hypothesisOffsets.size();
        const SparseMatrix& l = mesh_->hypothesisLaplacian;
        std::vector<float> scores(hypotheses);
        for (std::size_t vertex = 0; vertex < points.size(); ++vertex) {
            const float* own = products.data() + vertex * hypotheses * 2;
            float highest = 0.0F;
            for (std::size_t row = 0; row < hypotheses; ++row) {
                float score = own[2 * row] + lastBias_;
                for (std::size_t k = l.rowOffsets[row]; k < l.rowOffsets[row + 1]; ++k) {
                    score += l.values[k] * own[2 * l.columns[k] + 1];
                }
                scores[row] = std::max(score, 0.0F);
                highest = std::max(highest, scores[row]);
            }
            float sum = 0.0F;
            for (float& score : scores) sum += score = std::exp(score - highest);
            glm::vec3 step{0.0F};
            for (std::size_t row = 0; row < hypotheses; ++row) {
                step += scores[row] / sum * mesh_->hypothesisOffsets[row];
            }
            points[vertex] += step;
        }
    }

    static void see(float& largest, std::span<const float> values) {
        for (const float value : values) largest = std::max(largest, std::abs(value));
    }

    const TemplateMesh* mesh_;
    const simd::NetworkKernels& kernels_;
    bool eightBit_;
    SumOrder order_;
    bool library_;
    Rounding stored_;
    Rounding operand_;
    Rounding mixing_;         ///< operands of the product with the Laplacian
    SparseMatrix laplacian_;  ///< rounded
    std::size_t rows_;
    std::vector<Convolution> convolutions_;
    std::vector<float> lastWeights_;
    float lastBias_ = 0;
};

}  // namespace

Points hypothesisBlock(const Model& model, std::size_t index, const Arithmetic& arithmetic,
                       const QuantisationRanges& ranges, const Points& points,
                       const FeaturePooling& pooling, QuantisationRanges* seen) {
    const Block block(model, index, arithmetic, ranges);
    Points moved = points;
    std::mutex mutex;
    const std::size_t chunks = (points.size() + kVerticesTogether - 1) / kVerticesTogether;
    parallelFor(omp_get_max_threads(), chunks, {}, [&](std::size_t chunk, std::size_t) {
        const std::size_t begin = chunk * kVerticesTogether;
        const std::size_t count = std::min(kVerticesTogether, points.size() - begin);
        QuantisationRanges largest;
        block.move(std::span(moved).subspan(begin, count), pooling, largest);
        if (seen == nullptr) return;
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < std::size(largest.input); ++i) {
            seen->input[i] = std::max(seen->input[i], largest.input[i]);
        }
    });
    return moved;
}

}  // namespace threefold::cuda::simulation
