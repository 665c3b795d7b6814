#include "engine/formats/tensors/safetensors.h"

#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using Shape = std::vector<std::size_t>;

/// One array of every type, with different bytes.
Safetensors everyType() {
    Safetensors content;
    content.metadata = {{"sampler", "bilinear-each"}, {"text", "äΩ \"quoted\"\n"}};
    for (const DType type :
         {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
          DType::i64, DType::u8, DType::u16, DType::u32, DType::u64, DType::boolean}) {
        Array array{type, {2, 3}, std::vector<std::byte>(6 * dtypeSize(type))};
        for (std::size_t i = 0; i < array.data.size(); ++i)
            array.data[i] = static_cast<std::byte>(i + static_cast<std::size_t>(type) * 16);
        content.arrays.emplace(dtypeName(type), std::move(array));
    }
    content.arrays.emplace("scalar", makeArray(std::vector<float>{2.5f}, {}));
    content.arrays.emplace("empty", makeArray(std::vector<float>{}, {4, 0}));
    return content;
}

TEST(Safetensors, isRestored_whenWrittenAndRead) {
    const test::TempFolder folder;
    const Safetensors content = everyType();
    writeSafetensors(folder / "a.safetensors", content);
    const Safetensors again = readSafetensors(folder / "a.safetensors");
    EXPECT_EQ(again.metadata, content.metadata);
    ASSERT_EQ(again.arrays.size(), content.arrays.size());
    for (const auto& [name, array] : content.arrays) {
        ASSERT_TRUE(again.arrays.contains(name)) << name;
        EXPECT_EQ(again.arrays.at(name).dtype, array.dtype) << name;
        EXPECT_EQ(again.arrays.at(name).shape, array.shape) << name;
        EXPECT_EQ(again.arrays.at(name).data, array.data) << name;
    }
}

TEST(Safetensors, givesTheSameBytes_whenContentIsTheSame) {
    EXPECT_EQ(encodeSafetensors(everyType()), encodeSafetensors(everyType()));
    const auto bytes = encodeSafetensors({});
    EXPECT_TRUE(decodeSafetensors(bytes, "a").arrays.empty());
}

TEST(Safetensors, alignsEveryTensorToItsElements) {
    const auto bytes = encodeSafetensors(everyType());
    const SafetensorsHeader header = decodeSafetensorsHeader(bytes, "a");
    EXPECT_EQ(header.dataOffset % 8, 0u);
    for (const auto& [name, entry] : header.entries)
        EXPECT_EQ(entry.begin % dtypeSize(entry.dtype), 0u) << name;
}

TEST(Safetensors, readsFilesOfOtherPrograms) {
    const Safetensors content = readSafetensors(test::dataFolder() / "good" / "four.safetensors");
    EXPECT_EQ(content.metadata, (Metadata{{"sampler", "bilinear-each"}}));
    EXPECT_EQ(content.arrays.at("a").shape, Shape({2, 2}));
    EXPECT_EQ(content.arrays.at("a").toFloat(), std::vector<float>({1, 2, 3, 4}));
    EXPECT_EQ(content.arrays.at("b").toFloat(), std::vector<float>({1, -2, 0}));
    EXPECT_EQ(content.arrays.at("c").toInt64(), std::vector<std::int64_t>({1}));
    EXPECT_EQ(content.arrays.at("none").shape, Shape({0, 4}));
}

TEST(Safetensors, givesTheHeader_withoutReadingTheTensors) {
    const auto header = readSafetensorsHeader(test::dataFolder() / "good" / "four.safetensors");
    EXPECT_EQ(header.entries.size(), 4u);
    EXPECT_EQ(header.entries.at("b").dtype, DType::bf16);
    EXPECT_EQ(header.entries.at("b").begin, 16u);
    EXPECT_EQ(header.entries.at("b").end, 22u);
    EXPECT_EQ(header.metadata.size(), 1u);
}

TEST(Safetensors, writesNothing_whenContentIsBroken) {
    const test::TempFolder folder;
    Safetensors wrongSize;
    wrongSize.arrays.emplace("a", Array{DType::f32, {2}, std::vector<std::byte>(7)});
    EXPECT_THROW(writeSafetensors(folder / "a", wrongSize), InputError);
    Safetensors notUtf8;
    notUtf8.metadata.emplace("a", "\xff");
    EXPECT_THROW(writeSafetensors(folder / "a", notUtf8), InputError);
    Safetensors reserved;
    reserved.arrays.emplace("__metadata__", makeArray(std::vector<float>{1}, {1}));
    EXPECT_THROW(writeSafetensors(folder / "a", reserved), InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Safetensors, isIoError_whenFolderIsMissing) {
    const test::TempFolder folder;
    EXPECT_THROW(writeSafetensors(folder / "no" / "a.safetensors", everyType()), IoError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace threefold
