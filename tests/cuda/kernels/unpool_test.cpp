#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/kernels/unpool.h"
#include "engine/network/graph_block.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/scene.h"

namespace threefold::cuda {
namespace {

constexpr std::size_t kUnpoolWidth = 192;

TemplateLevel levelOf(std::size_t vertices, std::size_t edges, std::mt19937& random) {
    TemplateLevel level;
    level.vertexCount = vertices;
    for (std::size_t i = 0; i < edges; ++i) {
        level.unpoolEdges.emplace_back(random() % vertices, random() % vertices);
    }
    return level;
}

TEST(UnpoolKernel, givesTheEnginesBits_whenMeshesShareALaunch) {
    std::mt19937 random(2);
    for (const ElementType element : test::kElements) {
        for (const int batch : {1, 3}) {
            const TemplateLevel level = levelOf(7, 11, random);
            Points points = test::pointsAbout(7 * static_cast<std::size_t>(batch), random);
            const std::vector<float> hidden =
                test::rounded(test::randomValues(points.size() * kUnpoolWidth, random), element);
            Points expectedPoints;
            std::vector<float> expectedHidden;
            for (std::size_t mesh = 0; mesh < static_cast<std::size_t>(batch); ++mesh) {
                const auto first = points.begin() + static_cast<std::ptrdiff_t>(7 * mesh);
                for (const glm::vec3 p : GraphBlock::unpool(Points(first, first + 7), level)) {
                    expectedPoints.push_back(p);
                }
                const auto values = GraphBlock::unpool(
                    {hidden.data() + 7 * mesh * kUnpoolWidth, 7 * kUnpoolWidth}, level);
                expectedHidden.insert(expectedHidden.end(), values.begin(), values.end());
            }

            const std::vector<std::byte> packed = test::asElement(hidden, element);
            Points pointsOut(expectedPoints.size());
            std::vector<std::byte> hiddenOut(expectedHidden.size() * elementBytes(element));
            UnpoolArguments arguments;
            arguments.points = &points[0].x;
            arguments.hidden = packed.data();
            arguments.edges = &level.unpoolEdges[0].x;
            arguments.batch = batch;
            arguments.vertices = 7;
            arguments.edgeCount = 11;
            arguments.element = element;
            arguments.pointsOut = &pointsOut[0].x;
            arguments.hiddenOut = hiddenOut.data();
            launchUnpool(nullptr, arguments);
            EXPECT_EQ(pointsOut, expectedPoints);
            EXPECT_EQ(test::asFloats(hiddenOut, element), test::rounded(expectedHidden, element));
        }
    }
}

TEST(UnpoolKernel, givesCoordinatesOnly_whenNoHiddenFeaturesAreWanted) {
    std::mt19937 random(3);
    const TemplateLevel level = levelOf(3, 2, random);
    const Points points = test::pointsAbout(3, random);
    Points pointsOut(5);
    UnpoolArguments arguments;
    arguments.points = &points[0].x;
    arguments.edges = &level.unpoolEdges[0].x;
    arguments.vertices = 3;
    arguments.edgeCount = 2;
    arguments.pointsOut = &pointsOut[0].x;
    launchUnpool(nullptr, arguments);
    EXPECT_EQ(pointsOut, GraphBlock::unpool(points, level));
}

}  // namespace
}  // namespace threefold::cuda
