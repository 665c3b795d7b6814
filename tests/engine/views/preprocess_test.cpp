#include "engine/views/network_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "tests/support/decode_all.h"

namespace threefold {
namespace {

constexpr std::size_t kValues = 224 * 224 * 3;

/// Noise that another program can reproduce; a quarter of the pixels is fully transparent.
Image noise(int width, int height) {
    Image image{width, height, {}};
    image.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < image.rgba.size(); ++i) {
        state = state * 1664525u + 1013904223u;
        const auto value = static_cast<std::uint8_t>(state >> 24);
        image.rgba[i] = i % 4 == 3 && value < 64 ? 0 : value;
    }
    return image;
}

Image filled(int width, int height, std::array<std::uint8_t, 4> pixel) {
    Image image{width, height, {}};
    image.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < image.rgba.size(); ++i) image.rgba[i] = pixel[i % 4];
    return image;
}

std::vector<float> preprocessed(const Image& image) {
    std::vector<float> values(kValues);
    preprocess(image, values);
    return values;
}

struct Reference {
    int width, height;
    const char* sha256;

    friend void PrintTo(const Reference& reference, std::ostream* out) {
        *out << reference.width << "x" << reference.height;
    }
};

class PreprocessNoise : public testing::TestWithParam<Reference> {};

/// The hashes are those of OpenCV's results for the same noise: transparent pixels of BGRA pictures
/// were set to 255, cv2.resize() was applied, and the first three channels were kept.
TEST_P(PreprocessNoise, equalsOpenCvToTheLastBit_whenResized) {
    std::vector<std::byte> bytes;
    for (float value : preprocessed(noise(GetParam().width, GetParam().height)))
        bytes.push_back(static_cast<std::byte>(std::lround(value * 255.0f)));
    EXPECT_EQ(sha256(bytes), GetParam().sha256);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, PreprocessNoise,
    testing::Values(
        Reference{1, 1, "3e747e70ad0b74bc4eaf016fa6ef5a7feaa86874089f0e3486cab2853eee9b4a"},
        Reference{2, 2, "46da568d89ae0ab54812ceeceb4fe8d9de7284c3c9d04cad58a879d3b87f13bf"},
        Reference{1, 7, "84a6a04eb343fe19b1e989d6e48d4300ed0a406c73c22268991527276807f628"},
        Reference{3, 500, "22b229a1ec441f20320797fae1a0ba48c36bb3d37cbda620d64236478efb8b9a"},
        Reference{500, 3, "ed6397826ec4d089bb58cc42ee603f04235bb887b5e29de751d453ec799eec73"},
        Reference{112, 112, "b57e37888c59ddb43f8efc88ddea9d8ee16b59dd4278173878f2de7b13c778fb"},
        Reference{137, 137, "1644185dc5931c68e8f98673e8246dd5db2406603c6dc39722f34dcecb40a1e2"},
        Reference{223, 225, "ab67e4a264e9f45317a152d7e830337673bf86ad93efc4df9499987f564495d2"},
        Reference{224, 224, "268524ce38b91f5926174b3400c39926e3a8c434921da842b47825fb6e27ade1"},
        Reference{224, 100, "c6de1320a44fd8b99f0d8ca59409184213efdbf393f4ad47933a23a7c7213d02"},
        Reference{448, 448, "b6777d6d0bebe3898dea76d3371885caf594b76a4dc63094c80c48841de1d0bc"},
        Reference{301, 77, "046d41ec4fcf37b142c34ac9085b7304f37e5985da573bda90a692a8f19ec2ef"},
        Reference{639, 480, "46f15eb3b37b5ababf0a30515bfae90340bded7f4f7eae3d3e51ec713235ee9f"}));

class PreprocessGolden : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(PreprocessGolden, equalsEveryPixel_whenViewsArePublishedOnes) {
    const auto [golden, category] = GetParam();
    const ArrayMap arrays =
        test::readNpz(std::string(THREEFOLD_TEST_DATA) + "/golden/" + golden + ".npz");
    const std::vector<float> expected = arrays.at("image").toFloat();
    const Sample sample = findSample(std::string(THREEFOLD_RESOURCES) +
                                     "/samples/ShapeNetRendering/" + category + "/p0001");
    const NetworkInput input = loadViews(sample, kPublishedViews);
    ASSERT_EQ(expected.size(), input.images.size() * kValues);
    for (std::size_t view = 0; view < input.images.size(); ++view) {
        const std::vector<float> actual = preprocessed(input.images[view]);
        const auto [at, reference] =
            std::mismatch(actual.begin(), actual.end(),
                          expected.begin() + static_cast<std::ptrdiff_t>(view * kValues));
        if (at != actual.end())
            ADD_FAILURE() << "view " << view << ", value " << at - actual.begin() << ": " << *at
                          << ", expected " << *reference;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, PreprocessGolden,
                         testing::Values(std::pair("plane_each", "02691156"),
                                         std::pair("chair_each", "03001627"),
                                         std::pair("car_published", "02958343")));

TEST(Preprocess, ordersBlueFirst_whenTheColourIsPure) {
    const std::vector<float> values = preprocessed(filled(5, 9, {10, 20, 30, 255}));
    for (std::size_t i = 0; i < kValues; i += 3) {
        ASSERT_EQ(values[i], 30 / 255.0f);
        ASSERT_EQ(values[i + 1], 20 / 255.0f);
        ASSERT_EQ(values[i + 2], 10 / 255.0f);
    }
}

TEST(Preprocess, turnsWhite_whenFullyTransparent) {
    for (float value : preprocessed(filled(3, 3, {10, 20, 30, 0}))) ASSERT_EQ(value, 1.0f);
}

TEST(Preprocess, keepsTheColour_whenPartlyTransparent) {
    EXPECT_EQ(preprocessed(filled(3, 3, {10, 20, 30, 1})).front(), 30 / 255.0f);
}

TEST(Preprocess, refuses_whenTheImageContradictsItsSize) {
    std::vector<float> values(kValues);
    EXPECT_THROW(preprocess(Image{}, values), InputError);
    EXPECT_THROW(preprocess(Image{2, 2, std::vector<std::uint8_t>(15)}, values), InputError);
    values.pop_back();
    EXPECT_THROW(preprocess(filled(2, 2, {0, 0, 0, 255}), values), InputError);
}

}  // namespace
}  // namespace threefold
