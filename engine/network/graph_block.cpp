#include "engine/network/graph_block.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/compute/parallel.h"
#include "engine/model/expected_weights.h"
#include "engine/network/pooling_timer.h"
#include "engine/network/weight_matrices.h"

namespace threefold {
namespace {

// The chunk size does not depend on the number of threads, because oneDNN's order of summation
// depends on the number of rows of a product (on AVX2 the orders for 52, 103 and 124 rows differ).
// With 26 rows, levels of 618 and 2466 vertices are padded by 6 and 4 rows only, and the smallest
// level (156) has six chunks, one for each of six threads; a chunk's inputs and outputs fit in the
// L2 cache.
constexpr std::size_t kChunkRows = 26;

// The last layer computes coordinates, and the published sampler truncates their pixel positions.
// Summing in double precision keeps rounding from moving a vertex into a neighbouring texel. Six
// columns: W0 and W1 × three coordinates.
constexpr std::size_t kLastColumns = 6;

}  // namespace

GraphBlock::GraphBlock(const Model& model, std::size_t level, int threads,
                       const simd::NetworkKernels& kernels)
    : vertices_(model.templateMesh.levels[level].vertexCount),
      chunks_((vertices_ + kChunkRows - 1) / kChunkRows),
      inputWidth_(graphInputWidth(level)),
      paddedInput_(paddedWidth(inputWidth_)),
      threads_(threads),
      kernels_(&kernels),
      laplacian_(&model.templateMesh.levels[level].laplacian),
      first_({kChunkRows, paddedInput_, 2 * kHiddenWidth}, Precision::float32,
             supportsSideBySide(model, graphLayerName(level, 0), inputWidth_, kHiddenWidth,
                                paddedInput_),
             {}, false),
      lastProducts_(vertices_ * kLastColumns),
      firstProducts_(chunks_ * kChunkRows * 2 * kHiddenWidth) {
    const auto name = [level](std::size_t layer) { return graphLayerName(level, layer); };
    firstBias_ = weightValues(model, name(0) + ".bias", kHiddenWidth);
    const std::size_t last = kGraphBlockLayerCounts[level] - 1;
    for (std::size_t layer = 1; layer < last; ++layer)
        hidden_.emplace_back(onednn::Product::Shape{kChunkRows, 2 * kHiddenWidth, kHiddenWidth},
                             Precision::float32,
                             stackedSupports(model, name(layer), kHiddenWidth, kHiddenWidth),
                             weightValues(model, name(layer) + ".bias", kHiddenWidth), true);
    const auto lastWeights = supportsSideBySide(model, name(last), kHiddenWidth, 3, kHiddenWidth);
    lastWeights_.assign(lastWeights.begin(), lastWeights.end());
    lastBias_ = weightValues(model, name(last) + ".bias", 3);

    for (int i = 0; i < 3; ++i) activations_.emplace_back(chunks_ * kChunkRows * kHiddenWidth);
    std::size_t scratchBytes = first_.scratchBytes();
    for (const onednn::Product& product : hidden_)
        scratchBytes = std::max(scratchBytes, product.scratchBytes());
    for (int i = 0; i < threads; ++i) {
        gathered_.emplace_back(kChunkRows * std::max(paddedInput_, 2 * kHiddenWidth));
        scratch_.emplace_back(scratchBytes);
    }
}

template <class Work>
void GraphBlock::forEachChunk(const std::stop_token& cancel, const Work& work) const {
    parallelFor(threads_, chunks_, cancel, [&](std::size_t chunk, std::size_t thread) {
        const std::size_t begin = chunk * kChunkRows;
        work(begin, std::min(begin + kChunkRows, vertices_), thread);
    });
}

double GraphBlock::runFirstLayer(const Points& points, std::span<const float> hidden,
                                 const FeaturePooling& pooling, const std::stop_token& cancel) {
    PoolingTimer clock(threads_);
    forEachChunk(cancel, [&](std::size_t begin, std::size_t end, std::size_t thread) {
        const Stopwatch watch;
        float* input = gathered_[thread].data();
        for (std::size_t vertex = begin; vertex < end; ++vertex) {
            float* row = input + (vertex - begin) * paddedInput_;
            pooling.pool(points[vertex], row);
            if (!hidden.empty())
                std::copy_n(hidden.data() + vertex * kHiddenWidth, kHiddenWidth,
                            row + kStage1FeatureWidth);
            std::fill(row + inputWidth_, row + paddedInput_, 0.0F);
        }
        const double pooled = watch.milliseconds();
        first_.run(input, firstProducts_.data() + begin * 2 * kHiddenWidth,
                   scratch_[thread].data());
        clock.add(thread, pooled, watch.milliseconds());
    });
    const double pooled = clock.milliseconds();
    forEachChunk(cancel, [&](std::size_t begin, std::size_t end, std::size_t) {
        kernels_->epilogue({.matrix = rowsOf(*laplacian_),
                            .first = begin,
                            .last = end,
                            .products = firstProducts_.data(),
                            .width = kHiddenWidth,
                            .bias = firstBias_.data()},
                           activations_[0].data() + begin * kHiddenWidth);
    });
    return pooled;
}

void GraphBlock::runHiddenLayer(std::size_t layer, const float* residual, const float* x,
                                float* out, const std::stop_token& cancel) {
    forEachChunk(cancel, [&](std::size_t begin, std::size_t end, std::size_t thread) {
        float* input = gathered_[thread].data();
        for (std::size_t vertex = begin; vertex < end; ++vertex)
            std::memcpy(input + (vertex - begin) * 2 * kHiddenWidth, x + vertex * kHiddenWidth,
                        kHiddenWidth * sizeof(float));
        kernels_->laplacian(rowsOf(*laplacian_), begin, end, x, kHiddenWidth, kHiddenWidth,
                            input + kHiddenWidth, 2 * kHiddenWidth);
        float* destination = out + begin * kHiddenWidth;
        hidden_[layer - 1].run(input, destination, scratch_[thread].data());
        if (hasResidual(layer))
            kernels_->average(destination, residual + begin * kHiddenWidth, 0.5F,
                              (end - begin) * kHiddenWidth);
    });
}

Points GraphBlock::runLastLayer(const float* x, const std::stop_token& cancel) {
    forEachChunk(cancel, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t vertex = begin; vertex < end; ++vertex) {
            std::array<double, kLastColumns> sum{};
            for (std::size_t c = 0; c < kHiddenWidth; ++c) {
                const double value = x[vertex * kHiddenWidth + c];
                const double* weights = lastWeights_.data() + c * kLastColumns;
                for (std::size_t k = 0; k < kLastColumns; ++k) sum[k] += value * weights[k];
            }
            std::ranges::copy(sum, &lastProducts_[vertex * kLastColumns]);
        }
    });
    Points points(vertices_);
    for (std::size_t vertex = 0; vertex < vertices_; ++vertex) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double sum = lastProducts_[vertex * kLastColumns + axis] + lastBias_[axis];
            for (std::uint32_t k = laplacian_->rowOffsets[vertex];
                 k < laplacian_->rowOffsets[vertex + 1]; ++k)
                sum += laplacian_->values[k] *
                       lastProducts_[laplacian_->columns[k] * kLastColumns + 3 + axis];
            points[vertex][static_cast<int>(axis)] = static_cast<float>(sum);
        }
    }
    return points;
}

GraphBlock::Output GraphBlock::run(const Points& points, std::span<const float> hidden,
                                   const FeaturePooling& pooling, const std::stop_token& cancel,
                                   const std::function<void(float fraction)>& progress) {
    const double pooled = runFirstLayer(points, hidden, pooling, cancel);
    const auto layers = static_cast<float>(hidden_.size() + 2);
    std::size_t current = 0;
    std::size_t previous = 2;  // first used at layer 2, when it is the index of layer 0's output
    for (std::size_t layer = 1; layer <= hidden_.size(); ++layer) {
        progress(static_cast<float>(layer) / layers);
        const std::size_t free = 3 - current - previous;
        runHiddenLayer(layer, activations_[previous].data(), activations_[current].data(),
                       activations_[free].data(), cancel);
        previous = current;
        current = free;
    }
    const float* last = activations_[current].data();
    Output output{runLastLayer(last, cancel), {}, pooled};
    output.hidden.assign(last, last + vertices_ * kHiddenWidth);
    progress(1.0F);
    return output;
}

Points GraphBlock::unpool(const Points& points, const TemplateLevel& level) {
    Points out = points;
    for (const glm::u32vec2 edge : level.unpoolEdges)
        out.push_back((points[edge.x] + points[edge.y]) * 0.5F);
    return out;
}

std::vector<float> GraphBlock::unpool(std::span<const float> hidden, const TemplateLevel& level) {
    std::vector<float> out(hidden.begin(), hidden.end());
    out.reserve(out.size() + level.unpoolEdges.size() * kHiddenWidth);
    for (const glm::u32vec2 edge : level.unpoolEdges) {
        for (std::size_t c = 0; c < kHiddenWidth; ++c)
            out.push_back((hidden[edge.x * kHiddenWidth + c] + hidden[edge.y * kHiddenWidth + c]) *
                          0.5F);
    }
    return out;
}

}  // namespace threefold
