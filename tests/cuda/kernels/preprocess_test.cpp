#include "cuda/kernels/preprocess.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/views/network_input.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/scene.h"

namespace threefold::cuda {
namespace {

constexpr std::size_t kPixels = 224 * 224;

enum class Alpha { opaque, clear, mixed };

Image imageOf(int width, int height, Alpha alpha, std::mt19937& random) {
    Image image{width, height, {}};
    image.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::uint8_t& byte : image.rgba) byte = static_cast<std::uint8_t>(random());
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
        if (alpha == Alpha::opaque) image.rgba[i] = 255;
        if (alpha == Alpha::clear) image.rgba[i] = 0;
        // About half of the pixels are transparent; the rest have random alphas.
        if (alpha == Alpha::mixed && random() % 2 == 0) image.rgba[i] = 0;
    }
    return image;
}

// The engine's output for the images, and zeros in the further channels.
std::vector<float> expectedOf(const std::vector<Image>& images, std::size_t channels) {
    std::vector<float> all;
    std::vector<float> one(kPixels * 3);
    for (const Image& image : images) {
        preprocess(image, one);
        for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
            for (std::size_t c = 0; c < channels; ++c) {
                all.push_back(c < 3 ? one[3 * pixel + c] : 0.0F);
            }
        }
    }
    return all;
}

std::vector<float> runKernel(const std::vector<Image>& images, ElementType element, int channels) {
    std::vector<DeviceImage> list;
    list.reserve(images.size());
    for (const Image& image : images) {
        list.push_back({image.rgba.data(), image.width, image.height});
    }
    std::vector<std::byte> out(images.size() * kPixels * static_cast<std::size_t>(channels) *
                               elementBytes(element));
    launchPreprocess(nullptr, list.data(), static_cast<int>(list.size()), element, channels,
                     out.data());
    return test::asFloats(out, element);
}

TEST(PreprocessKernel, givesTheEnginesBits_whenImagesOfAnySizeShareALaunch) {
    std::mt19937 random(11);
    std::vector<Image> images;
    const int sizes[][2] = {{1, 1},     {2, 1},     {1, 300}, {137, 137},
                            {224, 224}, {225, 223}, {448, 7}, {500, 333}};
    for (const auto& size : sizes) {
        for (const Alpha alpha : {Alpha::opaque, Alpha::clear, Alpha::mixed}) {
            images.push_back(imageOf(size[0], size[1], alpha, random));
        }
    }
    EXPECT_EQ(runKernel(images, ElementType::float32, 3), expectedOf(images, 3));
}

TEST(PreprocessKernel, givesTheEnginesBits_whenTheImageIsLarge) {
    std::mt19937 random(12);
    const std::vector<Image> images = {imageOf(4000, 3000, Alpha::mixed, random)};
    EXPECT_EQ(runKernel(images, ElementType::float32, 4), expectedOf(images, 4));
}

TEST(PreprocessKernel, roundsTheEnginesValues_whenTheElementIsNarrow) {
    std::mt19937 random(13);
    const std::vector<Image> images = {imageOf(137, 137, Alpha::mixed, random),
                                       imageOf(64, 300, Alpha::opaque, random)};
    for (const ElementType element : {ElementType::float16, ElementType::bfloat16}) {
        for (const int channels : {3, 4, 8}) {
            EXPECT_EQ(
                runKernel(images, element, channels),
                test::rounded(expectedOf(images, static_cast<std::size_t>(channels)), element))
                << channels;
        }
    }
}

TEST(PreprocessKernel, doesNothing_whenThereIsNoImage) {
    launchPreprocess(nullptr, nullptr, 0, ElementType::float32, 4, nullptr);
}

}  // namespace
}  // namespace threefold::cuda
