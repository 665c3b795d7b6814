#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cuda/library/graph_block.h"
#include "cuda/library/hypothesis_block.h"
#include "cuda/library/layout.h"
#include "engine/model/architecture.h"
#include "engine/network/weight_matrices.h"
#include "tests/cuda/library/plain_libraries.h"
#include "tests/cuda/library/plain_values.h"

namespace threefold::cuda::library {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

std::mt19937 randomSource;  // seeded by smallModel(), which the fixture of the tests calls

float randomValue(float range) {
    return std::uniform_real_distribution<float>(-range, range)(randomSource);
}

Floats randomValues(std::size_t count, float range) {
    Floats values(count);
    for (float& value : values) value = randomValue(range);
    return values;
}

SparseMatrix ringOf(std::uint32_t vertices) {
    SparseMatrix matrix{{0}, {}, {}};
    for (std::uint32_t row = 0; row < vertices; ++row) {
        for (const std::uint32_t step : {vertices - 1, 0U, 1U}) {
            matrix.columns.push_back((row + step) % vertices);
            matrix.values.push_back(randomValue(0.5F));
        }
        matrix.rowOffsets.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
    }
    return matrix;
}

/// A model with few vertices, few hypotheses, and layers of the published widths.
Model smallModel() {
    randomSource.seed(7);  // the same values in any order of the tests
    Model model;
    for (const std::uint32_t vertices : {5U, 7U, 11U}) {
        TemplateLevel level;
        level.vertexCount = vertices;
        level.laplacian = ringOf(vertices);
        model.templateMesh.levels.push_back(level);
    }
    model.templateMesh.hypothesisOffsets = {
        {0, 0, 0}, {0.02F, 0, 0}, {0, 0.02F, 0}, {0, 0, -0.02F}, {-0.01F, 0.01F, 0}};
    model.templateMesh.hypothesisLaplacian = ringOf(5);
    const auto add = [&model](const std::string& name, std::size_t rows, std::size_t columns) {
        // This range keeps sums of some hundred products near 1.
        const float range = std::sqrt(1.5F / static_cast<float>(rows));
        for (const char* support : {"0", "1"}) {
            model.weights[fmt::format("{}.weights.{}", name, support)] =
                makeArray(randomValues(rows * columns, range), {rows, columns});
        }
        model.weights[name + ".bias"] = makeArray(randomValues(columns, 0.3F), {columns});
    };
    for (std::size_t level = 0; level < 3; ++level) {
        for (std::size_t layer = 0; layer < kGraphBlockLayerCounts[level]; ++layer) {
            const std::size_t first = kStage1FeatureWidth + (level == 0 ? 0 : kHiddenWidth);
            add(fmt::format("stage1.gcn{}_layers.{}", level + 1, layer),
                layer == 0 ? first : kHiddenWidth,
                layer + 1 == kGraphBlockLayerCounts[level] ? 3 : kHiddenWidth);
        }
    }
    for (std::size_t block = 1; block <= kPublishedHypothesisBlocks; ++block) {
        for (std::size_t layer = 1; layer <= kLocalConvolutionCount; ++layer) {
            add(fmt::format("stage2.drb{}.local_conv{}", block, layer),
                layer == 1 ? kStage2FeatureWidth : kHiddenWidth,
                layer == kLocalConvolutionCount ? 1 : kHiddenWidth);
        }
    }
    return model;
}

/// x W0 + L (x W1) + b of one mesh in float64.
Doubles convolve(const Model& model, const std::string& name, const SparseMatrix& laplacian,
                 const Doubles& x, std::size_t inner, std::size_t outer) {
    const std::size_t rows = laplacian.rows();
    std::array<Doubles, 2> products;
    for (std::size_t support = 0; support < 2; ++support) {
        const Floats w =
            weightValues(model, fmt::format("{}.weights.{}", name, support), inner * outer);
        products[support].resize(rows * outer);
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t k = 0; k < inner; ++k) {
                for (std::size_t column = 0; column < outer; ++column) {
                    products[support][row * outer + column] +=
                        x[row * inner + k] * w[k * outer + column];
                }
            }
        }
    }
    const Floats bias = weightValues(model, name + ".bias", outer);
    Doubles out = products[0];
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < outer; ++column) {
            out[row * outer + column] += bias[column];
            for (std::uint32_t k = laplacian.rowOffsets[row]; k < laplacian.rowOffsets[row + 1];
                 ++k) {
                out[row * outer + column] +=
                    laplacian.values[k] * products[1][laplacian.columns[k] * outer + column];
            }
        }
    }
    return out;
}

Doubles rectified(Doubles values) {
    for (double& value : values) value = std::max(value, 0.0);
    return values;
}

struct GraphResult {
    Doubles points;
    Doubles hidden;
};

GraphResult referenceGraphBlock(const Model& model, std::size_t level, const Doubles& input) {
    const SparseMatrix& laplacian = model.templateMesh.levels[level].laplacian;
    const auto name = [level](std::size_t layer) {
        return fmt::format("stage1.gcn{}_layers.{}", level + 1, layer);
    };
    std::vector<Doubles> outputs = {rectified(
        convolve(model, name(0), laplacian, input, input.size() / laplacian.rows(), kHiddenWidth))};
    const std::size_t last = kGraphBlockLayerCounts[level] - 1;
    for (std::size_t layer = 1; layer < last; ++layer) {
        Doubles out = rectified(
            convolve(model, name(layer), laplacian, outputs.back(), kHiddenWidth, kHiddenWidth));
        if (layer % 2 == 0 && layer <= 12) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = 0.5 * (out[i] + outputs[layer - 2][i]);
            }
        }
        outputs.push_back(std::move(out));
    }
    return {convolve(model, name(last), laplacian, outputs.back(), kHiddenWidth, 3),
            outputs.back()};
}

/// Host memory of exactly `bytes` bytes, so that the address sanitizer detects accesses beyond its
/// end; aligned as device memory is.
class Memory {
  public:
    explicit Memory(std::size_t bytes)
        : bytes_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment}))) {
        std::fill_n(bytes_.get(), bytes, std::byte{0xff});
    }
    explicit Memory(const std::vector<std::byte>& from) : Memory(from.size()) {
        std::copy(from.begin(), from.end(), bytes_.get());
    }
    std::byte* get() const { return bytes_.get(); }
    float* floats() const { return reinterpret_cast<float*>(bytes_.get()); }

  private:
    struct Free {
        void operator()(std::byte* bytes) const {
            ::operator delete (bytes, std::align_val_t{kAlignment});
        }
    };
    std::unique_ptr<std::byte, Free> bytes_;
};

struct Tolerance {
    Precision precision;
    double error;
};

class Blocks : public testing::TestWithParam<Tolerance> {
  protected:
    test::FakeDevice device_;
    MemoryPool pool_{device_, MemoryKind::device};
    Algorithms algorithms_;
    Context context_{pool_, nullptr, algorithms_};
    Model model_ = smallModel();
    Precision precision_ = GetParam().precision;
    double error_ = GetParam().error;
    ElementType element_ = storageOf(precision_);
};

TEST_P(Blocks, graphBlockEqualsTheMethod_onEveryLevelAndMesh) {
    constexpr std::size_t kBatch = 2;
    for (std::size_t level = 0; level < 3; ++level) {
        const std::size_t vertices = model_.templateMesh.levels[level].vertexCount;
        const std::size_t features = kStage1FeatureWidth + (level == 0 ? 0 : kHiddenWidth);
        const auto pitch = static_cast<std::size_t>(paddedGraphInputWidth(level));
        const std::size_t rows = kBatch * vertices;
        const Floats points = randomValues(rows * 3, 0.5F);
        Floats padded(rows * pitch, 0.0F);
        std::array<Doubles, kBatch> inputs;
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < features; ++column) {
                const float value =
                    column < 3 ? points[row * 3 + column] : std::abs(randomValue(0.7F));
                padded[row * pitch + column] = value;
                inputs[row / vertices].push_back(value);
            }
        }
        const Memory input(toElement(padded, element_));
        const Memory weights(packGraphWeights(model_, level, precision_));
        const GraphBlock block(context_, model_, level, precision_, kBatch);
        const Memory workspace(block.workspaceBytes());
        const Memory pointsOut(rows * 3 * sizeof(float));
        const Memory hidden(rows * kHiddenWidth * elementBytes(element_));
        std::vector<std::string> steps;
        block.enqueue(nullptr,
                      {.inputs = input.get(),
                       .points = pointsOut.floats(),
                       .hidden = hidden.get(),
                       .weights = weights.get(),
                       .workspace = workspace.get()},
                      points.data(), [&](const Operation& step, const std::function<void()>& work) {
                          steps.push_back(step.name);
                          EXPECT_GT(step.bytes, 0) << step.name;
                          work();
                      });
        // Each layer but the last has a product, a Laplacian and an epilogue. The first layer also
        // has a step for coordinates; the last layer has a single step, its output.
        EXPECT_EQ(steps.size(), 3 * (kGraphBlockLayerCounts[level] - 1) + 2);
        EXPECT_EQ(steps[1], "layer 0 coordinates");
        EXPECT_EQ(steps.back(), fmt::format("layer {} output", kGraphBlockLayerCounts[level] - 1));
        for (std::size_t mesh = 0; mesh < kBatch; ++mesh) {
            const GraphResult expected = referenceGraphBlock(model_, level, inputs[mesh]);
            for (std::size_t i = 0; i < expected.points.size(); ++i) {
                EXPECT_NEAR(pointsOut.floats()[mesh * expected.points.size() + i],
                            expected.points[i], error_)
                    << "level " << level << " mesh " << mesh << " value " << i;
            }
            for (std::size_t i = 0; i < expected.hidden.size(); ++i) {
                EXPECT_NEAR(
                    test::load(hidden.get(), element_,
                               static_cast<std::int64_t>(mesh * expected.hidden.size() + i)),
                    expected.hidden[i], error_);
            }
        }
    }
}

/// Moved vertex, and the scores of its hypotheses.
struct Moved {
    std::array<double, 3> point;
    Doubles scores;
};

Moved referenceMove(const Model& model, std::size_t block, const float* point, double view,
                    const std::array<float, 3>& maps) {
    const std::size_t hypotheses = model.templateMesh.hypothesisOffsets.size();
    const SparseMatrix& laplacian = model.templateMesh.hypothesisLaplacian;
    Doubles features;
    for (const glm::vec3 offset : model.templateMesh.hypothesisOffsets) {
        const std::array<float, 3> at = {point[0] + offset.x, point[1] + offset.y,
                                         point[2] + offset.z};
        features.insert(features.end(), at.begin(), at.end());
        for (std::size_t column = 3; column < kStage2FeatureWidth; ++column) {
            features.push_back(test::plainFeature(at.data(), column, view, maps[column % 3]));
        }
    }
    const auto c = [&](int layer, const Doubles& x, std::size_t inner, std::size_t outer) {
        return rectified(convolve(model, fmt::format("stage2.drb{}.local_conv{}", block + 1, layer),
                                  laplacian, x, inner, outer));
    };
    const auto sum = [](Doubles a, const Doubles& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
    };
    const Doubles x1 = c(1, features, kStage2FeatureWidth, kHiddenWidth);
    const Doubles x2 = c(2, x1, kHiddenWidth, kHiddenWidth);
    const Doubles x3 = sum(c(3, x2, kHiddenWidth, kHiddenWidth), x1);
    const Doubles x4 = c(4, x3, kHiddenWidth, kHiddenWidth);
    const Doubles x5 = sum(c(5, x4, kHiddenWidth, kHiddenWidth), x3);
    Moved moved{{point[0], point[1], point[2]}, c(6, x5, kHiddenWidth, 1)};
    const double highest = *std::max_element(moved.scores.begin(), moved.scores.end());
    double total = 0;
    for (double& score : moved.scores) total += score = std::exp(score - highest);
    for (std::size_t h = 0; h < hypotheses; ++h) {
        moved.scores[h] /= total;
        for (int axis = 0; axis < 3; ++axis) {
            moved.point[static_cast<std::size_t>(axis)] +=
                moved.scores[h] *
                static_cast<double>(model.templateMesh.hypothesisOffsets[h][axis]);
        }
    }
    return moved;
}

TEST_P(Blocks, hypothesisBlockEqualsTheMethod_inChunksAndOnEveryMesh) {
    constexpr std::size_t kBatch = 2;
    constexpr int kViews = 3;
    const std::size_t vertices = model_.templateMesh.levels.back().vertexCount;
    const std::size_t hypotheses = model_.templateMesh.hypothesisOffsets.size();
    const std::size_t rows = kBatch * vertices;
    // Workspace for four vertices at once: the 11 vertices run as 4, 4 and 3.
    const std::size_t bytes =
        4 * hypotheses * ((344 + 384) * elementBytes(element_) + 384 * sizeof(float)) + 1;
    const HypothesisBlock runner(context_, model_, precision_, kBatch, kViews, bytes);

    const Floats points = randomValues(rows * 3, 0.5F);
    std::vector<ViewTransform> transforms(kBatch * kViews);
    transforms[0].rotation[0] = 0.5;
    transforms[kViews].rotation[0] = -0.75;
    constexpr std::array<int, 3> kSides = {4, 2, 1};
    constexpr std::array<int, 3> kChannels = {16, 32, 64};
    std::vector<Memory> maps;
    HypothesisArguments arguments;
    std::array<std::array<float, 3>, kBatch> firstValues{};
    for (std::size_t map = 0; map < 3; ++map) {
        const auto valuesPerMesh =
            static_cast<std::size_t>(kViews * kSides[map] * kSides[map] * kChannels[map]);
        // Powers of two are exact in every precision.
        Floats values(kBatch * valuesPerMesh, 64.0F);
        for (std::size_t i = 0; i < kBatch; ++i) {
            firstValues[i][map] = values[i * valuesPerMesh] =
                std::ldexp(1.0F, -static_cast<int>(map + i));
        }
        maps.emplace_back(toElement(values, element_));
        arguments.maps[map] = {maps.back().get(), kSides[map], kChannels[map]};
    }
    const Memory workspace(runner.workspaceBytes());
    const Memory moved(rows * 3 * sizeof(float));
    const Memory scores(rows * hypotheses * sizeof(float));
    arguments.points = points.data();
    arguments.moved = moved.floats();
    arguments.scores = scores.floats();
    arguments.transforms = transforms.data();
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block) {
        const Memory weights(packHypothesisWeights(model_, block, precision_));
        arguments.weights = weights.get();
        std::map<std::string, std::size_t> steps;
        runner.enqueue(nullptr, arguments, workspace.get(),
                       [&](const Operation& step, const std::function<void()>& work) {
                           ++steps[step.name];
                           EXPECT_GT(step.bytes, 0) << step.name;
                           work();
                       });
        // Pooling, move and the first layer's coordinates, and three operations for each of five
        // layers.
        EXPECT_EQ(steps.size(), 3U + 3 * 5);
        for (const auto& [name, count] : steps) EXPECT_EQ(count, steps["move"]) << name;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t mesh = row / vertices;
            const Moved expected =
                referenceMove(model_, block, points.data() + row * 3,
                              transforms[mesh * kViews].rotation[0], firstValues[mesh]);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                EXPECT_NEAR(moved.floats()[row * 3 + axis], expected.point[axis], 0.02 * error_);
            }
            for (std::size_t h = 0; h < hypotheses; ++h) {
                EXPECT_NEAR(scores.floats()[row * hypotheses + h], expected.scores[h], error_);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Blocks,
                         testing::Values(Tolerance{Precision::float32, 2e-5},
                                         Tolerance{Precision::float16, 1e-2},
                                         Tolerance{Precision::bfloat16, 8e-2}),
                         [](const auto& given) {
                             return std::string(precisionName(given.param.precision));
                         });

TEST(Chunks, areNearlyEqual_andWithinTheirLimit) {
    EXPECT_EQ(chunksOf(2466, 100, 1000000), (Chunks{2466, 1}));
    EXPECT_EQ(chunksOf(2466, 100, 50000), (Chunks{494, 5}));
    EXPECT_EQ(chunksOf(11, 100, 400), (Chunks{4, 3}));
    EXPECT_EQ(chunksOf(3, 100, 99), (Chunks{1, 3}));
    EXPECT_EQ(chunksOf(0, 100, 1000), (Chunks{0, 0}));
    for (int vertices = 1; vertices < 60; ++vertices) {
        for (std::size_t most = 1; most < 20; ++most) {
            const Chunks chunks = chunksOf(vertices, 10, 10 * most);
            EXPECT_LE(chunks.vertices, static_cast<int>(most));
            EXPECT_GE(chunks.vertices * chunks.count, vertices);
            EXPECT_LT(chunks.vertices * (chunks.count - 1), vertices);
        }
    }
}

}  // namespace
}  // namespace threefold::cuda::library
