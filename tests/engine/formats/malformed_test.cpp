// Tests every reader with every kind of file that it must refuse: prefixes, other formats, random
// damage, and the files in data/broken with the words that each error must have.

#include <cstring>
#include <memory>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/message_of.h"
#include "tests/support/pickle_writer.h"

namespace threefold {
namespace {

using test::Path;
using test::Reader;

enum class Outcome { read, notThisFormat, damaged };

/// Decodes a copy of exactly the input's size, so that a sanitizer detects reads beyond it.
/// Exceptions other than NotThisFormat and FormatError fail the test.
Outcome outcomeOf(const Reader& reader, test::Bytes bytes) {
    const auto exact = std::make_unique<std::byte[]>(bytes.size());
    if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
    try {
        reader.decode({exact.get(), bytes.size()}, "input");
        return Outcome::read;
    } catch (const NotThisFormat& error) {
        EXPECT_FALSE(error.report().remedy.empty());
        return Outcome::notThisFormat;
    } catch (const FormatError& error) {
        EXPECT_EQ(error.report().subject, "input");
        EXPECT_FALSE(error.report().place.empty() && error.report().problem.empty());
        EXPECT_FALSE(error.report().remedy.empty());
        return Outcome::damaged;
    }
}

class GoodFile : public testing::TestWithParam<Path> {
  protected:
    const Reader& reader_ = test::readerOf(GetParam());
    const std::vector<std::byte> bytes_ = readFile(GetParam());
};

std::string refusalOf(const char* extension, const std::string& bytes) {
    return test::messageOf<FormatError>(
        [&] { test::readerOf(std::string("a") + extension).decode(asBytes(bytes), "input"); });
}

/// Files of an unsupported kind must not be called damaged, since downloading them again does not
/// help.
TEST(UnreadKind, isNotCalledDamaged) {
    const auto fixture = [](const char* name) {
        return std::string(asText(readFile(test::dataFolder() / name)));
    };
    std::string version = fixture("good/version1.npy");
    version[6] = 4;
    std::string precise = fixture("good/colour.jpg");
    precise[precise.find("\xff\xc0") + 4] = 12;
    const std::string objects =
        test::pickle::pickled(test::pickle::array("O", std::vector<std::uint8_t>(8), {1}));
    const auto says = [](const char* remedy) {
        return testing::AllOf(testing::HasSubstr(remedy),
                              testing::Not(testing::HasSubstr("damaged")));
    };
    EXPECT_THAT(refusalOf(".npy", version), says("Save it again with numpy.save."));
    EXPECT_THAT(refusalOf(".npy", fixture("broken/complex.npy")), says("astype('float32')"));
    EXPECT_THAT(refusalOf(".jpg", precise), says("Save it as PNG"));
    EXPECT_THAT(refusalOf(".safetensors", fixture("broken/type.safetensors")), says("as F32"));
    EXPECT_THAT(refusalOf(".pkl", std::string("\x80\x06N.", 4)), says("protocol=4"));
    EXPECT_THAT(refusalOf(".pkl", objects), says("astype('float32')"));
    const std::string old("glTF\1\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0", 20);
    EXPECT_THAT(test::messageOf<FormatError>([&] { decodeMesh(asBytes(old), "a.glb"); }),
                says("version 2.0"));
}

TEST_P(GoodFile, isRead) {
    EXPECT_EQ(outcomeOf(reader_, bytes_), Outcome::read);
}

TEST_P(GoodFile, isRefused_whenEmpty) {
    EXPECT_EQ(outcomeOf(reader_, {}), reader_.isText ? Outcome::read : Outcome::notThisFormat);
}

TEST_P(GoodFile, isRefused_whenTruncated) {
    constexpr std::size_t kParts = 64;
    for (std::size_t i = 1; i < kParts; ++i) {
        const std::size_t length = bytes_.size() * i / kParts;
        const Outcome outcome = outcomeOf(reader_, test::Bytes(bytes_).first(length));
        EXPECT_TRUE(reader_.isText || outcome != Outcome::read) << length << " bytes";
    }
    const Outcome outcome = outcomeOf(reader_, test::Bytes(bytes_).first(bytes_.size() - 1));
    EXPECT_TRUE(reader_.isText || outcome != Outcome::read) << "all but one byte";
}

TEST_P(GoodFile, isNotThisFormat_whenItsBeginningIsForeign) {
    std::vector<std::byte> foreign = bytes_;
    std::fill_n(foreign.begin(), 9, std::byte{0xee});
    EXPECT_EQ(outcomeOf(reader_, foreign),
              reader_.isText ? Outcome::damaged : Outcome::notThisFormat);
}

TEST_P(GoodFile, isRefusedOrReadToItsEnd_whenThereIsAnExtraByte) {
    std::vector<std::byte> longer = bytes_;
    longer.push_back(std::byte{0});
    const Outcome outcome = outcomeOf(reader_, longer);
    EXPECT_NE(outcome, Outcome::notThisFormat);
    EXPECT_TRUE(!reader_.refusesExtraByte || outcome == Outcome::damaged);
}

TEST_P(GoodFile, isReadOrRefused_whenDamagedAtRandom) {
    std::mt19937 random(20190817);
    const auto below = [&](std::size_t end) { return random() % end; };
    for (int round = 0; round < 400; ++round) {
        std::vector<std::byte> damaged = bytes_;
        const std::size_t changes = 1 + below(4);
        for (std::size_t i = 0; i < changes; ++i) {
            std::byte& byte = damaged[below(damaged.size())];
            byte = below(2) == 0 ? byte ^ static_cast<std::byte>(1u << below(8))
                                 : static_cast<std::byte>(below(256));
        }
        if (below(4) == 0) damaged.resize(below(damaged.size()));
        outcomeOf(reader_, damaged);
    }
}

INSTANTIATE_TEST_SUITE_P(All, GoodFile, testing::ValuesIn(test::filesOf("good")),
                         [](const auto& file) { return test::testName(file.param); });

TEST(Malformed, hasGoodFilesOfEveryReader) {
    const std::vector<Path> files = test::filesOf("good");
    for (const Reader& reader : test::kReaders)
        EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const Path& file) {
            return file.extension().string() == reader.extension;
        })) << reader.extension;
}

struct Refusal {
    const char* file;
    const char* words;  ///< part of the error message
};

constexpr Refusal kRefusals[] = {
    {"animated.webp", "an animated WebP"},
    {"backwards.safetensors", "data_offsets that are not a begin and an end"},
    {"beyond.safetensors", "declares 4 bytes of data, but the file has 3"},
    {"bomb.npz", "declares 4294967280 bytes, which 72 packed bytes cannot hold"},
    {"bzip2.npz", "compression method 12"},
    {"checksum.npz", "CRC"},
    {"checksum.png", "damaged PNG"},
    {"chunk.png", "a chunk declares 1650614882 bytes, but only 16 are left"},
    {"complex.npy", "'<c8'"},
    {"contradiction.safetensors", "the shape [3] of f32 and 16 bytes"},
    {"deep.safetensors", "the header is nested more than"},
    {"extra.safetensors", "declares 4 bytes of data, but the file has 5"},
    {"four.txt", "line 2: 4 numbers"},
    {"fraction.safetensors", "natural numbers in 'shape'"},
    {"header.safetensors", "a header of 1099511627776 bytes"},
    {"hole.safetensors", "bytes belong to no tensor"},
    {"large.jpg", "16384 x 16384 pixels are declared, more than"},
    {"large.png", "16384 x 16384 pixels are declared, more than"},
    {"many.npy", "the shape [1099511627776] of f32 does not fit the 16 bytes"},
    {"many.safetensors", "declares 4398046511104 bytes of data, but the file has 16"},
    {"memory.png", "13000 x 13000 pixels take 645 MB of memory, but at most 512 MB are allowed"},
    {"metadata.safetensors", "values that are not text"},
    {"negative.npy", "a shape that is not made of integers"},
    {"none.jpg", "damaged JPEG"},
    {"none.png", "damaged PNG"},
    {"notarray.npz", "entry 'a.npy': is not a numpy array"},
    {"notjson.safetensors", "the header is not JSON"},
    {"objects.npy", "'|O'"},
    {"os_system_0.pkl", "names the callable 'os.system', which is not on the list"},
    {"os_system_2.pkl", "names the callable 'os.system', which is not on the list"},
    {"os_system_4.pkl", "names the callable 'os.system', which is not on the list"},
    {"overflow.npy", "the shape [4294967296, 4294967296, 4]"},
    {"overflow.safetensors", "the shape [4294967296, 4294967296, 4]"},
    {"overlap.safetensors", "tensors overlap"},
    {"record.npy", "only numbers are supported"},
    {"short.npy", "the shape [3] of f32 does not fit the 16 bytes"},
    {"type.safetensors", "'F8_E4M3'"},
    {"wide.jpg", "16385 x 17 pixels, but at most 16384 a side are supported"},
    {"wide.png", "16385 x 9 pixels, but at most 16384 a side are supported"},
    {"word.txt", "line 1: 'far' is not a number"},
};

class BrokenFile : public testing::TestWithParam<Refusal> {};

TEST_P(BrokenFile, isRefusedWithItsReason) {
    const Path file = test::dataFolder() / "broken" / GetParam().file;
    const std::vector<std::byte> bytes = readFile(file);
    try {
        test::readerOf(file).decode(bytes, file);
        FAIL() << "was read";
    } catch (const FormatError& error) {
        EXPECT_NE(std::string(error.what()).find(GetParam().words), std::string::npos)
            << error.what();
        EXPECT_EQ(error.report().subject, file.string());
    }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenFile, testing::ValuesIn(kRefusals),
                         [](const auto& refusal) { return test::testName(refusal.param.file); });

// The file is valid, so the error must not suggest to download it again.
TEST(Malformed, namesTheRemedy_whenAnImageIsTooLarge) {
    for (const char* name : {"wide.png", "wide.jpg"}) {
        const Path file = test::dataFolder() / "broken" / name;
        try {
            test::readerOf(file).decode(readFile(file), file);
            FAIL() << "was read";
        } catch (const FormatError& error) {
            EXPECT_NE(error.report().remedy.find("Save the image smaller"), std::string::npos)
                << error.report().remedy;
            EXPECT_EQ(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
        }
    }
}

TEST(Malformed, hasReasonForEveryBrokenFile) {
    EXPECT_EQ(test::filesOf("broken").size(), std::size(kRefusals));
}

}  // namespace
}  // namespace threefold
