// Tests of pickles of Python 2 and 3 in every protocol. make_fixtures.py makes the pickles in
// data/good.

#include <string>

#include <gtest/gtest.h>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pickle/pickle.h"
#include "tests/engine/formats/readers.h"

namespace threefold {
namespace {

using Shape = std::vector<std::size_t>;
using Doubles = std::vector<double>;

PickleRef readGood(const std::string& name) {
    const std::filesystem::path file = test::dataFolder() / "good" / name;
    return decodePickle(readFile(file), file);
}

template <typename T>
const T& as(const PickleRef& value) {
    return std::get<T>(value->value);
}

PickleRef under(const PickleRef& dict, std::string_view key) {
    PickleRef value = as<PickleDict>(dict).find(key);
    if (!value) throw std::runtime_error("no key " + std::string(key));
    return value;
}

const std::vector<PickleRef>& items(const PickleRef& value) {
    return as<PickleSequence>(value).items;
}

void expectArray(const PickleRef& value, DType type, const Shape& shape, const Doubles& values) {
    const Array& array = as<Array>(value);
    EXPECT_EQ(array.dtype, type);
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.toDouble(), values);
}

Doubles ramp(std::size_t count) {
    Doubles values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
    return values;
}

class PickleProtocol : public testing::TestWithParam<int> {
  protected:
    const PickleRef root_ = readGood("dialect_" + std::to_string(GetParam()) + ".pkl");
};

TEST_P(PickleProtocol, givesPlainValues) {
    EXPECT_TRUE(std::holds_alternative<PickleNone>(under(root_, "none")->value));
    EXPECT_TRUE(as<bool>(items(under(root_, "flags"))[0]));
    EXPECT_FALSE(as<bool>(items(under(root_, "flags"))[1]));
    const std::int64_t integers[] = {0,
                                     255,
                                     256,
                                     65535,
                                     65536,
                                     -1,
                                     std::int64_t{1} << 31,
                                     -2147483649,
                                     0x7fffffffffffffff,
                                     INT64_MIN};
    for (std::size_t i = 0; i < std::size(integers); ++i)
        EXPECT_EQ(as<std::int64_t>(items(under(root_, "integers"))[i]), integers[i]);
    const double floats[] = {1.5, -0.25, 1e300};
    for (std::size_t i = 0; i < std::size(floats); ++i)
        EXPECT_EQ(as<double>(items(under(root_, "floats"))[i]), floats[i]);
    EXPECT_EQ(as<std::string>(under(root_, "text")), "mesh äΩ€😀\n\\u0041");
    EXPECT_EQ(as<PickleBytes>(under(root_, "bytes")).bytes, std::string("\x00\x80\xff'\"\\\n", 7));
}

TEST_P(PickleProtocol, givesContainers) {
    const PickleRef list = under(root_, "nested");
    const auto& nested = items(list);
    ASSERT_EQ(nested.size(), 3u);
    EXPECT_TRUE(items(nested[0]).empty());
    EXPECT_EQ(as<std::int64_t>(items(nested[1])[0]), 1);
    EXPECT_EQ(as<std::int64_t>(items(items(nested[2])[0])[0]), 2);
    EXPECT_EQ(as<std::int64_t>(under(items(nested[2])[1], "a")), 3);
    EXPECT_EQ(as<std::int64_t>(under(under(root_, "ordered"), "a")), 2);
    EXPECT_EQ(as<std::string>(as<PickleDict>(under(root_, "ordered")).items[0].first), "b");
    EXPECT_EQ(as<std::int64_t>(items(under(root_, "set"))[0]), 7);
}

TEST_P(PickleProtocol, givesArraysInRowMajorOrder) {
    expectArray(under(root_, "f32"), DType::f32, {2, 3}, {0, 0.25, 0.5, 0.75, 1, 1.25});
    expectArray(under(root_, "fortran"), DType::f64, {2, 3, 4}, ramp(24));
    expectArray(
        under(root_, "transposed"), DType::i16, {3, 2, 4},
        {0, 1, 2, 3, 12, 13, 14, 15, 4, 5, 6, 7, 16, 17, 18, 19, 8, 9, 10, 11, 20, 21, 22, 23});
    expectArray(under(root_, "big"), DType::i32, {3}, {1, -2, 65536});
    expectArray(under(root_, "u8"), DType::u8, {1, 2}, {0, 255});
    expectArray(under(root_, "bool"), DType::boolean, {3}, {1, 0, 1});
    expectArray(under(root_, "half"), DType::f16, {3}, {1, -0.5, 65504});
    expectArray(under(root_, "empty"), DType::f64, {0, 3}, {});
}

TEST_P(PickleProtocol, givesScalarsAsArraysWithoutAxes) {
    const PickleRef list = under(root_, "scalars");
    const auto& scalars = items(list);
    expectArray(scalars[0], DType::f32, {}, {0.75});
    expectArray(scalars[1], DType::i64, {}, {-5});
    expectArray(scalars[2], DType::boolean, {}, {1});
}

INSTANTIATE_TEST_SUITE_P(All, PickleProtocol, testing::Range(0, 6));

TEST(PickleDialect, readsPython2_whenTextual) {
    const PickleRef root = readGood("python2_0.pkl");
    expectArray(under(root, "array"), DType::f64, {2}, {1, -2});
    EXPECT_TRUE(as<bool>(under(root, "flag")));
    EXPECT_EQ(as<std::int64_t>(under(root, "long")), -9000000000);
    EXPECT_EQ(as<double>(under(root, "float")), -1.5);
    EXPECT_EQ(as<std::string>(under(root, "text€")), "AA\n\\'\t");
    EXPECT_EQ(as<std::string>(under(root, "AA\n\\'\t")), "text€");
}

TEST(PickleDialect, readsPython2_whenBinary) {
    const PickleRef root = readGood("python2_1.pkl");
    const auto& pair = items(root);
    ASSERT_EQ(pair.size(), 2u);
    expectArray(pair[0], DType::u8, {2, 2, 3},
                {250, 251, 252, 253, 254, 255, 250, 251, 252, 253, 254, 255});
    expectArray(pair[1], DType::f32, {2, 3}, {0, 2, 4, 1, 3, 5});
}

/// The matrix as a dense array, whatever the order of its entries.
Doubles dense(const PickleSparse& sparse) {
    Doubles values(sparse.rowCount * sparse.columnCount);
    for (std::size_t i = 0; i < sparse.values.size(); ++i)
        values[static_cast<std::size_t>(sparse.rows[i]) * sparse.columnCount +
               static_cast<std::size_t>(sparse.columns[i])] += sparse.values[i];
    return values;
}

const Doubles kDense = {0, 0, 1.5, 0, -2, 0, 0, 3};

TEST(PickleDialect, readsScipy_whenNew) {
    for (const char* file : {"sparse_0.pkl", "sparse_4.pkl"})
        for (const char* key : {"coo", "csr", "csc_array"}) {
            const auto sparse = as<PickleSparse>(under(readGood(file), key));
            EXPECT_EQ(sparse.rowCount, 2u);
            EXPECT_EQ(sparse.columnCount, 4u);
            EXPECT_EQ(dense(sparse), kDense) << file << ' ' << key;
        }
}

TEST(PickleDialect, readsScipy_whenOld) {
    const PickleRef root = readGood("sparse_old.pkl");
    const auto& both = items(root);
    ASSERT_EQ(both.size(), 2u);
    for (const PickleRef& value : both) EXPECT_EQ(dense(as<PickleSparse>(value)), kDense);
}

}  // namespace
}  // namespace threefold
