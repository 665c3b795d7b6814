#include "engine/formats/tensors/npz.h"

#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/decode_all.h"

namespace threefold {
namespace {

using Shape = std::vector<std::size_t>;

/// 0, step, 2 step, …
std::vector<double> ramp(std::size_t count, double step) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i) * step);
    return values;
}

class Npz : public testing::TestWithParam<const char*> {
  protected:
    const ArrayMap arrays_ = test::readNpz(test::dataFolder() / "good" / GetParam());

    void expectArray(const std::string& name, DType type, const Shape& shape,
                     const std::vector<double>& values) const {
        ASSERT_TRUE(arrays_.contains(name)) << name;
        const Array& array = arrays_.at(name);
        EXPECT_EQ(array.dtype, type) << name;
        EXPECT_EQ(array.shape, shape) << name;
        EXPECT_EQ(array.toDouble(), values) << name;
    }
};

TEST_P(Npz, givesEveryKindOfArray) {
    expectArray("f16", DType::f16, {6}, ramp(6, 0.25));
    expectArray("f32", DType::f32, {3, 4}, ramp(12, 0.125));
    expectArray("f64", DType::f64, {2, 2, 3}, ramp(12, 0.0625));
    expectArray("fortran", DType::f32, {3, 4}, ramp(12, 1));
    expectArray("big", DType::f64, {4, 3}, ramp(12, 1));
    expectArray("bigfortran", DType::i16, {2, 6}, ramp(12, 1));
    expectArray("u8", DType::u8, {12}, ramp(12, 1));
    expectArray("i64", DType::i64, {12}, {-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5});
    expectArray("bool", DType::boolean, {12}, {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0});
    expectArray("scalar", DType::f32, {}, {2.5});
    expectArray("empty", DType::f32, {0, 5}, {});
    EXPECT_EQ(arrays_.size(), 11u);
}

INSTANTIATE_TEST_SUITE_P(All, Npz, testing::Values("stored.npz", "deflated.npz"),
                         [](const auto& file) { return test::testName(file.param); });

TEST(Npy, readsAllVersions) {
    for (const char* name : {"version1.npy", "version2.npy", "version3.npy"}) {
        const test::Path file = test::dataFolder() / "good" / name;
        const Array array = decodeNpy(readFile(file), file);
        EXPECT_EQ(array.shape, Shape({3, 4})) << name;
        EXPECT_EQ(array.toDouble(), ramp(12, 0.125)) << name;
    }
}

TEST(NpzFile, readsGoldenTensors) {
    const ArrayMap arrays = test::readNpz(THREEFOLD_TEST_DATA "/golden/plane_each.npz");
    EXPECT_FALSE(arrays.empty());
    for (const auto& [name, array] : arrays)
        EXPECT_EQ(array.data.size(), elementCount(array) * dtypeSize(array.dtype)) << name;
}

TEST(NpzFile, isIoError_whenMissing) {
    EXPECT_THROW(test::readNpz("no/such.npz"), IoError);
}

}  // namespace
}  // namespace threefold
