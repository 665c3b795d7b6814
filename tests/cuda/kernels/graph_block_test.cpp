#include "cuda/kernels/graph_block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/graph_block_shape.h"
#include "engine/error.h"
#include "engine/model/architecture.h"
#include "engine/network/graph_block.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/scene.h"
#include "tests/support/models.h"

namespace threefold::cuda {
namespace {

using threefold::test::testModel;

constexpr std::size_t kWidth = kHiddenWidth;

// −D^-½ A D^-½ of a ring whose vertex 0 is a neighbour of all other vertices, so that row 0 is
// long. With a single vertex the matrix is empty.
SparseMatrix ringWithHub(std::size_t vertices) {
    std::vector<std::vector<std::uint32_t>> to(vertices);
    const auto join = [&](std::size_t a, std::size_t b) {
        if (a == b || std::find(to[a].begin(), to[a].end(), b) != to[a].end()) return;
        to[a].push_back(static_cast<std::uint32_t>(b));
        to[b].push_back(static_cast<std::uint32_t>(a));
    };
    for (std::size_t v = 0; v < vertices; ++v) {
        join(v, (v + 1) % vertices);
        join(v, 0);
    }
    SparseMatrix matrix;
    matrix.rowOffsets.push_back(0);
    for (std::size_t v = 0; v < vertices; ++v) {
        std::sort(to[v].begin(), to[v].end());
        for (const std::uint32_t other : to[v]) {
            matrix.columns.push_back(other);
            matrix.values.push_back(-1.0F / std::sqrt(static_cast<float>(to[v].size()) *
                                                      static_cast<float>(to[other].size())));
        }
        matrix.rowOffsets.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
    }
    return matrix;
}

// The test model's weights, with a graph of `vertices` vertices on the level; 0: with the
// template's graph.
Model modelOn(std::size_t level, std::size_t vertices) {
    Model model = *testModel();
    if (vertices != 0) {
        model.templateMesh.levels[level].vertexCount = vertices;
        model.templateMesh.levels[level].laplacian = ringWithHub(vertices);
    }
    return model;
}

DeviceLimits limitsOf(int multiprocessors, bool cooperative) {
    return {90, multiprocessors, 232448, cooperative};
}

// Input rows of `batch` meshes, and the engine's output for them.
struct Block {
    Block(std::size_t whichLevel, std::size_t vertices, std::size_t meshes)
        : level(whichLevel), model(modelOn(level, vertices)), batch(meshes) {
        count = model.templateMesh.levels[level].vertexCount;
        std::mt19937 random(31);
        const std::vector<Camera> cameras = test::cameras(3);
        std::vector<std::vector<float>> maps;
        std::vector<FeatureMap> list;
        const std::size_t sides[] = {56, 28, 14, 7};
        for (std::size_t t = 0; t < 4; ++t) {
            const std::size_t channels = tapChannels(kStage1FirstTap + t);
            maps.push_back(test::randomValues(3 * sides[t] * sides[t] * channels, random, 0.5F));
            list.push_back({maps.back().data(), sides[t], channels});
        }
        const simd::NetworkKernels& kernels = *simd::runnableNetworkKernels().front();
        const FeaturePooling pooling(projectionsFrom(cameras), list, SamplerKind::bilinearPerView,
                                     kernels);
        GraphBlock engine(model, level, 1, kernels);
        const auto pitch = static_cast<std::size_t>(graphInputPitch(level));
        for (std::size_t mesh = 0; mesh < batch; ++mesh) {
            const Points points = test::pointsAbout(count, random);
            const std::vector<float> below =
                level == 0 ? std::vector<float>{} : test::randomValues(count * kWidth, random);
            const GraphBlock::Output output = engine.run(points, below, pooling, {}, [](float) {});
            expectedPoints.insert(expectedPoints.end(), output.points.begin(), output.points.end());
            expectedHidden.insert(expectedHidden.end(), output.hidden.begin(), output.hidden.end());
            for (std::size_t v = 0; v < count; ++v) {
                std::vector<float> row(pitch);
                pooling.pool(points[v], row.data());
                if (level > 0) {
                    std::copy_n(below.begin() + static_cast<std::ptrdiff_t>(v * kWidth), kWidth,
                                row.begin() + static_cast<std::ptrdiff_t>(kStage1FeatureWidth));
                }
                inputs.insert(inputs.end(), row.begin(), row.end());
            }
        }
    }

    // Returns the points, then the hidden features.
    std::vector<float> fromKernel(Precision precision, const DeviceLimits& limits) const {
        const ElementType element = storageOf(precision);
        const std::vector<std::byte> weights = packGraphBlock(model, level, precision);
        const auto pitch = static_cast<std::size_t>(graphInputPitch(level));
        std::vector<float> rows = inputs;
        for (std::size_t row = 0; row < batch * count; ++row) {
            test::writeParts(rows.data() + row * pitch,
                             kStage1FeatureWidth + (level == 0 ? 0 : kWidth), element);
        }
        const std::vector<std::byte> packed = test::asElement(rows, element);
        std::vector<std::byte> workspace(
            graphBlockWorkspaceBytes(limits, precision, static_cast<int>(batch),
                                     static_cast<int>(count)),
            std::byte{0xff});
        std::vector<float> points(batch * count * 3);
        std::vector<std::byte> hidden(batch * count * kWidth * elementBytes(element));
        GraphBlockArguments arguments;
        arguments.inputs = packed.data();
        arguments.inputPitch = graphInputPitch(level);
        arguments.batch = static_cast<int>(batch);
        arguments.vertices = static_cast<int>(count);
        arguments.layers = static_cast<int>(kGraphBlockLayerCounts[level]);
        arguments.points = points.data();
        arguments.hidden = hidden.data();
        arguments.weights = weights.data();
        arguments.workspace = workspace.data();
        launchGraphBlock(nullptr, precision, limits, arguments);
        const std::vector<float> values = test::asFloats(hidden, element);
        points.insert(points.end(), values.begin(), values.end());
        return points;
    }

    void expectNear(const std::vector<float>& got, double allowed) const {
        const std::size_t rows = batch * count;
        ASSERT_EQ(got.size(), rows * (3 + kWidth));
        const auto compare = [&](const char* what, const float* mine, const float* engines,
                                 std::size_t values) {
            double largest = 0;
            double worst = 0;
            std::size_t where = 0;
            for (std::size_t i = 0; i < values; ++i) {
                largest = std::max(largest, std::abs(static_cast<double>(engines[i])));
                const double off = std::abs(static_cast<double>(mine[i]) - engines[i]);
                if (!(off <= worst)) {
                    worst = off;
                    where = i;
                }
            }
            EXPECT_LE(worst, allowed * largest)
                << what << " " << where << ": " << mine[where] << " against " << engines[where]
                << ", relative " << worst / largest;
        };
        compare("point", got.data(), &expectedPoints[0].x, rows * 3);
        compare("hidden", got.data() + rows * 3, expectedHidden.data(), rows * kWidth);
    }

    std::size_t level;
    Model model;
    std::size_t batch;
    std::size_t count = 0;
    std::vector<float> inputs;
    Points expectedPoints;
    std::vector<float> expectedHidden;
};

struct Allowed {
    Precision precision;
    double error;
};
constexpr Allowed kAllowed[] = {{Precision::float32, 2e-5},
                                {Precision::tfloat32, 5e-3},
                                {Precision::float16, 1e-2},
                                {Precision::bfloat16, 6e-2}};

TEST(GraphBlockKernel, agreesWithTheEngine_whenGraphsAreSmallAndMeshesShareTiles) {
    const Block block(0, 17, 3);
    for (const Allowed& allowed : kAllowed) {
        SCOPED_TRACE(precisionName(allowed.precision));
        block.expectNear(block.fromKernel(allowed.precision, limitsOf(8, true)), allowed.error);
    }
}

TEST(GraphBlockKernel, agreesWithTheEngine_whenTheGraphHasOneVertexOrTheBlockOneMoreLayer) {
    for (const std::size_t level : {0, 2}) {
        const Block block(level, level == 0 ? 1 : 5, 2);
        block.expectNear(block.fromKernel(Precision::float16, limitsOf(3, true)), 1e-2);
    }
}

TEST(GraphBlockKernel, agreesWithTheEngine_onTheGraphOfTheTemplate) {
    const Block block(0, 0, 1);
    block.expectNear(block.fromKernel(Precision::float16, limitsOf(8, true)), 1e-2);
}

// A made-up block with narrow inputs and few layers, for tests that run it often.
class SmallBlock {
  public:
    static constexpr int kLayers = 6;
    static constexpr int kPitch = 128;
    static constexpr std::size_t kInner = 100;

    SmallBlock(int batch, int vertices) : batch_(batch), vertices_(vertices) {
        std::mt19937 random(17);
        const auto draw = [&random](std::size_t count, float largest) {
            std::vector<float> values = test::randomValues(count, random, 2.0F * largest);
            for (float& value : values) value -= largest;
            return values;
        };
        weights_.first = draw(kInner * 2 * kWidth, 0.2F);
        weights_.bias.push_back(draw(kWidth, 0.1F));
        for (int i = 0; i < kLayers - 2; ++i) {
            weights_.hidden.push_back(draw(2 * kWidth * kWidth, 0.12F));
            weights_.bias.push_back(draw(kWidth, 0.1F));
        }
        weights_.last = draw(2 * kWidth * 3, 0.1F);
        weights_.lastBias = draw(3, 0.1F);
        weights_.laplacian = ringWithHub(static_cast<std::size_t>(vertices));
        inputs_ = test::randomValues(rows() * kPitch, random);
    }

    // Rounds weights and features so that products in `precision` need no further rounding.
    void roundTo(Precision precision) {
        const auto round = [precision](float& value) {
            switch (precision) {
                case Precision::tfloat32:
                    value = toFloat(toOperand<Tfloat32>(value));
                    break;
                case Precision::float16:
                    value = toFloat(toOperand<Half>(value));
                    break;
                case Precision::bfloat16:
                    value = toFloat(toOperand<Bfloat16>(value));
                    break;
                default:
                    break;
            }
        };
        std::for_each(weights_.first.begin() + 3 * 2 * kWidth, weights_.first.end(), round);
        for (std::vector<float>& layer : weights_.hidden) {
            std::for_each(layer.begin(), layer.end(), round);
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (i % kPitch >= 3) round(inputs_[i]);
        }
    }

    // Sets the weights of all image features to 0, and puts the vertices within `spread` / 2 of a
    // point. The first layer's biases subtract this point, so that all activations are as small as
    // `spread`.
    void useOnlyCoordinates(float spread) {
        const std::array<float, 3> centre = {0.137F, -0.211F, -0.803F};
        std::fill(weights_.first.begin() + 3 * 2 * kWidth, weights_.first.end(), 0.0F);
        for (std::size_t column = 0; column < kWidth; ++column) {
            weights_.bias[0][column] = 0.0F;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                weights_.first[(2 * axis + 1) * kWidth + column] = 0.0F;
                weights_.bias[0][column] -=
                    centre[axis] * weights_.first[2 * axis * kWidth + column];
            }
        }
        for (std::size_t layer = 1; layer < weights_.bias.size(); ++layer) {
            std::fill(weights_.bias[layer].begin(), weights_.bias[layer].end(), 0.0F);
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (i % kPitch < 3) inputs_[i] = centre[i % kPitch] + spread * (inputs_[i] - 0.5F);
        }
    }

    // Returns the points, then the hidden features.
    std::vector<float> run(Precision precision, const DeviceLimits& limits) const {
        const ElementType element = storageOf(precision);
        const std::vector<std::byte> weights = packGraphBlock(weights_, kPitch, precision);
        std::vector<float> withParts = inputs_;
        for (std::size_t row = 0; row < rows(); ++row) {
            test::writeParts(withParts.data() + row * kPitch, kInner, element);
        }
        const std::vector<std::byte> inputs = test::asElement(withParts, element);
        std::vector<std::byte> workspace(
            graphBlockWorkspaceBytes(limits, precision, batch_, vertices_), std::byte{0xff});
        std::vector<float> points(rows() * 3);
        std::vector<std::byte> hidden(rows() * kWidth * elementBytes(element));
        GraphBlockArguments arguments;
        arguments.inputs = inputs.data();
        arguments.inputPitch = kPitch;
        arguments.batch = batch_;
        arguments.vertices = vertices_;
        arguments.layers = kLayers;
        arguments.points = points.data();
        arguments.hidden = hidden.data();
        arguments.weights = weights.data();
        arguments.workspace = workspace.data();
        launchGraphBlock(nullptr, precision, limits, arguments);
        const std::vector<float> values = test::asFloats(hidden, element);
        points.insert(points.end(), values.begin(), values.end());
        return points;
    }

    // Computes METHOD.md §6 in double precision. Returns the points, then the hidden features.
    std::vector<float> plain() const {
        std::vector<float> points;
        std::vector<float> hidden;
        for (int mesh = 0; mesh < batch_; ++mesh) {
            std::vector<std::vector<double>> h;
            std::vector<double> x;
            for (std::size_t i = 0; i < vertices() * kPitch; ++i) {
                if (i % kPitch < kInner) {
                    x.push_back(inputs_[static_cast<std::size_t>(mesh) * vertices() * kPitch + i]);
                }
            }
            const auto relu = [](std::vector<double> values) {
                for (double& value : values) value = std::max(value, 0.0);
                return values;
            };
            const auto first = [this](std::size_t support, std::size_t k, std::size_t column) {
                return weights_.first[k * 2 * kWidth + support * kWidth + column];
            };
            h.push_back(relu(convolve(x, kWidth, first, weights_.bias[0])));
            for (std::size_t layer = 1; layer + 1 < kLayers; ++layer) {
                const std::vector<float>& w = weights_.hidden[layer - 1];
                const auto at = [&w](std::size_t support, std::size_t k, std::size_t column) {
                    return w[(support * kWidth + k) * kWidth + column];
                };
                h.push_back(relu(convolve(h.back(), kWidth, at, weights_.bias[layer])));
                if (layer % 2 == 0 && layer <= 12) {
                    for (std::size_t i = 0; i < h.back().size(); ++i) {
                        h.back()[i] = 0.5 * (h.back()[i] + h[layer - 2][i]);
                    }
                }
            }
            const std::vector<double> out = lastLayer(h.back());
            points.insert(points.end(), out.begin(), out.end());
            hidden.insert(hidden.end(), h.back().begin(), h.back().end());
        }
        points.insert(points.end(), hidden.begin(), hidden.end());
        return points;
    }

    // Output of the last layer for one mesh.
    std::vector<double> lastLayer(const std::vector<double>& hidden) const {
        const auto last = [this](std::size_t support, std::size_t k, std::size_t column) {
            return weights_.last[(support * kWidth + k) * 3 + column];
        };
        return convolve(hidden, 3, last, weights_.lastBias);
    }

    std::size_t rows() const { return static_cast<std::size_t>(batch_) * vertices(); }

  private:
    std::size_t vertices() const { return static_cast<std::size_t>(vertices_); }

    // x W0 + L (x W1) + b
    template <class Weight>
    std::vector<double> convolve(const std::vector<double>& x, std::size_t columns, Weight weight,
                                 const std::vector<float>& bias) const {
        const std::size_t width = x.size() / vertices();
        std::vector<double> own(vertices() * columns);
        std::vector<double> far(vertices() * columns);
        for (std::size_t i = 0; i < own.size(); ++i) {
            for (std::size_t k = 0; k < width; ++k) {
                own[i] += x[i / columns * width + k] * weight(0, k, i % columns);
                far[i] += x[i / columns * width + k] * weight(1, k, i % columns);
            }
        }
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i] += bias[i % columns];
            const std::size_t row = i / columns;
            for (std::size_t k = weights_.laplacian.rowOffsets[row];
                 k < weights_.laplacian.rowOffsets[row + 1]; ++k) {
                own[i] += weights_.laplacian.values[k] *
                          far[weights_.laplacian.columns[k] * columns + i % columns];
            }
        }
        return own;
    }

    int batch_;
    int vertices_;
    GraphBlockWeights weights_;
    std::vector<float> inputs_;
};

// Tiles have 64 rows with one multiprocessor, 32 with 6, and 16 with 9. The
// shared memory of compute capability 7.5 (65536 bytes) does not hold all weights of a layer.
TEST(GraphBlockKernel, agreesWithThePlainReference_whenTilesHaveAnyHeight) {
    const SmallBlock block(2, 17);
    const std::vector<float> expected = block.plain();
    float largest = 0.0F;
    for (const float value : expected) largest = std::max(largest, std::abs(value));
    for (const Allowed& allowed : kAllowed) {
        for (const DeviceLimits& limits : {limitsOf(1, true), limitsOf(6, true), limitsOf(9, true),
                                           DeviceLimits{90, 9, 65536, true}}) {
            const std::vector<float> got = block.run(allowed.precision, limits);
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                ASSERT_NEAR(got[i], expected[i], allowed.error * largest)
                    << precisionName(allowed.precision) << " with " << limits.multiprocessors
                    << " multiprocessors, value " << i;
            }
        }
    }
}

// The remaining error is the rounding of sums. Bfloat16 adds an error of storage: a value is stored
// as the sum of two bfloat16 numbers, which has only 16 bits of significand.
TEST(GraphBlockKernel, losesNothingBetweenLayers_whenInputsAndWeightsAreExact) {
    for (const Allowed& allowed :
         {Allowed{Precision::float32, 5e-7}, Allowed{Precision::tfloat32, 5e-7},
          Allowed{Precision::float16, 5e-7}, Allowed{Precision::bfloat16, 5e-6}}) {
        SmallBlock block(2, 17);
        block.roundTo(allowed.precision);
        const std::vector<float> expected = block.plain();
        const std::vector<float> got = block.run(allowed.precision, limitsOf(9, true));
        const std::size_t points = block.rows() * 3;
        float largest = 0.0F;
        double worst = 0.0;
        for (std::size_t i = 0; i < points; ++i) {
            largest = std::max(largest, std::abs(expected[i]));
            worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected[i]));
        }
        EXPECT_LE(worst, allowed.error * largest)
            << precisionName(allowed.precision) << ": relative " << worst / largest;
    }
}

TEST(GraphBlockKernel, roundsCoordinatesOnce_whenItSumsThem) {
    const SmallBlock block(1, 17);
    const std::vector<float> got = block.run(Precision::float32, limitsOf(9, true));
    const auto hidden = got.begin() + static_cast<std::ptrdiff_t>(block.rows() * 3);
    const std::vector<double> points = block.lastLayer({hidden, got.end()});
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(got[i], static_cast<float>(points[i])) << i;
    }
}

// Near 0.8, the largest coordinate of the points, adjacent float16 numbers differ by 5e-4, adjacent
// bfloat16 numbers by 4e-3.
TEST(GraphBlockKernel, distinguishesPoints_whenTheirCoordinatesRoundAlike) {
    SmallBlock block(1, 17);
    block.useOnlyCoordinates(4e-4F);
    const std::vector<float> expected = block.plain();
    const auto hidden = static_cast<std::ptrdiff_t>(block.rows() * 3);
    const float largest = *std::max_element(expected.begin() + hidden, expected.end());
    for (const Allowed& allowed : kAllowed) {
        const std::vector<float> got = block.run(allowed.precision, limitsOf(9, true));
        double worst = 0.0;
        for (std::size_t i = block.rows() * 3; i < got.size(); ++i) {
            worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected[i]));
        }
        EXPECT_LE(worst, 4e-3 * largest)
            << precisionName(allowed.precision) << ": relative " << worst / largest;
    }
}

TEST(GraphBlockKernel, givesTheSameBits_whenLaunchedStepByStep) {
    const SmallBlock block(3, 17);
    for (const Allowed& allowed : kAllowed) {
        EXPECT_EQ(block.run(allowed.precision, limitsOf(8, true)),
                  block.run(allowed.precision, limitsOf(8, false)));
    }
}

TEST(GraphBlockKernel, givesTheSameBits_whenThreadsRunInAnyOrder) {
    const SmallBlock block(2, 9);
    for (const Allowed& allowed : kAllowed) {
        emulation::expectSameUnderAllSeeds(
            [&] { return block.run(allowed.precision, limitsOf(4, true)); });
        emulation::expectSameUnderAllSeeds([&] {
            return block.run(allowed.precision, DeviceLimits{90, 4, 65536, true});
        });
    }
}

TEST(GraphBlockKernel, throwsDeviceError_whenTheDeviceLacksThePrecision) {
    GraphBlockArguments arguments;
    const DeviceLimits old{75, 40, 65536, true};
    EXPECT_THROW(launchGraphBlock(nullptr, Precision::bfloat16, old, arguments), DeviceError);
}

TEST(GraphBlockFits, isTrue_whenTheDeviceMultipliesThePrecision) {
    const DeviceLimits turing{75, 40, 65536, true};
    EXPECT_TRUE(graphBlockFits(turing, Precision::float16));
    EXPECT_TRUE(graphBlockFits(turing, Precision::float32));
    EXPECT_TRUE(graphBlockFits(turing, Precision::int8));
    EXPECT_FALSE(graphBlockFits(turing, Precision::bfloat16));
    EXPECT_FALSE(graphBlockFits(turing, Precision::tfloat32));
    for (const DeviceLimits& limits :
         {DeviceLimits{80, 108, 166912, true}, DeviceLimits{86, 84, 101376, true},
          DeviceLimits{90, 132, 232448, true}, DeviceLimits{120, 170, 101376, true}}) {
        for (const Precision precision : kAllPrecisions) {
            EXPECT_TRUE(graphBlockFits(limits, precision)) << limits.computeCapability;
        }
    }
    EXPECT_FALSE(graphBlockFits({70, 80, 98304, true}, Precision::float16));
    EXPECT_FALSE(graphBlockFits({90, 132, 49152, true}, Precision::float16));
}

TEST(GraphBlockShape, givesEachMultiprocessorAtMostOneTile_whenALevelIsSmall) {
    const DeviceLimits h200{90, 132, 232448, true};
    for (const int rows : {156, 618, 2466}) {
        const GraphBlockShape shape = graphBlockShape(h200, Precision::float16, rows);
        EXPECT_LE(shape.hiddenTiles, 132) << rows;
        EXPECT_GE(shape.rowTile * shape.hiddenTiles / 3, rows);
    }
    EXPECT_EQ(graphBlockShape(h200, Precision::float16, 156).rowTile, 16);
    EXPECT_EQ(graphBlockShape(h200, Precision::float16, 2466).rowTile, 64);
}

TEST(GraphBlockShape, loadsAWholeLayersWeightsAhead_unlessMemoryIsShort) {
    const auto stagesWith = [](std::size_t sharedBytes, Precision precision) {
        return graphBlockShape({90, 132, sharedBytes, true}, precision, 618).ringStages;
    };
    EXPECT_EQ(stagesWith(101376, Precision::float16), kWholeLayerStages);
    EXPECT_EQ(stagesWith(65536, Precision::float16), kFewStages);
    EXPECT_EQ(stagesWith(232448, Precision::float32), kFewStages);
}

TEST(GraphBlockShape, staysWithinTheDevice_whenBatchesAreLarge) {
    for (const DeviceLimits& limits :
         {DeviceLimits{75, 40, 65536, true}, DeviceLimits{86, 84, 101376, true},
          DeviceLimits{90, 132, 232448, true}}) {
        for (const Precision precision : {Precision::float32, Precision::float16}) {
            const GraphBlockShape shape = graphBlockShape(limits, precision, 64 * 2466);
            EXPECT_LE(shape.sharedBytes, limits.sharedBytesPerBlock);
            EXPECT_LE(shape.blocks, limits.multiprocessors);
            EXPECT_EQ(shape.splits, 1);
            EXPECT_GE(shape.rowTile * shape.hiddenTiles / 3, 64 * 2466);
        }
    }
}

// Number of different rows that a tile of kPatchRows rows reads, summed over all tiles.
std::size_t rowsRead(const SparseMatrix& graph, const std::vector<std::uint32_t>& order) {
    std::size_t sum = 0;
    for (std::size_t first = 0; first < order.size(); first += kPatchRows) {
        std::set<std::uint32_t> read;
        for (std::size_t i = first; i < std::min(first + kPatchRows, order.size()); ++i) {
            read.insert(order[i]);
            read.insert(graph.columns.begin() + graph.rowOffsets[order[i]],
                        graph.columns.begin() + graph.rowOffsets[order[i] + 1]);
        }
        sum += read.size();
    }
    return sum;
}

TEST(GraphBlockOrder, readsFewerRows_onTheLastLevelOfTheTemplate) {
    const SparseMatrix& graph = testModel()->templateMesh.levels.back().laplacian;
    std::vector<std::uint32_t> identity(graph.rows());
    std::iota(identity.begin(), identity.end(), 0U);
    EXPECT_LT(2 * rowsRead(graph, patchOrder(graph)), rowsRead(graph, identity));
}

TEST(GraphBlockOrder, isAPermutation_ofAnyGraph) {
    SparseMatrix unconnected;  // a graph without edges
    unconnected.rowOffsets.assign(70, 0);
    for (const SparseMatrix& graph : {SparseMatrix{}, ringWithHub(1), ringWithHub(200), unconnected,
                                      testModel()->templateMesh.levels.front().laplacian}) {
        std::vector<std::uint32_t> order = patchOrder(graph);
        std::sort(order.begin(), order.end());
        std::vector<std::uint32_t> all(graph.rows());
        std::iota(all.begin(), all.end(), 0U);
        EXPECT_EQ(order, all);
    }
}

TEST(GraphBlockPack, namesTheTensor_whenTheModelLacksIt) {
    Model model = *testModel();
    model.weights.erase("stage1.gcn2_layers.3.bias");
    try {
        packGraphBlock(model, 1, Precision::float16);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_NE(std::string(error.what()).find("gcn2_layers.3.bias"), std::string::npos);
    }
}

}  // namespace
}  // namespace threefold::cuda
