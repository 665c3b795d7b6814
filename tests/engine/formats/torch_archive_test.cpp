#include "engine/formats/pickle/torch_archive.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/tensors/npz.h"
#include "tests/support/decode_all.h"
#include "tests/support/message_of.h"
#include "tests/support/torch_writer.h"

namespace threefold {
namespace {

namespace pickle = test::pickle;
using test::decodeTorchArchive;
using test::messageOf;
using test::TorchTensor;
using Shape = std::vector<std::size_t>;
using Values = std::vector<double>;

const std::filesystem::path kTorchFiles =
    std::filesystem::path(THREEFOLD_TEST_DATA) / "engine/formats/data/weights";

void expectPart(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

std::string floats(std::size_t count) {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
    return std::string(reinterpret_cast<const char*>(values.data()), count * sizeof(float));
}

Array one(const TorchTensor& tensor, std::size_t count = 6) {
    const std::string bytes =
        test::torchArchive(pickle::dict({{"a", pickled(tensor)}}), {{"0", floats(count)}});
    return decodeTorchArchive(asBytes(bytes), "model.pt").at("a");
}

std::string refusal(const std::string& bytes) {
    return messageOf<FormatError>([&] { decodeTorchArchive(asBytes(bytes), "model.pt"); });
}
std::string refusal(const TorchTensor& tensor, std::size_t count = 6) {
    return messageOf<FormatError>([&] { one(tensor, count); });
}

TEST(TorchArchive, readsACheckpointOfPyTorch) {
    const auto bytes = readFile(kTorchFiles / "tensors.pt");
    const ArrayMap arrays = decodeTorchArchive(bytes, "tensors.pt");
    const auto expect = [&](const std::string& name, DType type, const Shape& shape,
                            const Values& values) {
        ASSERT_TRUE(arrays.contains(name)) << name;
        EXPECT_EQ(arrays.at(name).dtype, type) << name;
        EXPECT_EQ(arrays.at(name).shape, shape) << name;
        EXPECT_EQ(arrays.at(name).toDouble(), values) << name;
    };
    const Values six = {-1, -0.875, -0.75, -0.625, -0.5, -0.375};
    expect("half", DType::f16, {2, 3}, six);
    expect("bfloat", DType::bf16, {2, 3}, six);
    expect("double", DType::f64, {2, 3}, six);
    expect("row", DType::f32, {6}, {-0.25, -0.125, 0, 0.125, 0.25, 0.375});
    expect("transposed", DType::f32, {2, 3}, {-1, -0.75, -0.5, -0.875, -0.625, -0.375});
    expect("every_other", DType::f32, {2, 3}, {-1, -0.75, -0.5, -0.25, 0, 0.25});
    expect("expanded", DType::f32, {2, 3}, Values(6, -1));
    expect("scalar", DType::f32, {}, {-1});
    expect("empty", DType::f32, {0, 3}, {});
    expect("parameter", DType::f32, {2, 2}, {-1, -0.875, -0.75, -0.625});
    EXPECT_EQ(arrays.size(), 11U);
}

TEST(TorchArchive, namesTensorsByTheirPath_whenATrainingWasSaved) {
    const auto bytes = readFile(kTorchFiles / "training.pt");
    const ArrayMap arrays = decodeTorchArchive(bytes, "training.pt");
    EXPECT_EQ(arrays.at("model.0.weight").shape, (Shape{3, 2}));
    EXPECT_EQ(arrays.at("optimizer.state.0.exp_avg").shape, (Shape{3, 2}));
    EXPECT_EQ(arrays.size(), 2U + 6U);
}

TEST(TorchArchive, namesTheRefusedClass_whenAWholeModuleWasSaved) {
    const auto bytes = readFile(kTorchFiles / "module.pt");
    const std::string message =
        messageOf<FormatError>([&] { decodeTorchArchive(bytes, "module.pt"); });
    expectPart(message, "'torch.nn.modules.activation.ReLU'");
    expectPart(message, "Nothing was run. Save the weights alone: torch.save(model.state_dict()");
}

TEST(TorchArchive, namesTheRemedy_whenTheFileIsOfTheOldFormat) {
    const auto bytes = readFile(kTorchFiles / "old.pth");
    const std::string message =
        messageOf<FormatError>([&] { decodeTorchArchive(bytes, "old.pth"); });
    expectPart(message, "before version 1.6");
    expectPart(message, "torch.save(torch.load(file), new_file)");
}

TEST(TorchArchive, isNotThisFormat_whenAFileIsOfAnother) {
    EXPECT_THROW(decodeTorchArchive({}, "x"), NotThisFormat);
    EXPECT_THROW(decodeTorchArchive(asBytes("\x80\x02}."), "x"), NotThisFormat);
    const std::string npz = test::zipped({{"a.npy", "x"}});
    EXPECT_THROW(decodeTorchArchive(asBytes(npz), "x"), NotThisFormat);
    const std::string torch = test::torchArchive(ArrayMap{});
    EXPECT_THROW(decodeNpz(asBytes(torch), "x"), NotThisFormat);
    expectPart(refusal(test::zipped({{"a/data.pkl", "\x80\x02}."}, {"a/constants.pkl", ""}})),
               "TorchScript");
}

TEST(TorchArchive, givesElementsInOrder_whateverTheirStrides) {
    EXPECT_EQ(one({}).toDouble(), (Values{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(one({"0", "FloatStorage", 6, 0, {3, 2}, {1, 3}}).toDouble(),
              (Values{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(one({"0", "FloatStorage", 6, 2, {2, 1}, {3, 7}}).toDouble(), (Values{2, 5}));
    EXPECT_EQ(one({"0", "FloatStorage", 6, 4, {2, 2}, {0, 1}}).toDouble(), (Values{4, 5, 4, 5}));
    EXPECT_EQ(one({"0", "FloatStorage", 6, 6, {0, 9}, {9, 1}}).shape, (Shape{0, 9}));
}

TEST(TorchArchive, isRead_whenDeflatedOrBigEndian) {
    const std::string value = pickle::dict({{"a", pickled(TorchTensor{})}});
    const std::string little = floats(6);
    std::vector<std::byte> big(asBytes(little).begin(), asBytes(little).end());
    swapByteOrder(big, sizeof(float));
    const std::string deflated = test::torchArchive(value, {{"0", little}}, true);
    const std::string swapped =
        test::torchArchive(value, {{"0", std::string(asText(big))}}, false, "big");
    for (const std::string& bytes : {deflated, swapped})
        EXPECT_EQ(decodeTorchArchive(asBytes(bytes), "x").at("a").toDouble(),
                  (Values{0, 1, 2, 3, 4, 5}));
}

TEST(TorchArchive, namesTheTensor_whenItDoesNotFitItsStorage) {
    expectPart(refusal({"0", "FloatStorage", 6, 1, {2, 3}, {3, 1}}),
               "the tensor 'a' of shape [2, 3] reaches beyond the 6 elements of its storage '0'");
    expectPart(refusal({"0", "FloatStorage", 6, 0, {2, 3}, {std::size_t{1} << 62U, 1}}),
               "reaches beyond");
    expectPart(refusal({"0", "FloatStorage", 6, 7, {0, 1}, {1, 1}}), "reaches beyond");
    expectPart(refusal({}, 5), "of 6 elements, but the archive holds only 5 of them");
    expectPart(refusal({"1", "FloatStorage", 6, 0, {1}, {1}}), "'archive/data/1': is missing");
    expectPart(refusal({"../0", "FloatStorage", 6, 0, {1}, {1}}),
               "'archive/data/../0': is missing");
    expectPart(refusal({"0", "ComplexFloatStorage", 3, 0, {1}, {1}}),
               "is of a ComplexFloatStorage, which is not supported");
    expectPart(refusal({"0", "FloatStorage", 6, 0, {2, 3}, {3}}), "2 axes with 1 strides");
    // A few numbers with strides of 0, which would expand to a terabyte.
    expectPart(refusal({"0", "FloatStorage", 6, 0, {1U << 20U, 1U << 18U}, {0, 0}}),
               "more than is allowed for a file of this size");
    expectPart(refusal({"0", "FloatStorage", 6, 0, {~0ULL >> 1U, 8}, {0, 0}}), "more than");
}

TEST(TorchArchive, isRefused_whenManyTensorsShareOneStorage) {
    std::vector<std::pair<std::string, std::string>> items;
    const TorchTensor tensor{"0", "FloatStorage", 6, 0, {1U << 20U}, {0}};
    for (int i = 0; i < 20; ++i) items.emplace_back(std::to_string(i), pickled(tensor));
    expectPart(refusal(test::torchArchive(pickle::dict(items), {{"0", floats(6)}})),
               "more than is allowed for a file of this size");
}

TEST(TorchArchive, isRefused_whenItsTensorsUnpackTheSameStoragesRepeatedly) {
    constexpr std::size_t kCount = std::size_t{1} << 20;
    const auto archive = [](std::size_t tensors) {
        std::vector<std::pair<std::string, std::string>> items;
        for (std::size_t i = 0; i < tensors; ++i)
            items.emplace_back(
                std::to_string(1000 + i),
                pickled(TorchTensor{std::to_string(i % 2), "FloatStorage", kCount, 0, {1}, {1}}));
        // The content compresses well, but not below the size of the pickle.
        std::string content(kCount * sizeof(float), '\0');
        for (std::size_t i = 0; i < content.size(); i += 64)
            content[i] = static_cast<char>((i * 2654435761U) >> 13U);
        return test::torchArchive(pickle::dict(items), {{"0", content}, {"1", content}}, true);
    };
    const auto readByName = [](const std::string& bytes) {
        TorchArchive read(asBytes(bytes), "model.pt");
        for (const auto& [name, tensor] : read.tensors()) read.read(name);
    };
    readByName(archive(20));
    expectPart(messageOf<FormatError>([&] { readByName(archive(200)); }),
               "would be unpacked repeatedly");
}

TEST(TorchArchive, isRefused_whenItsPickleIsNotPlainData) {
    const auto message = [](const std::string& value) {
        return refusal(test::torchArchive(value, {{"0", floats(6)}}));
    };
    expectPart(message("cos\nsystem\n(S'true'\ntR"), "'os.system'");
    expectPart(message("cargparse\nNamespace\n)R"), "'argparse.Namespace'");
    expectPart(message("ctorch\nload\n(S'x'\ntR"), "'torch.load'");
    expectPart(message(pickle::text("0") + "Q"), "a storage's id are not in a list");
    expectPart(message(pickle::tuple({pickle::text("module")}) + "Q"), "not a storage's");
    expectPart(message("ctorch._utils\n_rebuild_tensor_v2\n)R"), "a tensor without storage");
    expectPart(message("ctorch._utils\n_rebuild_parameter\n(NtR"), "not a tensor");
    expectPart(message(std::string("]q\0h\0a", 6)), "contains itself");
    // A tree of shared lists: a hundred bytes with a million values.
    std::string value = "]q" + std::string(1, '\0') + "(" + pickled(TorchTensor{}) + "e";
    for (char level = 1; level <= 6; ++level) {
        value += "](";
        for (int i = 0; i < 10; ++i) value += std::string("h") + static_cast<char>(level - 1);
        value += std::string("eq") + level;
    }
    expectPart(message(value), "more than 65536 values");
}

TEST(TorchArchive, isRefused_whenItIsADecompressionBomb) {
    const std::string value = pickle::dict({{"a", pickled(TorchTensor{})}});
    expectPart(refusal(test::torchArchive(value, {{"0", std::string(40'000'000, '\0')}}, true)),
               "more than is allowed for a file of");
    expectPart(refusal(test::torchArchive("(" + std::string(1'000'000, 'N') + "t", {}, true)),
               "more than the whole file has");
}

TEST(TorchArchive, allowsItsCallables_onlyInTorchArchives) {
    const std::string bytes = pickle::pickled(pickled(TorchTensor{}));
    EXPECT_THROW(decodePickle(asBytes(bytes), "x"), FormatError);
}

TEST(TorchArchive, isReadOrRefused_whenTruncatedOrDamaged) {
    const std::vector<std::byte> whole = readFile(kTorchFiles / "tensors.pt");
    for (std::size_t length = 0; length < whole.size(); length += 13)
        EXPECT_THROW(decodeTorchArchive(std::span(whole).first(length), "x"), Error) << length;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::vector<std::byte> damaged = whole;
        damaged[i] ^= static_cast<std::byte>(1U << (i % 8));
        try {
            decodeTorchArchive(damaged, "x");
        } catch (const FormatError&) {
        } catch (const NotThisFormat&) {
        }
    }
}

}  // namespace
}  // namespace threefold
