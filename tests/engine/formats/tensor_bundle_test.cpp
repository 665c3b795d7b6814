#include "engine/formats/tensors/tensor_bundle.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/crc32c.h"
#include "tests/support/decode_all.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tensor_bundle_writer.h"

namespace threefold {
namespace {

using test::Bundle;
using test::BundleEntry;
using test::BundleOptions;
using test::decodeTensorBundle;
using test::messageOf;
using test::TempFolder;
using Shape = std::vector<std::size_t>;

const std::filesystem::path kData =
    std::filesystem::path(THREEFOLD_TEST_DATA) / "engine/formats/data/weights";

void expectIn(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

/// Tensors whose names have long common prefixes; their number requires several blocks.
ArrayMap manyArrays() {
    ArrayMap arrays;
    for (int i = 0; i < 200; ++i) {
        std::vector<float> values(static_cast<std::size_t>(i % 7), 0.25F * static_cast<float>(i));
        const Shape shape = {values.size()};
        arrays[fmt::format("meshnet/pixel2mesh/layer_{}_vars/weights", i)] =
            makeArray(values, shape);
    }
    arrays["meshnet/half"] = {DType::f16, {2}, std::vector<std::byte>(4, std::byte{0x3c})};
    arrays["step"] = makeArray(std::vector<std::int32_t>{7}, {});
    return arrays;
}

ArrayMap decode(const std::string& index, const std::vector<std::string>& shards) {
    std::vector<std::span<const std::byte>> spans;
    for (const std::string& shard : shards) spans.push_back(asBytes(shard));
    return decodeTensorBundle(asBytes(index), spans, "model.index");
}
ArrayMap decode(const Bundle& bundle) {
    return decode(bundle.index(), bundle.shards);
}

void expectSame(const ArrayMap& actual, const ArrayMap& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (const auto& [name, array] : expected) {
        ASSERT_TRUE(actual.contains(name)) << name;
        EXPECT_EQ(actual.at(name).dtype, array.dtype) << name;
        EXPECT_EQ(actual.at(name).shape, array.shape) << name;
        EXPECT_EQ(actual.at(name).data, array.data) << name;
    }
}

std::string refusal(const std::function<void(Bundle&)>& change) {
    Bundle bundle = test::makeBundle({{"a", makeArray(std::vector<float>{1, 2, 3}, {3})},
                                      {"b", makeArray(std::vector<float>{4, 5}, {2})}});
    change(bundle);
    return messageOf<FormatError>([&] { decode(bundle); });
}

/// Bytes of a table whose index has `block` as its only block.
std::string tableOf(const std::string& block, bool snappy = false) {
    test::SortedTableWriter writer({snappy, 4096, 16});
    writer.addBlock(block, "z");
    return writer.finish();
}
std::string indexRefusal(const std::string& bytes) {
    return messageOf<FormatError>([&] { decodeTensorBundleIndex(asBytes(bytes), "model.index"); });
}

TEST(Crc32c, givesThePublishedValues) {
    EXPECT_EQ(crc32c(asBytes("123456789")), 0xe3069283U);
    EXPECT_EQ(crc32c(std::vector<std::byte>(32)), 0x8a9136aaU);
    EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xff})), 0x62a8ab43U);
}

TEST(TensorBundle, givesEveryTensor_withAnyLayoutOfTheTable) {
    const ArrayMap arrays = manyArrays();
    for (const std::size_t shards : {1U, 2U, 5U})
        for (const bool snappy : {false, true})
            for (const bool bigEndian : {false, true})
                for (const std::size_t blockSize : {1U, 500U, 1U << 20})
                    for (const std::size_t restarts : {1U, 16U, 1000U}) {
                        const BundleOptions options{
                            shards, bigEndian, {snappy, blockSize, restarts}};
                        expectSame(decode(test::makeBundle(arrays, options)), arrays);
                    }
}

TEST(TensorBundle, readsACheckpointOfTensorFlow) {
    const auto files = findTensorBundle(kData / "two_shards.index");
    ASSERT_TRUE(files.has_value());
    ASSERT_EQ(files->shards.size(), 2U);
    const TensorBundle bundle(*files);
    EXPECT_EQ(bundle.index().entries.size(), 9U);
    const auto expectRamp = [&](const std::string& name, DType type, const Shape& shape) {
        const Array array = bundle.read(name);
        EXPECT_EQ(array.dtype, type) << name;
        EXPECT_EQ(array.shape, shape) << name;
        const std::vector<double> values = array.toDouble();
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(values[i], static_cast<double>(i) / 8 - 1) << name;
    };
    expectRamp("meshnetmvp2m/cnn/conv2d_1/W", DType::f32, {1, 1, 2, 3});
    expectRamp("meshnetmvp2m/cnn/conv2d_1/W/Adam", DType::f32, {1, 1, 2, 3});
    expectRamp("meshnetmvp2m/cnn/conv2d_1/b", DType::f32, {3});
    expectRamp("meshnetmvp2m/cnn/conv2d_2/b", DType::f16, {3});
    expectRamp("meshnetmvp2m/cnn/conv2d_3/b", DType::bf16, {3});
    expectRamp("meshnetmvp2m/cnn/conv2d_4/b", DType::f64, {3});
    EXPECT_EQ(bundle.read("global_step").toInt64(), std::vector<std::int64_t>{7});
    EXPECT_EQ(bundle.read("empty").shape, (Shape{0, 3}));
    EXPECT_EQ(bundle.index().entries.at("note").type, "string");
    expectIn(messageOf<FormatError>([&] { bundle.read("note"); }), "of the type string");
}

TEST(TensorBundle, refusesAPartitionedVariable_andReadsTheRest) {
    const TensorBundle bundle(*findTensorBundle(kData / "sliced.index"));
    EXPECT_EQ(bundle.read("whole").shape, (Shape{2, 3}));
    expectIn(messageOf<FormatError>([&] { bundle.read("part"); }),
             "'part': is stored in 2 slices, as a partitioned variable is");
}

TEST(TensorBundle, isFound_byAnyOfItsFileNames) {
    const TempFolder folder;
    test::saveBundle(folder / "model.ckpt-10", test::makeBundle(manyArrays()));
    const auto expectFound = [&](const std::filesystem::path& path) {
        const auto files = findTensorBundle(path);
        ASSERT_TRUE(files.has_value()) << path;
        EXPECT_EQ(files->index, folder / "model.ckpt-10.index");
        EXPECT_EQ(files->shards.at(1), folder / "model.ckpt-10.data-00001-of-00002");
        expectSame({{"step", TensorBundle(*files).read("step")}},
                   {{"step", manyArrays().at("step")}});
    };
    expectFound(folder / "model.ckpt-10.index");
    expectFound(folder / "model.ckpt-10.data-00001-of-00002");
    expectFound(folder / "model.ckpt-10");
    expectFound(folder.path());
    test::saveBundle(folder / "model.ckpt-20", test::makeBundle({}));
    EXPECT_THROW(findTensorBundle(folder.path()), InputError);
    writeFileAtomically(folder / "checkpoint",
                        std::string_view("model_checkpoint_path: \"/home/other/model.ckpt-10\"\n"
                                         "all_model_checkpoint_paths: \"model.ckpt-20\"\n"));
    expectFound(folder.path());
    EXPECT_FALSE(findTensorBundle(folder / "weights.npz").has_value());
    EXPECT_FALSE(findTensorBundle(std::string(100'000, 'x')).has_value());
    EXPECT_FALSE(findTensorBundle(folder / "checkpoint").has_value());
}

TEST(TensorBundle, namesTheShard_whenOneIsMissing) {
    const TempFolder folder;
    test::saveBundle(folder / "model", test::makeBundle(manyArrays()));
    std::filesystem::remove(folder / "model.data-00001-of-00002");
    const auto files = findTensorBundle(folder / "model");
    expectIn(messageOf<IoError>([&] { TensorBundle{*files}; }),
             "model.data-00001-of-00002: is missing: the checkpoint consists of 'model.index' and "
             "2 data files");
}

TEST(TensorBundle, namesTheTensor_whenItsBytesOrItsEntryAreWrong) {
    expectIn(refusal([](Bundle& b) { b.shards[0][5] ^= 1; }),
             "tensor 'a': the checksum of its bytes 0 to 12 is wrong");
    expectIn(refusal([](Bundle& b) { b.shards[0].pop_back(); }), "tensor 'a'");
    expectIn(refusal([](Bundle& b) { b.entries["b"].offset = 1; }),
             "tensor 'b': lies at bytes 1 to 9, but the file has 8 bytes");
    expectIn(refusal([](Bundle& b) { b.entries["b"].offset = ~0ULL; }), "tensor 'b': lies at");
    expectIn(refusal([](Bundle& b) { b.entries["b"].shard = 2; }), "lies in data file 2 of 2");
    expectIn(refusal([](Bundle& b) {
                 b.entries["b"].shape = {1U << 30U, 1U << 30U};
             }),
             "the shape [1073741824, 1073741824] of float and 8 bytes, which contradict");
    expectIn(refusal([](Bundle& b) { b.entries["b"].shape = {~0ULL >> 1U, 8}; }), "contradict");
    expectIn(refusal([](Bundle& b) { b.entries["b"].shape = {~0ULL}; }), "a negative extent");
    expectIn(refusal([](Bundle& b) { b.shards.pop_back(); }), "lies in data file 1 of 1");
    // Several names for the same bytes.
    expectIn(refusal([](Bundle& b) {
                 for (int i = 0; i < 9; ++i) b.entries[fmt::format("c{}", i)] = b.entries["a"];
             }),
             "more bytes than the data files have");
}

TEST(TensorBundle, skipsUnreadableTensors_whenReadingAll) {
    Bundle bundle = test::makeBundle({{"a", makeArray(std::vector<float>{1}, {1})}});
    bundle.entries["text"] = {7, {}, 0, 0, 4, 0, 0};
    bundle.entries["unheard of"] = {99, {}, 0, 0, 4, 0, 0};
    EXPECT_EQ(decode(bundle).size(), 1U);
    EXPECT_EQ(decodeTensorBundleIndex(asBytes(bundle.index()), "x").entries.at("unheard of").type,
              "type 99");
}

TEST(TensorBundleIndex, isRefused_whenOneBitIsWrong) {
    const Bundle bundle = test::makeBundle(manyArrays(), {2, false, {true, 500, 16}});
    const std::string whole = bundle.index();
    const ArrayMap expected = manyArrays();
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); i += 3) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
        try {
            // The empty block before the index and the padding of the footer may change without
            // effect.
            expectSame(decode(damaged, bundle.shards), expected);
        } catch (const FormatError&) {
            ++refused;
        } catch (const NotThisFormat&) {
            EXPECT_GE(i, whole.size() - 8);
        }
    }
    EXPECT_GE(refused, (whole.size() - 48 - 20) / 3);
}

TEST(TensorBundleIndex, isRefused_whenTruncated) {
    const std::string whole = test::makeBundle(manyArrays(), {2, false, {true, 500, 16}}).index();
    for (std::size_t length = 0; length < whole.size(); length += 7)
        EXPECT_THROW(decodeTensorBundleIndex(asBytes(whole).first(length), "x"), NotThisFormat);
}

TEST(TensorBundleIndex, namesAnotherKindOfTable_whenThereIsNoHeader) {
    const std::string message = indexRefusal(test::sortedTable({{"name", "value"}}));
    expectIn(message, "tensor 'name'");
    expectIn(indexRefusal(test::sortedTable({{"name", ""}})), "V1 format");
    expectIn(indexRefusal(test::sortedTable({{"", test::bundleHeader(0)}})), "V1 format");
    expectIn(indexRefusal(test::sortedTable({{"", test::protobufInteger(1, 1U << 20U)}})),
             "1048576 data files");
}

TEST(TensorBundleIndex, isRefused_whenBlocksLie) {
    const std::string header = test::bundleHeader(1);
    const std::string block = test::tableBlock({{"", header}}, 16);
    const std::string packedLength = test::varint(1U << 30U) + "xxxx";
    {
        test::SortedTableWriter writer({false, 4096, 16});
        const std::string handle = writer.addBlock(block, "a");
        writer.addHandle("b", handle);
        expectIn(indexRefusal(writer.finish()), "begins within another one");
    }
    {
        test::SortedTableWriter writer({false, 4096, 16});
        writer.addHandle("b", test::varint(4) + test::varint(1ULL << 62U));
        expectIn(indexRefusal(writer.finish()), "4611686018427387904 bytes at byte 4 is declared");
    }
    {
        test::SortedTableWriter writer({false, 4096, 16});
        writer.addBlock(block, "a");
        writer.addBlock(block, "b");
        expectIn(indexRefusal(writer.finish()), "not in order");
    }
    expectIn(indexRefusal(tableOf("ab")), "without its list of restarts");
    expectIn(indexRefusal(tableOf(test::fixed(1000, 4))), "restarts longer than itself");
    const std::string noRestarts = test::fixed(0, 4);
    expectIn(indexRefusal(tableOf(std::string("\3\1\0x", 4) + noRestarts)), "shares more");
    expectIn(indexRefusal(tableOf(std::string("\0\1\x7fx", 4) + noRestarts)),
             "127 bytes are needed here, but 0 are left");
    expectIn(indexRefusal(tableOf(test::varint(0) + test::varint(1ULL << 63U) + noRestarts)),
             "in the block here");
    expectIn(indexRefusal(tableOf(std::string(11, '\xff') + noRestarts)), "more than 64 bits");
}

/// A table whose only block has the bytes `packed` and the type snappy.
std::string snappyTable(const std::string& packed) {
    const std::string covered = packed + '\1';
    const std::string stored = covered + test::fixed(maskCrc32c(crc32c(asBytes(covered))), 4);
    test::SortedTableWriter writer({false, 4096, 16});
    writer.addHandle("z", test::varint(0) + test::varint(packed.size()));
    const std::string rest = writer.finish();
    // The block precedes the rest of the table, so the offsets of the footer's handles grow by the
    // block's size.
    ByteCursor footer(asBytes(rest).last(48), "");
    std::uint64_t handles[4];
    for (std::uint64_t& value : handles) {
        value = 0;
        for (int shift = 0;; shift += 7) {
            const std::uint64_t byte = footer.readLittleEndian(1);
            value |= (byte & 0x7fU) << shift;
            if (byte < 0x80U) break;
        }
    }
    std::string end = test::varint(handles[0] + stored.size()) + test::varint(handles[1]) +
                      test::varint(handles[2] + stored.size()) + test::varint(handles[3]);
    end.resize(40, '\0');
    return stored + rest.substr(0, rest.size() - 48) + end + rest.substr(rest.size() - 8);
}

TEST(TensorBundleIndex, isRefused_whenSnappyBlocksAreInvalid) {
    std::string packed;
    const std::string block = test::tableBlock({{"", test::bundleHeader(1)}}, 16);
    snappy::Compress(block.data(), block.size(), &packed);
    EXPECT_EQ(decodeTensorBundleIndex(asBytes(snappyTable(packed)), "x").shardCount, 1U);
    expectIn(indexRefusal(snappyTable(test::varint(1U << 31U) + "xxxx")),
             "declares 2147483648 unpacked bytes");
    expectIn(indexRefusal(snappyTable(test::varint(100) + "xxxxxxxx")), "that is damaged");
    expectIn(indexRefusal(snappyTable("")), "without its length");
    expectIn(indexRefusal(snappyTable("\xff\xff\xff\xff\xff\xff")), "without its length");
}

TEST(TensorBundleIndex, isRefused_whenKeysExpandTooFar) {
    // Each entry takes a few bytes and stands for a key of 4 kB.
    const std::string entry = encoded(BundleEntry{});
    std::string key(4000, 'k');
    std::string block = test::varint(0) + test::varint(0) + test::varint(2) + "\x08\x01";
    block += test::varint(0) + test::varint(key.size()) + test::varint(entry.size()) + key + entry;
    for (int i = 0; i < 40'000; ++i) {
        // Two ascending characters follow the 4000 characters that all keys share.
        const std::string end = {static_cast<char>(1 + i / 250), static_cast<char>(1 + i % 250)};
        block += test::varint(4000) + test::varint(2) + test::varint(entry.size()) + end + entry;
    }
    const std::string bytes = tableOf(block + test::fixed(0, 4));
    EXPECT_LT(bytes.size(), 1'000'000U);
    expectIn(indexRefusal(bytes), "more memory than is allowed for a file of this size");
}

}  // namespace
}  // namespace threefold
