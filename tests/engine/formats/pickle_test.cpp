#include "engine/formats/pickle/pickle.h"

#include <initializer_list>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;

PickleRef decode(std::string_view text) {
    return decodePickle(asBytes(text), "a.dat");
}

/// Place and problem of the error; "none" if there is none.
std::string problemOf(std::string_view text) {
    try {
        decode(text);
    } catch (const FormatError& error) {
        return error.report().place + ": " + error.report().problem;
    }
    return "none";
}

std::string repeated(std::string_view text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const std::string_view part : parts) all += part;
    return all;
}

TEST(Pickle, refusesByName_whenCallableIsNeverCalled) {
    EXPECT_EQ(problemOf("cos\nsystem\n0I1\n."sv),
              "byte 11: names the callable 'os.system', which is not on the list of data types "
              "that are read");
    EXPECT_NE(problemOf("(ios\nsystem\n."sv).find("'os.system'"), std::string::npos);
    EXPECT_NE(problemOf("cnumpy\nload\n."sv).find("'numpy.load'"), std::string::npos);
    EXPECT_NE(problemOf("c__builtin__\neval\n."sv).find("'__builtin__.eval'"), std::string::npos);
}

TEST(Pickle, refusesCalls_thatNoWriterMakes) {
    EXPECT_NE(problemOf("cnumpy\nndarray\n(I3\ntR."sv).find("calls 'numpy.ndarray'"),
              std::string::npos);
    EXPECT_NE(problemOf("c_codecs\nencode\n(Vabc\nVrot13\ntR."sv).find("other than latin1"),
              std::string::npos);
    EXPECT_NE(problemOf("I1\n)R."sv).find("calls a value that is not a callable"),
              std::string::npos);
}

TEST(Pickle, refusesReferences_toDataOutsideTheFile) {
    EXPECT_NE(problemOf("Vid\n\x51."sv).find("opcode 0x51"), std::string::npos);
    EXPECT_NE(problemOf("\x80\x05\x97."sv).find("opcode 0x97"), std::string::npos);
    EXPECT_NE(problemOf("\x80\x02\x82\x01."sv).find("opcode 0x82"), std::string::npos);
}

TEST(Pickle, isRefused_whenValueContainsItself) {
    EXPECT_EQ(problemOf("]q\0h\0a."sv), "byte 7: a value contains itself");
    EXPECT_EQ(problemOf("}q\0(K\1h\0u."sv), "byte 10: a value contains itself");
    EXPECT_EQ(problemOf("](h\0e."sv).find("none"), std::string::npos);
}

TEST(Pickle, isRefused_whenNestedTooDeep) {
    EXPECT_EQ(problemOf(joined({"]", repeated("\x85", 200), "."})), "none");
    EXPECT_NE(problemOf(joined({"]", repeated("\x85", 300), "."})).find("256 deep"),
              std::string::npos);
    const std::string tuples = joined({repeated("(", 100000), repeated("t", 100000), "."});
    EXPECT_NE(problemOf(tuples).find("256 deep"), std::string::npos);
    // The opcodes are not nested, but each tuple contains the tuple before it through the memo.
    const std::string chain = joined({"(]q\0"sv, repeated("h\0\x85q\0"sv, 1000), "t."});
    EXPECT_NE(problemOf(chain).find("256 deep"), std::string::npos);
}

TEST(Pickle, isRefused_whenSharedValuesExplode) {
    std::string laughs("]q\0"sv);
    for (char i = 0; i < 30; ++i) {
        const char recall[] = {'h', i};
        const char remember[] = {'l', 'q', static_cast<char>(i + 1)};
        laughs = joined({laughs, "(", repeated({recall, 2}, 10), {remember, 3}});
    }
    EXPECT_NE(problemOf(laughs + ".").find("unfold"), std::string::npos);
}

TEST(Pickle, isRefused_whenMemoryGrowsBeyondTheFile) {
    EXPECT_NE(problemOf(joined({repeated("]", 1'000'000), "."})).find("more memory"),
              std::string::npos);
    // One long text that is encoded to bytes a thousand times.
    const std::string bytes = joined({"c_codecs\nencode\nq\1(V", std::string(100'000, 'a'),
                                      "\nVlatin1\ntq\2", repeated("h\1h\2R"sv, 1000), "."});
    EXPECT_NE(problemOf(bytes).find("more memory"), std::string::npos);
}

TEST(Pickle, isRefused_whenSizesLie) {
    EXPECT_EQ(problemOf("\x80\x04\x8e\0\0\0\0\0\1\0\0abc."sv),
              "byte 11: 1099511627776 bytes are needed here, but 4 are left");
    EXPECT_NE(problemOf("T\xff\xff\xff\xff."sv).find("4294967295 bytes are needed"),
              std::string::npos);
    EXPECT_NE(problemOf("\x80\x02\x8b\xff\xff\xff\x7f."sv).find("are needed"), std::string::npos);
    EXPECT_NE(problemOf("\x80\x04\x95\xff\0\0\0\0\0\0\0N."sv).find("a frame of 255 bytes"),
              std::string::npos);
    const std::string array =
        "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR"
        "(I1\n(L1099511627776L\ntcnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"
        "I00\nS'12345678'\ntb.";
    EXPECT_NE(problemOf(array).find("shape [1099511627776] of f64 does not fit its 8 bytes"),
              std::string::npos);
}

TEST(Pickle, isRefused_whenStackOrMemoIsMisused) {
    // A valid beginning of a pickle that leaves the stack empty.
    constexpr std::string_view kNothing = "N0";
    for (const std::string_view text : {"."sv,
                                        "0."sv,
                                        "t."sv,
                                        "a."sv,
                                        "Na."sv,
                                        "NNNNs."sv,
                                        "}Ns."sv,
                                        "}(Nu."sv,
                                        "(."sv,
                                        "(2."sv,
                                        "(K\1a."sv,
                                        "h\0."sv,
                                        "g7\n."sv,
                                        "gx\n."sv,
                                        "q\0."sv,
                                        "R."sv,
                                        "NR."sv,
                                        "b."sv,
                                        "NNb."sv,
                                        ")Na."sv,
                                        "o."sv,
                                        "(o."sv,
                                        "\x85."sv,
                                        "N\x86."sv,
                                        "1."sv,
                                        "I12x\n."sv,
                                        "I99999999999999999999\n."sv,
                                        "F1.5.\n."sv,
                                        "S'a\n."sv,
                                        "S'\\x4'\n."sv,
                                        "V\\u12\n."sv,
                                        "X\1\0\0\0\xff."sv,
                                        "\x80\x06N."sv})
        EXPECT_NE(problemOf(joined({kNothing, text})), "none") << text;
}

TEST(Pickle, readsWideIntegers_whichFit) {
    EXPECT_EQ(std::get<std::int64_t>(decode("\x80\x02\x8a\x00."sv)->value), 0);
    EXPECT_EQ(std::get<std::int64_t>(decode("\x80\x02\x8a\x0a\xfe\xff\xff\xff\xff\xff\xff\xff"
                                            "\xff\xff."sv)
                                         ->value),
              -2);
    EXPECT_NE(problemOf("\x80\x02\x8a\x09\0\0\0\0\0\0\0\x80\0."sv).find("64 bits"),
              std::string::npos);
    EXPECT_NE(problemOf("\x80\x02\x8a\x09\0\0\0\0\0\0\0\0\1."sv).find("64 bits"),
              std::string::npos);
}

TEST(Pickle, givesTypesAsTheirNames) {
    EXPECT_EQ(std::get<std::string>(decode("cnumpy\nndarray\n."sv)->value), "numpy.ndarray");
    EXPECT_EQ(std::get<std::string>(decode("cnumpy\ndtype\n(S'f4'\nI0\nI1\ntR."sv)->value), "f4");
}

TEST(Pickle, refusesArraysOfOtherThanNumbers) {
    const std::string objects =
        "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(I1\nt"
        "cnumpy\ndtype\n(S'O8'\nI0\nI1\ntR(I3\nS'|'\nNNNI-1\nI-1\nI63\ntbI00\n(lI5\natb.";
    EXPECT_NE(problemOf(objects).find("type 'O8', which is not supported"), std::string::npos);
}

TEST(Pickle, findsTheLastValue_whenKeyIsThereTwice) {
    const PickleRef root = decode("}(Va\nK\1Va\nK\2u."sv);
    EXPECT_EQ(std::get<std::int64_t>(std::get<PickleDict>(root->value).find("a")->value), 2);
    EXPECT_EQ(std::get<PickleDict>(root->value).find("b"), nullptr);
}

TEST(Pickle, keepsOldStringsAsBytes_unlessTheyAreAscii) {
    EXPECT_EQ(std::get<std::string>(decode("U\3abc."sv)->value), "abc");
    EXPECT_EQ(std::get<PickleBytes>(decode("U\2a\xff."sv)->value).bytes, "a\xff");
}

TEST(Pickle, ignoresWhatFollowsTheEnd) {
    EXPECT_EQ(problemOf("K\1.more"sv), "none");
}

}  // namespace
}  // namespace threefold
