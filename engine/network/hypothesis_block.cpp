#include "engine/network/hypothesis_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/network/weights.h"

namespace threefold {
namespace {

constexpr std::size_t kWidth = kHiddenWidth;
constexpr std::size_t kFeatures = kStage2Features;

// 4 × 43 rows: inputs, outputs and weights of a layer fit one megabyte of second-level cache.
constexpr std::size_t kVerticesTogether = 4;

// With bfloat16 the input repeats the three coordinates twice: their rounding errors, times the
// same weights, and the coordinates, times the rounding errors of the weights. Without this, the 8
// bits of mantissa would move a hypothesis at distance 0.8 by 0.002, a tenth of the radius.
constexpr std::size_t kCorrections = 6;

float roundedToBfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return std::bit_cast<float>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
}

std::size_t paddedInput(Precision precision) {
    return precision == Precision::bfloat16 ? paddedWidth(kFeatures + kCorrections, 32)
                                            : paddedWidth(kFeatures);
}

std::vector<float> firstWeights(const Model& model, const std::string& name, Precision precision) {
    std::vector<float> w = supportsBeside(model, name, kFeatures, kWidth, paddedInput(precision));
    if (precision == Precision::bfloat16) {
        const std::size_t columns = 2 * kWidth;
        for (std::size_t i = 0; i < 3 * columns; ++i) {
            w[kFeatures * columns + i] = w[i];
            w[(kFeatures + 3) * columns + i] = w[i] - roundedToBfloat16(w[i]);
        }
    }
    return w;
}

std::string blockName(std::size_t index, std::size_t convolution) {
    return fmt::format("stage2.drb{}.local_conv{}", index + 1, convolution);
}

}  // namespace

HypothesisBlock::HypothesisBlock(const Model& model, std::size_t index, Precision precision,
                                 int threads, const simd::Kernels& kernels)
    : hypotheses_(model.mesh.hypotheses.size()),
      rows_(kVerticesTogether * hypotheses_),
      paddedInput_(paddedInput(precision)),
      precision_(precision),
      threads_(threads),
      kernels_(&kernels),
      mesh_(&model.mesh),
      first_({rows_, paddedInput_, 2 * kWidth}, precision,
             firstWeights(model, blockName(index, 1), precision), {}, false),
      firstBias_(weightValues(model, blockName(index, 1) + ".bias", kWidth)) {
    for (std::size_t convolution = 2; convolution < kLocalConvolutions; ++convolution) {
        const std::string name = blockName(index, convolution);
        layers_.emplace_back(onednn::Product::Shape{rows_, 2 * kWidth, kWidth}, precision,
                             supportsStacked(model, name, kWidth, kWidth),
                             weightValues(model, name + ".bias", kWidth), true);
    }
    const std::string last = blockName(index, kLocalConvolutions);
    lastWeights_ = supportsStacked(model, last, kWidth, 1);
    lastBias_ = weightValues(model, last + ".bias", 1)[0];

    std::size_t scratchBytes = first_.scratchBytes();
    for (const onednn::Product& product : layers_) {
        scratchBytes = std::max(scratchBytes, product.scratchBytes());
    }
    const std::size_t widest = std::max(paddedInput_, 2 * kWidth);
    for (int i = 0; i < threads; ++i) {
        spaces_.push_back(
            {AlignedBuffer<float>(rows_ * widest), AlignedBuffer<float>(rows_ * 2 * kWidth),
             AlignedBuffer<float>(rows_ * kWidth), AlignedBuffer<float>(rows_ * kWidth),
             AlignedBuffer<float>(rows_ * 2),
             AlignedBuffer<std::uint16_t>(precision == Precision::bfloat16 ? rows_ * widest : 0),
             AlignedBuffer<std::byte>(scratchBytes)});
    }
}

void HypothesisBlock::gather(std::span<const glm::vec3> points, const FeaturePooling& pooling,
                             Workspace& space) const {
    float* row = space.inputs.data();
    for (const glm::vec3 point : points) {
        for (const glm::vec3 offset : mesh_->hypotheses) {
            pooling.pool(point + offset, row);
            std::fill(row + kFeatures, row + paddedInput_, 0.0F);
            if (precision_ == Precision::bfloat16) {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    row[kFeatures + axis] = row[axis] - roundedToBfloat16(row[axis]);
                    row[kFeatures + 3 + axis] = row[axis];
                }
            }
            row += paddedInput_;
        }
    }
}

void HypothesisBlock::multiply(const onednn::Product& product, float* out, Workspace& space) const {
    const void* input = space.inputs.data();
    if (precision_ == Precision::bfloat16) {
        kernels_->toBfloat16(space.inputs.data(), rows_ * product.shape().inner, space.half.data());
        input = space.half.data();
    }
    product.run(input, out, space.scratch.data());
}

void HypothesisBlock::firstLayer(std::size_t vertices, Workspace& space) const {
    multiply(first_, space.joined.data(), space);
    const simd::SparseRows laplacian = rowsOf(mesh_->hypothesisLaplacian);
    for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
        kernels_->join(laplacian, 0, hypotheses_,
                       space.joined.data() + vertex * hypotheses_ * 2 * kWidth, kWidth,
                       firstBias_.data(), space.kept.data() + vertex * hypotheses_ * kWidth);
    }
}

void HypothesisBlock::layer(const onednn::Product& product, const float* x, float* out,
                            std::size_t vertices, Workspace& space) const {
    const simd::SparseRows laplacian = rowsOf(mesh_->hypothesisLaplacian);
    for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
        const float* from = x + vertex * hypotheses_ * kWidth;
        float* to = space.inputs.data() + vertex * hypotheses_ * 2 * kWidth;
        for (std::size_t row = 0; row < hypotheses_; ++row) {
            std::memcpy(to + row * 2 * kWidth, from + row * kWidth, kWidth * sizeof(float));
        }
        kernels_->laplacian(laplacian, 0, hypotheses_, from, kWidth, kWidth, to + kWidth,
                            2 * kWidth);
    }
    multiply(product, out, space);
}

HypothesisBlock::Move HypothesisBlock::move(glm::vec3 point, const float* products,
                                            std::span<float> scores) const {
    const SparseMatrix& l = mesh_->hypothesisLaplacian;
    float highest = 0.0F;  // scores are at least 0: they have passed a ReLU
    for (std::size_t row = 0; row < hypotheses_; ++row) {
        float score = products[2 * row] + lastBias_;
        for (std::uint32_t k = l.rowStart[row]; k < l.rowStart[row + 1]; ++k) {
            score += l.value[k] * products[2 * l.column[k] + 1];
        }
        scores[row] = std::max(score, 0.0F);
        highest = std::max(highest, scores[row]);
    }
    float sum = 0.0F;
    float weighted = 0.0F;
    for (float& score : scores) {
        const float below = score - highest;
        score = std::exp(below);
        sum += score;
        weighted += score * below;
    }
    glm::vec3 step{0.0F};
    for (std::size_t row = 0; row < hypotheses_; ++row) {
        scores[row] /= sum;
        step += scores[row] * mesh_->hypotheses[row];
    }
    // log p = below − log sum, so −Σ p log p takes one logarithm per vertex.
    const float nats = std::log(sum) - weighted / sum;
    return {point + step, std::max(0.0F, nats / std::numbers::ln2_v<float>)};
}

HypothesisBlock::Output HypothesisBlock::run(const Points& points, const FeaturePooling& pooling,
                                             const std::stop_token& cancel,
                                             const std::function<void(float done)>& progress,
                                             const Taps& taps) {
    Output output{Points(points.size()), std::vector<float>(points.size())};
    if (taps.scores != nullptr) taps.scores->resize(points.size() * hypotheses_);
    const std::size_t chunks = (points.size() + kVerticesTogether - 1) / kVerticesTogether;
    parallelFor(threads_, chunks, cancel, [&](std::size_t chunk, std::size_t thread) {
        const std::size_t begin = chunk * kVerticesTogether;
        const std::size_t count = std::min(kVerticesTogether, points.size() - begin);
        Workspace& space = spaces_[thread];
        gather(std::span(points).subspan(begin, count), pooling, space);
        if (chunk == 0 && taps.features) {
            std::vector<float> rows;
            for (std::size_t row = 0; row < count * hypotheses_; ++row) {
                const float* from = space.inputs.data() + row * paddedInput_;
                rows.insert(rows.end(), from, from + kFeatures);
            }
            taps.features(rows, count);
        }

        float* kept = space.kept.data();
        float* passing = space.passing.data();
        const std::size_t values = count * hypotheses_ * kWidth;
        firstLayer(count, space);
        layer(layers_[0], kept, passing, count, space);
        layer(layers_[1], passing, passing, count, space);
        kernels_->average(kept, passing, 1.0F, values);
        layer(layers_[2], kept, passing, count, space);
        layer(layers_[3], passing, passing, count, space);
        kernels_->average(kept, passing, 1.0F, values);

        kernels_->twoDots(kept, count * hypotheses_, kWidth, lastWeights_.data(),
                          space.products.data());
        std::vector<float> scores(hypotheses_);
        for (std::size_t vertex = 0; vertex < count; ++vertex) {
            const Move moved = move(points[begin + vertex],
                                    space.products.data() + vertex * hypotheses_ * 2, scores);
            output.points[begin + vertex] = moved.point;
            output.entropy[begin + vertex] = moved.entropy;
            if (taps.scores != nullptr) {
                std::ranges::copy(scores,
                                  taps.scores->begin() +
                                      static_cast<std::ptrdiff_t>((begin + vertex) * hypotheses_));
            }
        }
        if (thread == 0) progress(static_cast<float>(chunk + 1) / static_cast<float>(chunks));
    });
    return output;
}

}  // namespace threefold
