#include "tests/cuda/simulation/graph_block.h"

#include <omp.h>

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/model/architecture.h"
#include "engine/network/graph_block.h"
#include "engine/network/weight_matrices.h"
#include "tests/cuda/simulation/product.h"
#include "tests/cuda/simulation/rounding.h"

namespace threefold::cuda::simulation {
namespace {

constexpr std::size_t kWidth = kHiddenWidth;
constexpr std::size_t kRows = 64;  // rows that a thread multiplies at once

bool hasResidual(std::size_t layer) {
    return layer % 2 == 0 && layer <= 12;
}

/// Rounding at each place where the kernels round.
struct Roundings {
    Rounding features;      ///< stored inputs: pooled features, hidden features of the level before
    Rounding operands;      ///< operands of the first layer's products; weights of all layers
    Rounding coordinates;   ///< x, y, z among the inputs, and their weights
    Rounding activations;   ///< in memory, between the layers
    Rounding selfOperands;  ///< x as the operand of a hidden layer's product
    Rounding laplacianOperands;  ///< L x as the operand of a hidden layer's product
    Rounding hiddenOutput;       ///< hidden features for the next level
    bool lastInDouble = true;    ///< sums of the last layer
};

Roundings roundingsOf(const Arithmetic& arithmetic) {
    const Rounding stored{storedFormat(arithmetic.graph)};
    const Rounding operand{operandFormat(arithmetic.graph)};
    const Rounding twoParts{operand.format, true};
    const Rounding ofLibrary{libraryOperandFormat(arithmetic.graph, arithmetic.operands)};
    switch (arithmetic.kernels) {
        case Kernels::fused:
            // Coordinates are split into parts whose sum is their float32 value
            // (split_coordinates.h).
            return {stored, operand, {}, {}, twoParts, twoParts, stored, true};
        case Kernels::library:
            // The libraries compute L (x W1) instead of (L x) W1. A separate float32 kernel
            // computes the products of coordinates.
            return {stored, ofLibrary, {}, stored, ofLibrary, {}, stored, true};
        default:
            return {stored, operand, operand, stored, operand, operand, stored, false};
    }
}

class Block {
  public:
    Block(const Model& model, std::size_t level, const Arithmetic& arithmetic)
        : model_(&model),
          level_(level),
          laplacian_(&model.templateMesh.levels[level].laplacian),
          roundings_(roundingsOf(arithmetic)),
          order_(arithmetic.order),
          kernels_(*simd::runnableNetworkKernels().front()) {}

    const Roundings& roundings() const { return roundings_; }

    std::vector<float> firstLayer(const Points& points, std::span<const float> hidden,
                                  const FeaturePooling& pooling) const {
        const std::size_t width = kStage1FeatureWidth + (hidden.empty() ? 0 : kWidth);
        const std::size_t padded = paddedWidth(width);
        std::vector<float> weights = supportsSideBySide(*model_, name(0), width, kWidth, padded);
        const std::span<float> ofCoordinates = std::span(weights).first(3 * 2 * kWidth);
        roundAll(ofCoordinates, roundings_.coordinates);
        roundAll(std::span(weights).subspan(ofCoordinates.size()), roundings_.operands);

        const auto writeInputs = [&](std::size_t row, float* to) {
            pooling.pool(points[row], to);
            if (!hidden.empty()) {
                std::copy_n(hidden.data() + row * kWidth, kWidth, to + kStage1FeatureWidth);
            }
            roundAll({to, 3}, roundings_.coordinates);
            roundAll({to + 3, width - 3}, roundings_.features);
            roundAll({to + 3, width - 3}, roundings_.operands);
        };
        const std::vector<float> sums =
            multiply(points.size(), {kRows, padded, 2 * kWidth}, weights, writeInputs);
        // ReLU(x W0 + L (x W1) + b), both products in float32.
        std::vector<float> out(points.size() * kWidth);
        const std::vector<float> bias = weightValues(*model_, name(0) + ".bias", kWidth);
        kernels_.epilogue({.matrix = rowsOf(*laplacian_),
                           .first = 0,
                           .last = points.size(),
                           .products = sums.data(),
                           .width = kWidth,
                           .bias = bias.data()},
                          out.data());
        roundAll(out, roundings_.activations);
        return out;
    }

    std::vector<float> hiddenLayer(std::size_t layer, std::span<const float> x,
                                   std::span<const float> before) const {
        std::vector<float> weights = stackedSupports(*model_, name(layer), kWidth, kWidth);
        roundAll(weights, roundings_.operands);
        const auto writeInputs = [&](std::size_t row, float* to) {
            std::copy_n(x.data() + row * kWidth, kWidth, to);
            kernels_.laplacian(rowsOf(*laplacian_), row, row + 1, x.data(), kWidth, kWidth,
                               to + kWidth, kWidth);
            roundAll({to, kWidth}, roundings_.selfOperands);
            roundAll({to + kWidth, kWidth}, roundings_.laplacianOperands);
        };
        std::vector<float> out =
            multiply(laplacian_->rows(), {kRows, 2 * kWidth, kWidth}, weights, writeInputs);
        const std::vector<float> bias = weightValues(*model_, name(layer) + ".bias", kWidth);
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = std::max(out[i] + bias[i % kWidth], 0.0F);
            if (hasResidual(layer)) out[i] = 0.5F * (out[i] + before[i]);
        }
        roundAll(out, roundings_.activations);
        return out;
    }

    Points lastLayer(std::size_t layer, std::span<const float> x) const {
        return roundings_.lastInDouble ? lastLayerIn<double>(layer, x)
                                       : lastLayerIn<float>(layer, x);
    }

  private:
    std::string name(std::size_t layer) const {
        return fmt::format("stage1.gcn{}_layers.{}", level_ + 1, layer);
    }

    /// Multiplies `rows` rows by `weights` on all threads, in chunks of kRows rows;
    /// writeInputs(row, to) writes one row of inputs.
    template <class WriteInputs>
    std::vector<float> multiply(std::size_t rows, onednn::Product::Shape shape,
                                const std::vector<float>& weights,
                                const WriteInputs& writeInputs) const {
        const Product product(shape, weights, order_);
        std::vector<float> sums(rows * shape.columns);
        const std::size_t chunks = (rows + kRows - 1) / kRows;
        parallelFor(omp_get_max_threads(), chunks, {}, [&](std::size_t chunk, std::size_t) {
            const std::size_t begin = chunk * kRows;
            const std::size_t count = std::min(kRows, rows - begin);
            std::vector<float> x(kRows * shape.inner);
            for (std::size_t i = 0; i < count; ++i) {
                writeInputs(begin + i, x.data() + i * shape.inner);
            }
            const std::vector<float> y = product.times(x);
            std::copy_n(y.begin(), count * shape.columns,
                        sums.begin() + static_cast<std::ptrdiff_t>(begin * shape.columns));
        });
        return sums;
    }

    template <class Sum>
    Points lastLayerIn(std::size_t layer, std::span<const float> x) const {
        const auto w0 = weightValues(*model_, name(layer) + ".weights.0", 3 * kWidth);
        const auto w1 = weightValues(*model_, name(layer) + ".weights.1", 3 * kWidth);
        const auto bias = weightValues(*model_, name(layer) + ".bias", 3);
        Points points(laplacian_->rows());
        for (std::size_t row = 0; row < points.size(); ++row) {
            Sum sum[3] = {};
            for (std::size_t c = 0; c < kWidth; ++c) {
                Sum laplacianSum = 0;
                for (std::size_t k = laplacian_->rowOffsets[row];
                     k < laplacian_->rowOffsets[row + 1]; ++k) {
                    laplacianSum +=
                        Sum{laplacian_->values[k]} * x[laplacian_->columns[k] * kWidth + c];
                }
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    sum[axis] += Sum{x[row * kWidth + c]} * w0[3 * c + axis];
                    sum[axis] += laplacianSum * w1[3 * c + axis];
                }
            }
            points[row] = glm::vec3(sum[0] + bias[0], sum[1] + bias[1], sum[2] + bias[2]);
        }
        return points;
    }

    const Model* model_;
    std::size_t level_;
    const SparseMatrix* laplacian_;
    Roundings roundings_;
    SumOrder order_;
    const simd::NetworkKernels& kernels_;
};

}  // namespace

GraphOutput graphBlock(const Model& model, std::size_t level, const Arithmetic& arithmetic,
                       const Points& points, std::span<const float> hidden,
                       const FeaturePooling& pooling) {
    const Block block(model, level, arithmetic);
    const std::size_t last = kGraphBlockLayerCounts[level] - 1;
    std::vector<float> before;
    std::vector<float> x = block.firstLayer(points, hidden, pooling);
    for (std::size_t layer = 1; layer < last; ++layer) {
        std::vector<float> next = block.hiddenLayer(layer, x, before);
        before = std::exchange(x, std::move(next));
    }
    GraphOutput output{block.lastLayer(last, x), std::move(x)};
    roundAll(output.hidden, block.roundings().hiddenOutput);
    return output;
}

std::vector<float> unpoolHidden(std::span<const float> hidden, const TemplateLevel& level,
                                Precision precision) {
    std::vector<float> above = threefold::GraphBlock::unpool(hidden, level);
    roundAll(above, {storedFormat(precision)});
    return above;
}

}  // namespace threefold::cuda::simulation
