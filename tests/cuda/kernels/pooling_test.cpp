#include "cuda/kernels/pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/network/pooling.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/scene.h"

namespace threefold::cuda {
namespace {

struct Tap {
    std::size_t side;
    std::size_t channels;
};

struct Case {
    int views = 3;
    int batch = 1;
    std::size_t points = 5;
    std::size_t offsets = 0;
    std::size_t hiddenWidth = 0;
    std::size_t pitch = 0;
    ElementType element = ElementType::float32;
    SamplerKind sampler = SamplerKind::bilinearPerView;
    bool split = false;
    std::vector<Tap> taps = {{14, 16}, {7, 32}};
};

std::size_t channelsOf(const Case& c) {
    std::size_t channels = 0;
    for (const Tap& tap : c.taps) channels += tap.channels;
    return channels;
}

// Inputs of a case, rounded to its element type, and the engine's output for them.
struct PoolingScene {
    explicit PoolingScene(const Case& c) : parameters(c) {
        std::mt19937 random(5);
        const auto views = static_cast<std::size_t>(c.views);
        const auto batch = static_cast<std::size_t>(c.batch);
        for (const Tap& tap : c.taps) {
            maps.push_back(
                test::rounded(test::randomValues(batch * views * tap.side * tap.side * tap.channels,
                                                 random, 3.0F),
                              c.element));
        }
        std::vector<Camera> some = test::cameras(c.views);
        for (std::size_t mesh = 0; mesh < batch; ++mesh) {
            cameras.push_back(some);
            std::rotate(some.begin(), some.begin() + 1, some.end());
        }
        points = test::pointsAbout(batch * c.points, random);
        // A point at the camera's centre, and a point that projects to the corner of the image.
        points.back() = glm::vec3(0.0F);
        if (points.size() > 1) points.front() = glm::vec3(9.0F, -9.0F, -0.1F);
        offsets = test::pointsAbout(c.offsets, random);
        for (glm::vec3& offset : offsets) offset = (offset + glm::vec3(0, 0, 0.8F)) * 0.1F;
        hiddenFeatures =
            test::rounded(test::randomValues(batch * c.points * c.hiddenWidth, random), c.element);
    }

    std::vector<float> expected() const {
        std::vector<float> all;
        for (std::size_t row = 0; row < points.size(); ++row) {
            const std::size_t mesh = row / parameters.points;
            std::vector<FeatureMap> list;
            for (std::size_t t = 0; t < parameters.taps.size(); ++t) {
                const Tap tap = parameters.taps[t];
                list.push_back({maps[t].data() + mesh * static_cast<std::size_t>(parameters.views) *
                                                     tap.side * tap.side * tap.channels,
                                tap.side, tap.channels});
            }
            const FeaturePooling pooling(projectionsFrom(cameras[mesh]), list, parameters.sampler,
                                         *simd::runnableNetworkKernels().back());
            for (std::size_t k = 0; k < std::max<std::size_t>(offsets.size(), 1); ++k) {
                std::vector<float> one(parameters.pitch);
                const glm::vec3 offset = offsets.empty() ? glm::vec3(0.0F) : offsets[k];
                pooling.pool(points[row] + offset, one.data());
                std::copy_n(hiddenFeatures.begin() +
                                static_cast<std::ptrdiff_t>(row * parameters.hiddenWidth),
                            parameters.hiddenWidth,
                            one.begin() + static_cast<std::ptrdiff_t>(pooling.width()));
                if (parameters.split) {
                    test::writeParts(one.data(), pooling.width() + parameters.hiddenWidth,
                                     parameters.element);
                }
                all.insert(all.end(), one.begin(), one.end());
            }
        }
        return all;
    }

    std::vector<float> fromKernel() const {
        std::vector<ViewTransform> transforms;
        for (const std::vector<Camera>& some : cameras) {
            const std::vector<ViewTransform> ofMesh = test::transformsOf(some);
            transforms.insert(transforms.end(), ofMesh.begin(), ofMesh.end());
        }
        std::vector<std::vector<std::byte>> packed;
        for (const std::vector<float>& map : maps) {
            packed.push_back(test::asElement(map, parameters.element));
        }
        const std::vector<std::byte> packedHidden =
            test::asElement(hiddenFeatures, parameters.element);
        const std::size_t rows = points.size() * std::max<std::size_t>(offsets.size(), 1);
        std::vector<std::byte> out(rows * parameters.pitch * elementBytes(parameters.element),
                                   std::byte{0xff});
        PoolingArguments arguments;
        arguments.points = &points[0].x;
        arguments.batch = parameters.batch;
        arguments.pointCount = static_cast<int>(parameters.points);
        arguments.offsets = offsets.empty() ? nullptr : &offsets[0].x;
        arguments.offsetCount = static_cast<int>(offsets.size());
        arguments.transforms = transforms.data();
        arguments.views = parameters.views;
        for (std::size_t t = 0; t < parameters.taps.size(); ++t) {
            arguments.maps[t] = {packed[t].data(), static_cast<int>(parameters.taps[t].side),
                                 static_cast<int>(parameters.taps[t].channels)};
        }
        arguments.mapCount = static_cast<int>(parameters.taps.size());
        arguments.element = parameters.element;
        arguments.sampler = parameters.sampler;
        arguments.hiddenFeatures = hiddenFeatures.empty() ? nullptr : packedHidden.data();
        arguments.hiddenWidth = static_cast<int>(parameters.hiddenWidth);
        arguments.splitCoordinates = parameters.split;
        arguments.out = out.data();
        arguments.pitch = static_cast<int>(parameters.pitch);
        launchPooling(nullptr, arguments);
        return test::asFloats(out, parameters.element);
    }

    Case parameters;
    std::vector<std::vector<float>> maps;
    std::vector<std::vector<Camera>> cameras;
    Points points;
    Points offsets;
    std::vector<float> hiddenFeatures;
};

// Compares with a tolerance: the order of fused operations changes sums, and both results are then
// rounded.
void check(Case c) {
    if (c.pitch == 0) c.pitch = (3 + 3 * channelsOf(c) + c.hiddenWidth + 15) / 8 * 8;
    const PoolingScene scene(c);
    const std::vector<float> expected = scene.expected();
    const std::vector<float> got =
        emulation::expectSameUnderAllSeeds([&] { return scene.fromKernel(); });
    ASSERT_EQ(got.size(), expected.size());
    const float step = c.element == ElementType::float32   ? 1e-6F
                       : c.element == ElementType::float16 ? 5e-4F
                                                           : 4e-3F;
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got[i], expected[i], step * (1.0F + std::abs(expected[i])))
            << "row " << i / c.pitch << " column " << i % c.pitch;
    }
}

TEST(PoolingKernel, agreesWithTheEngine_withEachElementTypeAndSampler) {
    for (const ElementType element : test::kElements) {
        for (const SamplerKind sampler :
             {SamplerKind::bilinearPerView, SamplerKind::nearestInFirstView}) {
            Case c;
            c.element = element;
            c.sampler = sampler;
            check(c);
        }
    }
}

TEST(PoolingKernel, agreesWithTheEngine_whenViewsAreTwoToEight) {
    for (int views = 2; views <= 8; ++views) {
        Case c;
        c.views = views;
        c.batch = 2;
        c.points = 3;
        c.element = views % 2 == 0 ? ElementType::float32 : ElementType::float16;
        check(c);
    }
}

TEST(PoolingKernel, agreesWithTheEngine_whenThereAreOffsetsOrHiddenFeatures) {
    Case offsets;
    offsets.batch = 2;
    offsets.points = 2;
    offsets.offsets = 11;
    check(offsets);
    Case hidden;
    hidden.batch = 3;
    hidden.hiddenWidth = 24;
    hidden.pitch = 3 + 3 * 48 + 24 + 5 + 16;
    hidden.element = ElementType::float16;
    check(hidden);
}

TEST(PoolingKernel, agreesWithTheEngine_withTheMapSizesOfTheStages) {
    Case first;
    first.points = 2;
    first.taps = {{56, 64}, {28, 128}, {14, 256}, {7, 512}};
    first.element = ElementType::float16;
    first.pitch = 2944;
    check(first);
    Case second;
    second.points = 9;
    second.taps = {{224, 16}, {112, 32}, {56, 64}};
    second.pitch = 352;
    check(second);
}

TEST(PoolingKernel, agreesWithTheEngine_whenCoordinatesAreSplit) {
    for (const ElementType element : test::kElements) {
        Case c;
        c.element = element;
        c.split = true;
        c.batch = 2;
        c.hiddenWidth = 8;
        c.pitch = 3 + 3 * 48 + 8 + kExtraColumns + 6;
        check(c);
    }
}

TEST(PoolingKernel, keepsCoordinatesToFloat32_whenSplit) {
    for (const ElementType element : test::kElements) {
        Case c;
        c.element = element;
        c.split = true;
        c.points = 40;
        c.pitch = 3 + 3 * 48 + kExtraColumns + 6;
        const PoolingScene scene(c);
        const std::vector<float> rows = scene.fromKernel();
        // The last point is the camera's centre, 0.
        for (std::size_t point = 0; point + 1 < c.points; ++point) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const float* row = rows.data() + point * c.pitch;
                const float* parts = row + 3 + 3 * 48 + axis;
                // The five columns of a coordinate, three apart, hold its parts 1, 0, 2, 1, 0, as
                // extraProduct() says.
                EXPECT_EQ(parts[3], parts[12]);
                EXPECT_EQ(parts[0], parts[9]);
                const auto x = static_cast<double>(scene.points[point][static_cast<int>(axis)]);
                EXPECT_NEAR(double{parts[3]} + double{parts[0]} + double{parts[6]}, x,
                            6e-8 * std::max(std::abs(x), 0.5));
                EXPECT_NEAR(row[axis], x, 4e-3 * std::abs(x));
            }
        }
    }
}

TEST(PoolingKernel, doesNothing_whenThereIsNoPoint) {
    PoolingArguments arguments;
    arguments.pointCount = 0;
    launchPooling(nullptr, arguments);
}

}  // namespace
}  // namespace threefold::cuda
