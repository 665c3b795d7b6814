#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/raster/device_raster.h"
#include "engine/raster/draw.h"
#include "tests/engine/raster/drawing.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::test {
namespace {

class Tier : public testing::TestWithParam<Drawer> {
  protected:
    void expectLikeBasic(std::span<const glm::vec4> clip, const Faces& faces,
                         const RasterOptions& options) const {
        const RasterImage expected = Drawer{"basic"}.draw(clip, faces, options);
        const RasterImage image = GetParam().draw(clip, faces, options);
        ASSERT_EQ(image.width, options.width);
        ASSERT_EQ(image.height, options.height);
        EXPECT_EQ(image.facePlusOne, expected.facePlusOne);
        EXPECT_EQ(image.degenerateFaceCount, expected.degenerateFaceCount);
        ASSERT_EQ(image.depth.size(), expected.depth.size());
        EXPECT_EQ(std::memcmp(image.depth.data(), expected.depth.data(),
                              image.depth.size() * sizeof(float)),
                  0);
        std::size_t different = 0;
        std::size_t notOne = 0;
        for (std::size_t i = 0; i < expected.facePlusOne.size(); ++i) {
            const glm::vec3 weight = image.barycentric[i];
            for (int k = 0; k < 3; ++k) {
                const float error = std::abs(weight[k] - expected.barycentric[i][k]);
                different += error <= 1e-5F ? 0 : 1;
            }
            const float sum = weight.x + weight.y + weight.z;
            notOne += std::abs(sum - (image.facePlusOne[i] != 0 ? 1.0F : 0.0F)) <= 1e-6F ? 0 : 1;
        }
        EXPECT_EQ(different, 0U);
        EXPECT_EQ(notOne, 0U);
    }
};

/// Triangles with coordinates of all magnitudes and signs, in front of the camera, behind it, and
/// on its plane.
Soup wildSoup(unsigned seed, int count) {
    Random random(seed);
    Soup soup;
    const auto number = [&] {
        constexpr float kSizes[] = {0.01F, 0.3F, 1, 3, 100, 1e6F, 1e30F};
        return random.below(12) == 0 ? 0.0F : random(-1, 1) * kSizes[random.below(7)];
    };
    const auto corner = [&] {
        // Two of three corners lie in or near the view frustum.
        if (random.below(3) != 0) {
            const float w = random(0.1F, 2);
            return glm::vec4(random(-1.5F, 1.5F) * w, random(-1.5F, 1.5F) * w, random(-1, 1) * w,
                             w);
        }
        const float x = number();
        const float y = number();
        const float z = number();
        return glm::vec4(x, y, z, number());
    };
    for (int i = 0; i < count; ++i) {
        const glm::vec4 a = corner();
        const glm::vec4 b = random.below(40) == 0 ? a : corner();
        soup.add(a, b, corner());
    }
    return soup;
}

TEST_P(Tier, drawsLikeBasic_whenImagesHaveOddSizes) {
    constexpr std::uint32_t kSizes[][2] = {{1, 1},   {2, 3},    {7, 5},     {1, 300},  {300, 1},
                                           {63, 33}, {65, 31},  {64, 32},   {71, 64},  {137, 137},
                                           {255, 9}, {129, 97}, {530, 260}, {530, 520}};
    unsigned seed = 10;
    for (const auto& [width, height] : kSizes) {
        const Soup soup = wildSoup(++seed, 200);
        expectLikeBasic(soup.clip, soup.faces, optionsForSize(width, height));
    }
}

TEST_P(Tier, drawsLikeBasic_whenTrianglesAreRandom) {
    for (unsigned seed = 30; seed < 50; ++seed) {
        const Soup soup = wildSoup(seed, 60);
        RasterOptions options = optionsForSize(150, 90);
        options.nearDepth = seed % 2 == 0 ? 0 : -1;
        expectLikeBasic(soup.clip, soup.faces, options);
    }
}

TEST_P(Tier, drawsLikeBasic_whenTrianglesAreFew) {
    unsigned seed = 80;
    for (const int count : {1, 16, 100}) {
        const Soup soup = wildSoup(++seed, count);
        for (const std::uint32_t size : {64U, 256U, 520U})
            expectLikeBasic(soup.clip, soup.faces, optionsForSize(size, size));
    }
}

TEST_P(Tier, drawsLikeBasic_whenMeshesAreDense) {
    Random random(60);
    for (const int subdivisions : {2, 4, 6}) {
        const Mesh ball = icosphere(subdivisions);
        const auto clip = toClip(randomCamera(random, 2.4F, 1.3F), ball.vertices);
        expectLikeBasic(clip, ball.faces, optionsForSize(260, 200));
    }
}

TEST_P(Tier, drawsLikeBasic_whenTheCameraIsInsideTheMesh) {
    Random random(61);
    const Mesh mesh = torus(60, 30);
    for (int i = 0; i < 5; ++i) {
        const auto clip = toClip(randomCamera(random, 0.75F, 1), mesh.vertices);
        expectLikeBasic(clip, mesh.faces, optionsForSize(140, 140));
    }
}

TEST_P(Tier, drawsLikeBasic_whenPeelingBehindPreviousDepths) {
    Random random(62);
    const Soup soup = wildSoup(63, 400);
    RasterOptions options = optionsForSize(133, 71);
    std::vector<float> previousDepths;
    previousDepths.reserve(std::size_t{options.width} * options.height);
    for (std::uint32_t i = 0; i < options.width * options.height; ++i)
        previousDepths.push_back(random(-1, 1));
    options.peeling.previousDepths = previousDepths;
    expectLikeBasic(soup.clip, soup.faces, options);
}

TEST_P(Tier, drawsTheFaceOfLowestIndex_whenDepthsAreEqual) {
    // Every triangle occurs many times; the triangles are small or large, in many tiles.
    Random random(64);
    Soup soup;
    for (int i = 0; i < 50; ++i) {
        const float size = i % 2 == 0 ? 0.02F : 2.5F;
        const glm::vec4 a(random(-1, 1), random(-1, 1), 0.25F, 1);
        soup.add(a, a + glm::vec4(random(0, size), 0, 0, 0),
                 a + glm::vec4(0, random(0, size), 0, 0));
    }
    const Faces once = soup.faces;
    for (int i = 0; i < 40; ++i) soup.faces.insert(soup.faces.end(), once.begin(), once.end());
    const RasterImage image = GetParam().draw(soup.clip, soup.faces, optionsForSize(600, 450));
    const RasterImage expected = GetParam().draw(soup.clip, once, optionsForSize(600, 450));
    EXPECT_EQ(image.facePlusOne, expected.facePlusOne);
    for (std::size_t i = 0; i < once.size(); ++i) {
        // All triangles lie in one plane, so the one of lowest index is seen.
        const RasterImage alone = GetParam().draw(soup.clip, {once[i]}, optionsForSize(600, 450));
        for (std::size_t p = 0; p < alone.facePlusOne.size(); ++p) {
            if (alone.facePlusOne[p] != 0) {
                EXPECT_LE(image.facePlusOne[p], i + 1);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Tier, testing::ValuesIn(allDrawers()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Rasterize, givesTheSameForManyViewsAsForEach_whenDrawnInOneCall) {
    Random random(70);
    const Mesh mesh = torus(30, 20);
    constexpr int kViews = 7;
    std::vector<glm::mat4> cameras;
    cameras.reserve(kViews);
    for (int i = 0; i < kViews; ++i) cameras.push_back(randomCamera(random, 2.5F, 1));
    for (const RasterTier tier : {RasterTier::automatic, RasterTier::tiled, RasterTier::basic}) {
        for (const int threads : {1, 2, 3}) {
            RasterOptions options = optionsForSize(90, 70);
            options.choice.tier = tier;
            options.threads = threads;
            const std::vector<RasterImage> together = rasterize(mesh, cameras, options);
            ASSERT_EQ(together.size(), cameras.size());
            for (std::size_t v = 0; v < cameras.size(); ++v) {
                const RasterImage alone = rasterize(mesh, {&cameras[v], 1}, options).front();
                EXPECT_EQ(together[v].facePlusOne, alone.facePlusOne);
                EXPECT_EQ(together[v].depth, alone.depth);
            }
        }
    }
}

TEST(Rasterize, givesTheSameBits_withEveryInstructionSet) {
    const std::vector<std::string_view> available = runnableRasterInstructions();
    ASSERT_FALSE(available.empty());
    EXPECT_EQ(available.back(), "portable");
    for (unsigned seed = 90; seed < 94; ++seed) {
        const Soup soup = wildSoup(seed, 150);
        const std::span<const glm::vec4> views[] = {soup.clip};
        RasterOptions options = optionsForSize(331, 203);
        options.choice.tier = RasterTier::vectorised;
        const RasterImage expected = rasterize(views, soup.faces, options).front();
        for (const std::string_view one : available) {
            options.instructions = one;
            const RasterImage image = rasterize(views, soup.faces, options).front();
            EXPECT_EQ(image.facePlusOne, expected.facePlusOne) << one;
            EXPECT_EQ(image.depth, expected.depth) << one;
            EXPECT_EQ(std::memcmp(image.barycentric.data(), expected.barycentric.data(),
                                  image.barycentric.size() * sizeof(glm::vec3)),
                      0)
                << one;
        }
    }
}

TEST(Rasterize, usesASecondThread_whenTheImageIsLarge) {
    EXPECT_EQ(raster::usefulThreads(2, 16, std::size_t{256} * 256), 1);
    EXPECT_EQ(raster::usefulThreads(2, 1'000, std::size_t{400} * 400), 1);
    EXPECT_EQ(raster::usefulThreads(2, 16, std::size_t{1024} * 1024), 2);
    EXPECT_EQ(raster::usefulThreads(2, 100'000, std::size_t{256} * 256), 2);
    EXPECT_EQ(raster::usefulThreads(1, 100'000, std::size_t{1024} * 1024), 1);
}

TEST(Rasterize, clearsPixels_withoutAFace) {
    // Nine tiles, of which the second drawing covers a part of the middle one.
    const RasterOptions options = optionsForSize(3 * 64, 3 * 32);
    const std::vector<glm::vec4> all = {{-3, -1, 0, 1}, {3, -1, 0, 1}, {0, 9, 0, 1}};
    const std::vector<glm::vec4> middle = {
        {-0.1F, -0.1F, 0, 1}, {0.1F, -0.1F, 0, 1}, {0, 0.1F, 0, 1}};
    for (const Drawer& drawer : allDrawers()) {
        SCOPED_TRACE(drawer.name);
        RasterImage image;
        drawer.drawInto(image, all, {{0, 1, 2}}, options);
        drawer.drawInto(image, middle, {{0, 1, 2}}, options);
        std::size_t seen = 0;
        for (std::size_t i = 0; i < image.facePlusOne.size(); ++i) {
            seen += image.facePlusOne[i];
            if (image.facePlusOne[i] != 0) continue;
            EXPECT_EQ(image.barycentric[i], glm::vec3(0));
            EXPECT_EQ(image.depth[i], std::numeric_limits<float>::infinity());
        }
        EXPECT_GT(seen, 50U);
        EXPECT_LT(seen, 200U);
    }
}

TEST(Rasterize, givesTheSame_whenAnImagesMemoryIsUsedAgain) {
    const Mesh ball = icosphere(3);
    Random random(71);
    const auto clip = toClip(randomCamera(random, 2.5F, 1), ball.vertices);
    const std::span<const glm::vec4> views[] = {clip};
    RasterImage image;
    rasterize(views, ball.faces, optionsForSize(300, 200), {&image, 1});
    rasterize(views, ball.faces, optionsForSize(50, 60), {&image, 1});
    const RasterImage fresh = rasterize(views, ball.faces, optionsForSize(50, 60)).front();
    EXPECT_EQ(image.facePlusOne, fresh.facePlusOne);
    EXPECT_EQ(image.barycentric, fresh.barycentric);
    EXPECT_EQ(image.depth, fresh.depth);
}

TEST(Rasterize, countsFacesWithoutArea_whenTheyAreOneLineOnTheGrid) {
    const std::vector<glm::vec4> clip = {
        {0, 0, 0, 1}, {0.5F, 0.5F, 0, 1}, {-0.5F, -0.5F, 0, 1}, {0.5F, -0.5F, 0, 1}};
    const Faces faces = {{0, 1, 2}, {0, 0, 1}, {0, 1, 3}};
    const std::span<const glm::vec4> views[] = {clip};
    for (const RasterTier tier : {RasterTier::basic, RasterTier::tiled, RasterTier::vectorised}) {
        RasterOptions options = optionsForSize(64, 64);
        options.choice.tier = tier;
        const RasterImage image = rasterize(views, faces, options).front();
        EXPECT_EQ(image.degenerateFaceCount, 2U);
        for (const std::uint32_t face : image.facePlusOne) EXPECT_TRUE(face == 0 || face == 3);
    }
}

/// Draws as `basic` does, and throws if `fails`.
class FakeDeviceRaster : public raster::DeviceRaster {
  public:
    class Views : public Drawing {
      public:
        Views(const RasterOptions& options, const bool& fails) : options_(options), fails_(fails) {}
        void draw(const raster::SnappedView& snapped, std::span<const float> previousDepths,
                  RasterImage& image) override {
            if (fails_) throw DeviceError({"GPU 0", "", "out of memory", ""});
            drawBasic(snapped, options_, previousDepths, image);
        }
        void finish() override {}

      private:
        const RasterOptions& options_;
        const bool& fails_;
    };

    std::unique_ptr<Drawing> begin(const Faces&, const RasterOptions& options) override {
        return std::make_unique<Views>(options, fails);
    }

    bool fails = false;
};

/// Tests RasterTier::automatic with a device, at the smallest number of faces for which it takes
/// the device, and at one less.
class Automatic : public testing::Test {
  protected:
    static constexpr std::uint32_t kSize = 1000;

    Automatic() {
        options_.choice.deviceRaster = [this]() -> std::shared_ptr<raster::DeviceRaster> {
            ++opened_;
            if (!device_) throw DeviceError({"GPU 0", "", "no driver", ""});
            return device_;
        };
        options_.choice.fallback->log = [this](LogLevel level, std::string_view line) {
            lines_.emplace_back(level, line);
        };
    }

    RasterImage draw(std::size_t faces) {
        Faces all(faces, {0, 0, 1});
        all.front() = {0, 1, 2};
        return rasterize(views_, all, options_).front();
    }

    const std::vector<glm::vec4> clip_ = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {0, 1, 0, 1}};
    const std::span<const glm::vec4> views_[1] = {clip_};
    const std::size_t minFacesForDevice_ = 100'000;
    std::shared_ptr<FakeDeviceRaster> device_ = std::make_shared<FakeDeviceRaster>();
    RasterOptions options_ = [] {
        RasterOptions options = optionsForSize(kSize, kSize);
        options.choice.fallback = std::make_shared<RasterFallback>();
        return options;
    }();
    int opened_ = 0;
    std::vector<std::pair<LogLevel, std::string>> lines_;
};

TEST_F(Automatic, usesTheDevice_whenTheImageIsLarge) {
    EXPECT_EQ(draw(minFacesForDevice_ - 1).tier, RasterTier::vectorised);
    EXPECT_EQ(opened_, 0);
    const RasterImage drawn = draw(minFacesForDevice_);
    EXPECT_EQ(drawn.tier, RasterTier::cuda);
    EXPECT_EQ(drawn.degenerateFaceCount, minFacesForDevice_ - 1);
    options_.choice.fallback = nullptr;
    EXPECT_EQ(draw(minFacesForDevice_).tier, RasterTier::vectorised);
    options_.choice.tier = RasterTier::tiled;
    EXPECT_EQ(draw(minFacesForDevice_).tier, RasterTier::tiled);
    EXPECT_TRUE(lines_.empty());
}

TEST_F(Automatic, usesTheProcessorAndLogsOnce_whenThereIsNoDevice) {
    device_ = nullptr;
    EXPECT_EQ(draw(minFacesForDevice_).tier, RasterTier::vectorised);
    EXPECT_EQ(draw(minFacesForDevice_).tier, RasterTier::vectorised);
    EXPECT_EQ(opened_, 1);
    ASSERT_EQ(lines_.size(), 1U);
    EXPECT_EQ(lines_[0].first, LogLevel::debug);
    EXPECT_THAT(lines_[0].second,
                testing::HasSubstr("uses the processor instead of the GPU: GPU 0: no driver"));
}

TEST_F(Automatic, drawsTheSameOnTheProcessor_whenTheDeviceFails) {
    const RasterImage before = draw(minFacesForDevice_);
    device_->fails = true;
    const RasterImage after = draw(minFacesForDevice_);
    EXPECT_EQ(after.tier, RasterTier::vectorised);
    EXPECT_EQ(after.facePlusOne, before.facePlusOne);
    ASSERT_EQ(lines_.size(), 1U);
    EXPECT_EQ(lines_[0].first, LogLevel::warning);
    // RasterTier::cuda, asked for explicitly, throws instead of falling back to the processor.
    options_.choice.tier = RasterTier::cuda;
    EXPECT_THROW(draw(minFacesForDevice_), DeviceError);
}

}  // namespace
}  // namespace threefold::test
