#include <array>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/library/convolution_shape.h"
#include "cuda/library/layout.h"
#include "cuda/library/product.h"
#include "cuda/library/timing.h"

namespace threefold::cuda::library {
namespace {

std::optional<std::size_t> fastestOf(const std::vector<std::optional<float>>& times,
                                     std::size_t enough, std::size_t* tried = nullptr) {
    return fastestIndex(times.size(), enough, [&](std::size_t i) {
        if (tried != nullptr) ++*tried;
        return times[i];
    });
}

TEST(Fastest, isLeastTime_whenAllWork) {
    EXPECT_EQ(fastestOf({3.0F, 1.0F, 2.0F}, 9), 1U);
}

TEST(Fastest, skipsPlans_whichFail) {
    EXPECT_EQ(fastestOf({std::nullopt, 4.0F, std::nullopt, 2.0F}, 9), 3U);
    EXPECT_EQ(fastestOf({std::nullopt, std::nullopt}, 9), std::nullopt);
    EXPECT_EQ(fastestOf({}, 9), std::nullopt);
}

TEST(Fastest, stops_whenEnoughWorked) {
    std::size_t tried = 0;
    EXPECT_EQ(fastestOf({std::nullopt, 4.0F, 5.0F, 1.0F}, 2, &tried), 1U);
    EXPECT_EQ(tried, 3U);
}

TEST(Fastest, isEarlier_whenTimesAreEqual) {
    EXPECT_EQ(fastestOf({2.0F, 2.0F}, 9), 0U);
}

TEST(StoredEngine, isRestored_fromText) {
    for (const StoredEngine& plan :
         {StoredEngine{FilterLayout::original, "{}"},
          StoredEngine{FilterLayout::widened, R"({"a":"widened {}"})"}}) {
        EXPECT_EQ(storedEngineFrom(toText(plan)), plan);
    }
}

TEST(StoredEngine, refusesOtherText) {
    for (const char* text : {"", "as-is", "as-is ", "as-is {", "as-is }", "wide {}", "{}",
                             "as-is {} ", "widened  {}"}) {
        EXPECT_FALSE(storedEngineFrom(text)) << text;
    }
}

TEST(AlgorithmBytes, areRestored_fromText) {
    const AlgorithmBytes algorithm = {0, 1, 0xffffffffffffffffU, 0x0123456789abcdefU, 5, 6, 7, 8};
    EXPECT_EQ(algorithmFrom(toText(algorithm)), algorithm);
}

TEST(AlgorithmBytes, refuseOtherText) {
    std::string text = toText(AlgorithmBytes{});
    EXPECT_FALSE(algorithmFrom(text.substr(1)));
    EXPECT_FALSE(algorithmFrom(text.substr(0, text.size() - 1)));
    EXPECT_FALSE(algorithmFrom(text + "0"));
    text.back() = 'g';
    EXPECT_FALSE(algorithmFrom(text));
}

TEST(ProductShape, hasNameOfItsOwn_whenAnythingDiffers) {
    const ProductShape shape{.rows = 156, .inner = 192, .columns = 384};
    std::vector<ProductShape> others(7, shape);
    others[0].rows = 157;
    others[1].precision = Precision::float32;
    others[2].float32Output = true;
    others[3].accumulate = true;
    others[4].yPitch = 512;
    others[5].count = 2;
    others[6] = others[5];
    others[6].yBatchStride = 7;
    for (std::size_t i = 0; i < others.size(); ++i) {
        EXPECT_NE(others[i].name(), shape.name()) << i;
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(others[i].name(), others[j].name());
    }
}

TEST(MemoryLayout, alignsParts) {
    MemoryLayout memoryLayout;
    EXPECT_EQ(memoryLayout.addBytes(1), 0U);
    EXPECT_EQ(memoryLayout.addBytes(256), 256U);
    EXPECT_EQ(memoryLayout.addBytes(0), 512U);
    EXPECT_EQ(memoryLayout.addBytes(257), 512U);
    EXPECT_EQ(memoryLayout.bytes(), 1024U);
}

TEST(Packer, returnsEachPartsPosition) {
    Packer packer;
    const std::array<float, 3> first = {1, 2, 3};
    const std::array<float, 2> second = {0.1F, -7};
    EXPECT_EQ(packer.add(toElement(first, ElementType::float32)), 0U);
    const std::size_t place = packer.add(toElement(second, ElementType::float16));
    EXPECT_EQ(place, kAlignment);
    const std::vector<std::byte> bytes = packer.release();
    ASSERT_EQ(bytes.size(), 2 * kAlignment);
    float value = 0;
    std::memcpy(&value, bytes.data() + 8, sizeof(value));
    EXPECT_EQ(value, 3.0F);
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + place + 2, sizeof(half));
    EXPECT_EQ(half, 0xc700);
}

}  // namespace
}  // namespace threefold::cuda::library
