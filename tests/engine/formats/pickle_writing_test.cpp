
#include <numeric>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pickle/pickle.h"

namespace threefold::test {
namespace {

TEST(PickleWriting, isReadBack) {
    Array bytes{DType::u8, {16, 16, 1}, std::vector<std::byte>(256)};
    for (std::size_t i = 0; i < 256; ++i) bytes.data[i] = static_cast<std::byte>(i);
    std::vector<float> values(600);
    std::iota(values.begin(), values.end(), -300.25F);
    const Array floats = makeArray(values, {100, 6});
    const std::vector<Array> both = {bytes, floats};
    const std::string text = formatPickle(both);
    const PickleRef read = decodePickle(asBytes(text), "pair");
    const auto& pair = std::get<PickleSequence>(read->value);
    ASSERT_EQ(pair.items.size(), 2U);
    const Array& first = std::get<Array>(pair.items[0]->value);
    EXPECT_EQ(first.shape, bytes.shape);
    EXPECT_EQ(first.dtype, DType::u8);
    EXPECT_EQ(first.data, bytes.data);
    const Array& second = std::get<Array>(pair.items[1]->value);
    EXPECT_EQ(second.shape, floats.shape);
    EXPECT_EQ(second.toFloat(), values);

    const std::string alone = formatPickle({&floats, 1});
    EXPECT_EQ(std::get<Array>(decodePickle(asBytes(alone), "one")->value).toFloat(), values);
}

TEST(PickleWriting, keepsEachType) {
    for (const DType type :
         {DType::f16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64,
          DType::u8, DType::u16, DType::u32, DType::u64, DType::boolean}) {
        const Array array{type, {3}, std::vector<std::byte>(3 * dtypeSize(type), std::byte{1})};
        const std::string text = formatPickle({&array, 1});
        const PickleRef read = decodePickle(asBytes(text), "array");
        EXPECT_EQ(std::get<Array>(read->value).dtype, type);
        EXPECT_EQ(std::get<Array>(read->value).data, array.data);
    }
    const Array bfloat16{DType::bf16, {1}, std::vector<std::byte>(2)};
    EXPECT_THROW(formatPickle({&bfloat16, 1}), InputError);
}

}  // namespace
}  // namespace threefold::test
