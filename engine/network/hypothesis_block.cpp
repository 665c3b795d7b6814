#include "engine/network/hypothesis_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/model/expected_weights.h"
#include "engine/network/pooling_timer.h"
#include "engine/network/weight_matrices.h"

namespace threefold {
namespace {

constexpr std::size_t kFeatures = kStage2FeatureWidth;

constexpr std::size_t kPosition = 3;
constexpr std::size_t kPooled = kFeatures - kPosition;

// 4 × 43 rows: inputs, outputs and weights of a layer fit in 1 MB of L2 cache.
constexpr std::size_t kChunkVertices = 4;

constexpr float kMaxQuantised = 255.0F;

std::size_t valueBytes(Precision precision) {
    switch (precision) {
        case Precision::int8:
            return sizeof(std::uint8_t);
        case Precision::bfloat16:
            return sizeof(std::uint16_t);
        default:
            return sizeof(float);
    }
}

float inverseScale(float range) {
    return range > 0.0F ? kMaxQuantised / range : 0.0F;
}

void requireValidRanges(const OperandRanges& ranges) {
    const auto isInvalid = [](float range) { return !std::isfinite(range) || range < 0.0F; };
    if (ranges.features.size() != kPooled || std::ranges::any_of(ranges.features, isInvalid) ||
        std::ranges::any_of(ranges.inputs, isInvalid)) {
        throw InputError(
            {"quantisation", "", "the model's ranges for int8 are missing or invalid",
             "Measure them on quantisation samples, or use bfloat16 (`precision=bfloat16`)."});
    }
}

/// [W0 | W1] of the first convolution, (features, 2 · 192).
std::vector<float> firstWeights(const Model& model, std::size_t index) {
    return supportsSideBySide(model, localConvolutionName(index, 0), kFeatures, kHiddenWidth,
                              kFeatures);
}

std::vector<float> withoutPosition(const std::vector<float>& weights) {
    return {weights.begin() + kPosition * 2 * kHiddenWidth, weights.end()};
}

/// In int8, scales row r of the weights by range(r) / 255, since the inputs are quantised;
/// otherwise returns them unchanged.
std::vector<float> forQuantisedInputs(std::vector<float> weights, Precision precision,
                                      const std::function<float(std::size_t row)>& range) {
    if (precision != Precision::int8) return weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] *= range(i / (2 * kHiddenWidth)) / kMaxQuantised;
    return weights;
}

}  // namespace

void OperandRanges::include(const OperandRanges& other) {
    features.resize(std::max(features.size(), other.features.size()), 0.0F);
    for (std::size_t i = 0; i < other.features.size(); ++i)
        features[i] = std::max(features[i], other.features[i]);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        inputs[i] = std::max(inputs[i], other.inputs[i]);
}

HypothesisBlock::HypothesisBlock(const Model& model, std::size_t index, Precision precision,
                                 int threads, const simd::NetworkKernels& kernels,
                                 const OperandRanges& ranges)
    : hypotheses_(model.templateMesh.hypothesisOffsets.size()),
      rows_(kChunkVertices * hypotheses_),
      operandBytes_(valueBytes(precision)),
      precision_(precision),
      threads_(threads),
      kernels_(&kernels),
      mesh_(&model.templateMesh),
      first_({rows_, kPooled, 2 * kHiddenWidth}, precision,
             forQuantisedInputs(withoutPosition(firstWeights(model, index)), precision,
                                [&](std::size_t row) {
                                    return row < ranges.features.size() ? ranges.features[row]
                                                                        : 0.0F;
                                }),
             {}, false),
      firstBias_(makeFirstBias(model, localConvolutionName(index, 0), firstWeights(model, index))) {
    if (precision == Precision::int8) {
        requireValidRanges(ranges);
        for (const float range : ranges.features)
            featureInverseScales_.push_back(inverseScale(range));
        std::ranges::transform(ranges.inputs, inputInverseScales_.begin(), inverseScale);
    }
    for (std::size_t convolution = 2; convolution < kLocalConvolutionCount; ++convolution) {
        const std::string name = localConvolutionName(index, convolution - 1);
        const std::vector<float> weights = forQuantisedInputs(
            supportsSideBySide(model, name, kHiddenWidth, kHiddenWidth, kHiddenWidth), precision,
            [&](std::size_t) { return ranges.inputs[convolution - 2]; });
        layers_.push_back({onednn::Product({rows_, kHiddenWidth, 2 * kHiddenWidth}, precision,
                                           weights, {}, false),
                           weightValues(model, name + ".bias", kHiddenWidth)});
    }
    const std::string last = localConvolutionName(index, kLocalConvolutionCount - 1);
    lastWeights_ = stackedSupports(model, last, kHiddenWidth, 1);
    lastBias_ = weightValues(model, last + ".bias", 1)[0];

    std::size_t scratchBytes = first_.scratchBytes();
    for (const Layer& layer : layers_)
        scratchBytes = std::max(scratchBytes, layer.product.scratchBytes());
    for (int i = 0; i < threads; ++i)
        workspaces_.push_back({AlignedBuffer<std::byte>(rows_ * kPooled * operandBytes_),
                               AlignedBuffer<std::byte>(rows_ * kHiddenWidth * operandBytes_),
                               AlignedBuffer<float>(rows_ * 2 * kHiddenWidth),
                               AlignedBuffer<float>(rows_ * kHiddenWidth),
                               AlignedBuffer<float>(hypotheses_ * kHiddenWidth),
                               AlignedBuffer<float>(rows_ * 2),
                               AlignedBuffer<std::byte>(scratchBytes),
                               {}});
}

HypothesisBlock::FirstBias HypothesisBlock::makeFirstBias(const Model& model,
                                                          const std::string& name,
                                                          std::span<const float> weights) {
    const std::vector<float> bias = weightValues(model, name + ".bias", kHiddenWidth);
    const SparseMatrix& l = model.templateMesh.hypothesisLaplacian;
    const Points& offsets = model.templateMesh.hypothesisOffsets;
    FirstBias first;
    first.position.assign(weights.begin(), weights.begin() + kPosition * 2 * kHiddenWidth);
    for (std::size_t row = 0; row < offsets.size(); ++row) {
        glm::dvec3 neighbours{0.0};
        double sum = 0.0;
        for (std::uint32_t k = l.rowOffsets[row]; k < l.rowOffsets[row + 1]; ++k) {
            neighbours += double{l.values[k]} * glm::dvec3(offsets[l.columns[k]]);
            sum += l.values[k];
        }
        first.rowSums.push_back(static_cast<float>(sum));
        for (std::size_t c = 0; c < kHiddenWidth; ++c) {
            double value = bias[c];
            for (int axis = 0; axis < 3; ++axis) {
                const float* w =
                    weights.data() + static_cast<std::size_t>(axis) * 2 * kHiddenWidth + c;
                value += double{offsets[row][axis]} * w[0] + neighbours[axis] * w[kHiddenWidth];
            }
            first.table.push_back(static_cast<float>(value));
        }
    }
    return first;
}

void HypothesisBlock::gather(std::span<const glm::vec3> points, const FeaturePooling& pooling,
                             Workspace& workspace) const {
    std::byte* row = workspace.features.data();
    for (const glm::vec3 point : points) {
        for (const glm::vec3 offset : mesh_->hypothesisOffsets) {
            if (precision_ == Precision::int8) {
                pooling.features(point + offset, featureInverseScales_,
                                 reinterpret_cast<std::uint8_t*>(row));
            } else if (precision_ == Precision::bfloat16) {
                pooling.features(point + offset, reinterpret_cast<std::uint16_t*>(row));
            } else {
                pooling.features(point + offset, reinterpret_cast<float*>(row));
            }
            row += kPooled * operandBytes_;
        }
    }
}

void HypothesisBlock::applyEpilogue(std::size_t convolution, std::size_t vertex, const float* bias,
                                    std::size_t biasStride, Workspace& workspace) const {
    const std::size_t row = vertex * hypotheses_;
    float* residual = workspace.residuals.data() + row * kHiddenWidth;
    std::byte* input = workspace.inputs.data() + row * kHiddenWidth * operandBytes_;
    const bool isResidual = convolution % 2 == 1;  // x1, x3 and x5 form a residual chain
    const simd::GraphEpilogue epilogue{
        .matrix = rowsOf(mesh_->hypothesisLaplacian),
        .first = 0,
        .last = hypotheses_,
        .products = workspace.products.data() + row * 2 * kHiddenWidth,
        .width = kHiddenWidth,
        .bias = bias,
        .biasStride = biasStride,
        .residual = isResidual && convolution > 1 ? residual : nullptr,
        .float32Out = isResidual ? residual : nullptr};
    if (convolution + 1 == kLocalConvolutionCount) {
        kernels_->epilogue(epilogue, residual);
    } else if (precision_ == Precision::int8) {
        kernels_->epilogueUint8(epilogue, inputInverseScales_[convolution - 1],
                                reinterpret_cast<std::uint8_t*>(input));
    } else if (precision_ == Precision::bfloat16) {
        kernels_->epilogueBfloat16(epilogue, reinterpret_cast<std::uint16_t*>(input));
    } else {
        kernels_->epilogue(epilogue, reinterpret_cast<float*>(input));
    }
}

void HypothesisBlock::runFirstLayer(std::span<const glm::vec3> points, Workspace& workspace) const {
    first_.run(workspace.features.data(), workspace.products.data(), workspace.scratch.data());
    for (std::size_t vertex = 0; vertex < points.size(); ++vertex) {
        std::array<float, 2 * kHiddenWidth> position{};
        for (std::size_t c = 0; c < position.size(); ++c) {
            const float* w = firstBias_.position.data() + c;
            position[c] = points[vertex].x * w[0] + points[vertex].y * w[2 * kHiddenWidth] +
                          points[vertex].z * w[4 * kHiddenWidth];
        }
        kernels_->rowBias(firstBias_.table.data(), hypotheses_, kHiddenWidth, position.data(),
                          firstBias_.rowSums.data(), position.data() + kHiddenWidth,
                          workspace.bias.data());
        applyEpilogue(1, vertex, workspace.bias.data(), kHiddenWidth, workspace);
    }
}

void HypothesisBlock::runLayer(std::size_t convolution, std::size_t vertices,
                               Workspace& workspace) const {
    const Layer& layer = layers_[convolution - 2];
    layer.product.run(workspace.inputs.data(), workspace.products.data(), workspace.scratch.data());
    for (std::size_t vertex = 0; vertex < vertices; ++vertex)
        applyEpilogue(convolution, vertex, layer.bias.data(), 0, workspace);
}

HypothesisBlock::MovedVertex HypothesisBlock::moveVertex(glm::vec3 point, const float* products,
                                                         std::span<float> scores) const {
    const SparseMatrix& l = mesh_->hypothesisLaplacian;
    float highest = 0.0F;  // scores are at least 0: they have passed a ReLU
    for (std::size_t row = 0; row < hypotheses_; ++row) {
        float score = products[2 * row] + lastBias_;
        for (std::uint32_t k = l.rowOffsets[row]; k < l.rowOffsets[row + 1]; ++k)
            score += l.values[k] * products[2 * l.columns[k] + 1];
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
        step += scores[row] * mesh_->hypothesisOffsets[row];
    }
    // log p = below − log sum, so −Σ p log p takes one logarithm per vertex.
    const float nats = std::log(sum) - weighted / sum;
    return {point + step, std::max(0.0F, nats / std::numbers::ln2_v<float>)};
}

std::vector<float> HypothesisBlock::toFloats(const AlignedBuffer<std::byte>& operands,
                                             std::size_t count,
                                             std::span<const float> inverseScales) const {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* from = operands.data() + i * operandBytes_;
        if (precision_ == Precision::int8) {
            const float perUnit = inverseScales[i % inverseScales.size()];
            values[i] =
                perUnit > 0.0F ? static_cast<float>(std::to_integer<int>(*from)) / perUnit : 0.0F;
        } else if (precision_ == Precision::bfloat16) {
            const std::uint32_t bits = *reinterpret_cast<const std::uint16_t*>(from);
            values[i] = std::bit_cast<float>(bits << 16);
        } else {
            values[i] = *reinterpret_cast<const float*>(from);
        }
    }
    return values;
}

std::vector<float> HypothesisBlock::featuresOf(std::span<const glm::vec3> points,
                                               const Workspace& workspace) const {
    const std::vector<float> pooled =
        toFloats(workspace.features, points.size() * hypotheses_ * kPooled, featureInverseScales_);
    std::vector<float> values;
    auto from = pooled.begin();
    for (const glm::vec3 point : points) {
        for (const glm::vec3 offset : mesh_->hypothesisOffsets) {
            const glm::vec3 position = point + offset;
            values.insert(values.end(), {position.x, position.y, position.z});
            values.insert(values.end(), from, from + kPooled);
            from += kPooled;
        }
    }
    return values;
}

void HypothesisBlock::measureFeatures(std::size_t vertices, Workspace& workspace) const {
    const std::vector<float> values =
        toFloats(workspace.features, vertices * hypotheses_ * kPooled, featureInverseScales_);
    std::vector<float>& maxima = workspace.ranges.features;
    maxima.resize(kPooled, 0.0F);
    for (std::size_t i = 0; i < values.size(); ++i)
        maxima[i % kPooled] = std::max(maxima[i % kPooled], values[i]);
}

void HypothesisBlock::measureInputs(std::size_t convolution, std::size_t vertices,
                                    Workspace& workspace) const {
    const std::vector<float> values =
        toFloats(workspace.inputs, vertices * hypotheses_ * kHiddenWidth,
                 std::span(&inputInverseScales_[convolution - 2], 1));
    float& maximum = workspace.ranges.inputs[convolution - 2];
    for (const float value : values) maximum = std::max(maximum, value);
}

HypothesisBlock::Output HypothesisBlock::run(const Points& points, const FeaturePooling& pooling,
                                             const std::stop_token& cancel,
                                             const std::function<void(float fraction)>& progress,
                                             const ExtraOutputs& extra) {
    Output output{Points(points.size()), std::vector<float>(points.size()), 0};
    if (extra.scores != nullptr) extra.scores->resize(points.size() * hypotheses_);
    const std::size_t chunks = (points.size() + kChunkVertices - 1) / kChunkVertices;
    PoolingTimer clock(threads_);
    parallelFor(threads_, chunks, cancel, [&](std::size_t chunk, std::size_t thread) {
        const Stopwatch watch;
        const std::size_t begin = chunk * kChunkVertices;
        const std::size_t count = std::min(kChunkVertices, points.size() - begin);
        Workspace& workspace = workspaces_[thread];
        gather(std::span(points).subspan(begin, count), pooling, workspace);
        const double pooled = watch.milliseconds();
        if (chunk == 0 && extra.features) {
            const std::vector<float> values = featuresOf(std::span(points).first(count), workspace);
            extra.features(values, count);
        }

        if (extra.ranges != nullptr) measureFeatures(count, workspace);
        runFirstLayer(std::span(points).subspan(begin, count), workspace);
        for (std::size_t convolution = 2; convolution < kLocalConvolutionCount; ++convolution) {
            if (extra.ranges != nullptr) measureInputs(convolution, count, workspace);
            runLayer(convolution, count, workspace);
        }
        kernels_->dotPairs(workspace.residuals.data(), count * hypotheses_, kHiddenWidth,
                           lastWeights_.data(), workspace.lastProducts.data());
        std::vector<float> scores(hypotheses_);
        for (std::size_t vertex = 0; vertex < count; ++vertex) {
            const MovedVertex moved =
                moveVertex(points[begin + vertex],
                           workspace.lastProducts.data() + vertex * hypotheses_ * 2, scores);
            output.points[begin + vertex] = moved.point;
            output.entropy[begin + vertex] = moved.entropy;
            if (extra.scores != nullptr)
                std::ranges::copy(scores,
                                  extra.scores->begin() +
                                      static_cast<std::ptrdiff_t>((begin + vertex) * hypotheses_));
        }
        clock.add(thread, pooled, watch.milliseconds());
        if (thread == 0) progress(static_cast<float>(chunk + 1) / static_cast<float>(chunks));
    });
    output.poolingMilliseconds = clock.milliseconds();
    if (extra.ranges != nullptr) {
        for (Workspace& workspace : workspaces_) {
            extra.ranges->include(workspace.ranges);
            workspace.ranges = {};
        }
    }
    return output;
}

}  // namespace threefold
