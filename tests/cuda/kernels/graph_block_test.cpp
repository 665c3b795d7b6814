#include "cuda/kernels/graph_block.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/kernels/graph_block_shape.h"
#include "engine/model/architecture.h"
#include "engine/network/graph_block.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/scene.h"

namespace threefold::cuda {
namespace {

constexpr std::size_t kWidth = kHiddenWidth;

const std::shared_ptr<const Model>& bundled() {
    static const std::shared_ptr<const Model> model =
        loadModel(std::filesystem::path(THREEFOLD_RESOURCES) / "models" / "default.safetensors");
    return model;
}

// −D^-½ A D^-½ of a ring whose vertex 0 is joined to all: one row is long, with one vertex empty.
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
    matrix.rowStart.push_back(0);
    for (std::size_t v = 0; v < vertices; ++v) {
        std::sort(to[v].begin(), to[v].end());
        for (const std::uint32_t other : to[v]) {
            matrix.column.push_back(other);
            matrix.value.push_back(-1.0F / std::sqrt(static_cast<float>(to[v].size()) *
                                                     static_cast<float>(to[other].size())));
        }
        matrix.rowStart.push_back(static_cast<std::uint32_t>(matrix.column.size()));
    }
    return matrix;
}

// The bundled weights on a graph of `vertices` vertices; 0: on the template's own level.
Model modelOn(std::size_t level, std::size_t vertices) {
    Model model = *bundled();
    if (vertices != 0) {
        model.mesh.levels[level].vertexCount = vertices;
        model.mesh.levels[level].laplacian = ringWithHub(vertices);
    }
    return model;
}

DeviceLimits limitsOf(int multiprocessors, bool cooperative) {
    return {90, multiprocessors, 232448, cooperative};
}

// Pooled features and hidden ones of `batch` meshes, and what the engine makes of them.
struct Block {
    Block(std::size_t whichLevel, std::size_t vertices, std::size_t meshes)
        : level(whichLevel), model(modelOn(level, vertices)), batch(meshes) {
        count = model.mesh.levels[level].vertexCount;
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
        const simd::Kernels& kernels = *simd::availableKernels().front();
        const FeaturePooling pooling(projectionsFrom(cameras), list, SamplerKind::bilinearEach,
                                     kernels);
        GraphBlock engine(model, level, level > 0, 1, kernels);
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
                                row.begin() + static_cast<std::ptrdiff_t>(kStage1Features));
                }
                inputs.insert(inputs.end(), row.begin(), row.end());
            }
        }
    }

    // Points, then hidden features.
    std::vector<float> fromKernel(Precision precision, const DeviceLimits& limits) const {
        const Element element = storageOf(precision);
        const std::vector<std::byte> weights = packGraphBlock(model, level, precision);
        const std::vector<std::byte> packed = test::asElement(inputs, element);
        std::vector<std::byte> workspace(
            graphBlockWorkspace(limits, precision, static_cast<int>(batch),
                                static_cast<int>(count)),
            std::byte{0xff});
        std::vector<float> points(batch * count * 3);
        std::vector<std::byte> hidden(batch * count * kWidth * bytesOf(element));
        GraphBlockArguments arguments;
        arguments.inputs = packed.data();
        arguments.inputPitch = graphInputPitch(level);
        arguments.batch = static_cast<int>(batch);
        arguments.vertices = static_cast<int>(count);
        arguments.layers = static_cast<int>(kGraphBlockLengths[level]);
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

}  // namespace
}  // namespace threefold::cuda
