#include "engine/formats/tensors/npz.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/decode_all.h"
#include "tests/support/message_of.h"
#include "tests/support/npz_writer.h"

namespace threefold {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Shape = std::vector<std::size_t>;

/// `count` multiples of `step` from 0.
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

/// Element types that numpy writes and Array does not support.
constexpr const char* kOtherTypes[] = {"'<U5'", "'|S3'",     "'|O'",
                                       "'<c8'", "'<M8[ns]'", "[('a', '<f4'), ('b]', '<i4')]"};

TEST(NpzFile, keepsOtherArraysReadable_whenOneHoldsNoNumbers) {
    const Array points = makeArray(std::vector<float>{1, 2, 3}, {1, 3});
    for (const char* type : kOtherTypes) {
        SCOPED_TRACE(type);
        const std::string bytes = test::zipped(
            {{"names.npy", test::npy(type, {2}, "some bytes")}, {"points.npy", test::npy(points)}});
        const ArrayMap arrays = decodeNpz(asBytes(bytes), "a.npz");
        ASSERT_EQ(arrays.size(), 1U);
        EXPECT_EQ(arrays.at("points").data, points.data);
        const auto headers = decodeNpzHeaders(asBytes(bytes), "a.npz");
        ASSERT_EQ(headers.size(), 2U);
        EXPECT_EQ(headers.at("names").shape, Shape({2}));
        EXPECT_FALSE(headers.at("names").type);
        EXPECT_THAT(type, HasSubstr(headers.at("names").descr));
        EXPECT_EQ(decodeMesh(asBytes(bytes), "a.npz").vertices, Points({{1, 2, 3}}));
    }
}

TEST(NpzFile, namesTheArraysTypes_whenPointsAreText) {
    const std::string bytes = test::zipped({{"points.npy", test::npy("'<U5'", {2}, "some bytes")}});
    EXPECT_THAT(test::messageOf<FormatError>([&] { decodeMesh(asBytes(bytes), "a.npz"); }),
                AllOf(HasSubstr("'points' [2] of '<U5'"), Not(HasSubstr("damaged"))));
}

TEST(Npy, namesTheRemedy_whenItHoldsNoNumbers) {
    for (const char* type : kOtherTypes) {
        const std::string bytes = test::npy(type, {2}, "some bytes");
        EXPECT_THAT(
            test::messageOf<FormatError>([&] { decodeNpy(asBytes(bytes), "a.npy"); }),
            AllOf(HasSubstr("a.npy: header: elements of the type"), HasSubstr("are supported"),
                  HasSubstr("astype('float32')"), Not(HasSubstr("damaged"))))
            << type;
    }
}

std::string refusalOfZip(const std::string& bytes) {
    return test::messageOf<FormatError>([&] { decodeNpz(asBytes(bytes), "a.npz"); });
}

TEST(NpzFile, namesTheRemedy_whenItsCompressionIsUnknown) {
    const Array points = makeArray(std::vector<float>{1, 2, 3}, {1, 3});
    std::string encrypted = test::npz({{"points", points}});
    encrypted[6] = encrypted[encrypted.find("PK\1\2") + 8] = 1;  // encryption flag in both headers
    EXPECT_THAT(refusalOfZip(encrypted),
                AllOf(HasSubstr("entry 'points.npy': is encrypted"),
                      HasSubstr("without a password"), Not(HasSubstr("damaged"))));
    const auto bzip2 = readFile(test::dataFolder() / "broken/bzip2.npz");
    EXPECT_THAT(refusalOfZip(std::string(asText(bzip2))),
                AllOf(HasSubstr("method 12"), HasSubstr("deflate"), Not(HasSubstr("damaged"))));
    const Array zeros{DType::f32, {std::size_t{12} << 20}, std::vector<std::byte>(48U << 20)};
    EXPECT_THAT(refusalOfZip(test::npz({{"zeros", zeros}}, true)),
                AllOf(HasSubstr("more than is allowed"), HasSubstr("without compression"),
                      Not(HasSubstr("damaged"))));
}

}  // namespace
}  // namespace threefold
