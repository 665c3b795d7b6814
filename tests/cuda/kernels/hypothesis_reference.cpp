#include "tests/cuda/kernels/hypothesis_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cuda/portable/half.h"
#include "engine/model/architecture.h"
#include "engine/network/weight_matrices.h"

namespace threefold::cuda::test {
namespace {

template <class T>
float roundedTo(float x) {
    return toFloat(fromFloat<T>(x));
}

float roundedToHalf(float x) {
    return roundedTo<Half>(std::clamp(x, -65504.0F, 65504.0F));
}

float roundedToTf32(float x) {
    return std::bit_cast<float>(toTf32(x));
}

float unrounded(float x) {
    return x;
}

void roundColumn(std::vector<float>& column) {
    float largest = 0.0F;
    for (const float w : column) largest = std::max(largest, std::abs(w));
    if (largest == 0.0F) return;
    const float unit = largest / 127.0F;
    for (float& w : column) w = std::nearbyint(w / unit) * unit;
}

}  // namespace

Rounding roundingOf(Precision precision, const QuantisationRanges& ranges) {
    const auto plain = [](float (*round)(float), float (*storage)(float)) {
        return Rounding{storage, round, [round](float x, int) { return round(x); },
                        [round](std::vector<float>& column) {
                            for (float& w : column) w = round(w);
                        },
                        round};
    };
    switch (precision) {
        case Precision::float32:
            return plain(unrounded, unrounded);
        case Precision::tfloat32:
            return plain(roundedToTf32, unrounded);
        case Precision::bfloat16:
            return plain(roundedTo<Bfloat16>, roundedTo<Bfloat16>);
        case Precision::int8: {
            Rounding rounding = plain(roundedToHalf, roundedToHalf);
            rounding.inner = [ranges](float x, int convolution) {
                const float step = ranges.input[convolution - 1] / 255.0F;
                return std::min(std::nearbyint(x / step), 255.0F) * step;
            };
            rounding.innerColumn = roundColumn;
            return rounding;
        }
        default:
            return plain(roundedToHalf, roundedToHalf);
    }
}

HypothesisReference::HypothesisReference(const Model& model, std::size_t block, Rounding rounding)
    : mesh_(&model.templateMesh), rounding_(std::move(rounding)) {
    for (std::size_t i = 0; i < kLocalConvolutionCount; ++i) {
        const std::string name = fmt::format("stage2.drb{}.local_conv{}", block + 1, i + 1);
        const bool last = i + 1 == kLocalConvolutionCount;
        Convolution convolution{
            i == 0 ? kStage2FeatureWidth : kHiddenWidth, last ? 1 : kHiddenWidth, {}, {}};
        convolution.bias = weightValues(model, name + ".bias", convolution.outer);
        for (std::size_t support = 0; support < 2; ++support) {
            std::vector<float>& w = convolution.weights[support];
            w = weightValues(model, fmt::format("{}.weights.{}", name, support),
                             convolution.inner * convolution.outer);
            if (last) continue;
            if (i == 0) {
                // Weights of coordinates are not rounded, since the kernel corrects the
                // coordinates' rounding errors.
                for (std::size_t k = 3 * kHiddenWidth; k < w.size(); ++k) {
                    w[k] = rounding_.first(w[k]);
                }
                continue;
            }
            for (std::size_t column = 0; column < kHiddenWidth; ++column) {
                std::vector<float> values;
                for (std::size_t k = column; k < w.size(); k += kHiddenWidth) {
                    values.push_back(w[k]);
                }
                rounding_.innerColumn(values);
                for (std::size_t k = 0; k < values.size(); ++k) {
                    w[k * kHiddenWidth + column] = values[k];
                }
            }
        }
        convolutions_.push_back(std::move(convolution));
    }
}

std::vector<double> HypothesisReference::convolve(const std::vector<float>& x,
                                                  const Convolution& convolution) const {
    const std::size_t rows = mesh_->hypothesisOffsets.size();
    const std::size_t outer = convolution.outer;
    std::vector<double> products[2];
    for (std::size_t support = 0; support < 2; ++support) {
        products[support].assign(rows * outer, 0.0);
        for (std::size_t row = 0; row < rows; ++row) {
            double* to = products[support].data() + row * outer;
            for (std::size_t k = 0; k < convolution.inner; ++k) {
                const double value = x[row * convolution.inner + k];
                const float* w = convolution.weights[support].data() + k * outer;
                for (std::size_t column = 0; column < outer; ++column)
                    to[column] += value * w[column];
            }
        }
    }
    const SparseMatrix& l = mesh_->hypothesisLaplacian;
    const bool last = outer == 1;
    std::vector<double> sums = products[0];
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < outer; ++column) {
            double& sum = sums[row * outer + column];
            sum += convolution.bias[column];
            for (std::size_t k = l.rowOffsets[row]; k < l.rowOffsets[row + 1]; ++k) {
                const double y = products[1][l.columns[k] * outer + column];
                sum += last ? l.values[k] * y
                            : double{rounding_.mixing(l.values[k])} *
                                  rounding_.mixing(static_cast<float>(y));
            }
            sum = std::max(sum, 0.0);
        }
    }
    return sums;
}

HypothesisResult HypothesisReference::run(glm::vec3 vertex, const FeaturePooling& pooling) const {
    const std::size_t rows = mesh_->hypothesisOffsets.size();
    HypothesisResult result{std::vector<float>(rows), vertex, {}};
    std::vector<float> x(rows * kStage2FeatureWidth);
    for (std::size_t row = 0; row < rows; ++row) {
        float* features = x.data() + row * kStage2FeatureWidth;
        pooling.pool(vertex + mesh_->hypothesisOffsets[row], features);
        for (std::size_t i = 3; i < kStage2FeatureWidth; ++i) {
            features[i] = rounding_.first(rounding_.storage(features[i]));
        }
    }
    const auto recordMagnitude = [&](std::size_t convolution, float value) {
        result.ranges.input[convolution] =
            std::max(result.ranges.input[convolution], std::abs(value));
    };
    for (const float value : x) recordMagnitude(0, value);

    std::vector<float> kept;
    std::vector<double> sums;
    for (std::size_t i = 0; i + 1 < kLocalConvolutionCount; ++i) {
        sums = convolve(x, convolutions_[i]);
        x.resize(sums.size());
        kept.resize(sums.size());
        for (std::size_t k = 0; k < sums.size(); ++k) {
            float value = static_cast<float>(sums[k]);
            if (i == 2 || i == 4) value += kept[k];
            recordMagnitude(i + 1, value);
            if (i == 0 || i == 2) kept[k] = rounding_.storage(value);
            // The inputs of the last layer are not rounded.
            x[k] = i == 4 ? value : rounding_.inner(value, static_cast<int>(i) + 2);
        }
    }
    sums = convolve(x, convolutions_.back());
    const double highest = *std::max_element(sums.begin(), sums.end());
    double total = 0.0;
    for (double& sum : sums) total += sum = std::exp(sum - highest);
    glm::dvec3 step(0.0);
    for (std::size_t row = 0; row < rows; ++row) {
        result.scores[row] = static_cast<float>(sums[row] / total);
        step += sums[row] / total * glm::dvec3(mesh_->hypothesisOffsets[row]);
    }
    result.moved = vertex + glm::vec3(step);
    return result;
}

}  // namespace threefold::cuda::test
