#include "engine/formats/pickle.h"

#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/byte_cursor.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;

PickleRef decode(std::string_view text) {
    return decodePickle(asBytes(text), "a.dat");
}

std::string problemOf(std::string_view text) {
    try {
        decode(text);
    } catch (const FormatError& error) {
        return error.report().problem;
    }
    return "none";
}

TEST(Pickle, readsOldDialect_whenThereIsNoProtocolOpcode) {
    const PickleRef root = decode("(dp0\nS'a\\x41\\n'\np1\nI00\nsS'n'\nL12345678901L\ns."sv);
    const auto& dict = std::get<PickleDict>(root->value);
    EXPECT_FALSE(std::get<bool>(dict.find("aA\n")->value));
    EXPECT_EQ(std::get<std::int64_t>(dict.find("n")->value), 12345678901);
    EXPECT_EQ(dict.find("other"), nullptr);
}

TEST(Pickle, refusesByName_whenCallableIsNotOnTheList) {
    EXPECT_NE(problemOf("cos\nsystem\n(S'true'\ntR."sv).find("'os.system'"), std::string::npos);
    EXPECT_NE(problemOf("\x80\x02"
                        "cos\nsystem\n0N."sv)
                  .find("'os.system'"),
              std::string::npos);
    EXPECT_NE(problemOf("\x80\x04\x8c\x02os\x8c\x06system\x93."sv).find("'os.system'"),
              std::string::npos);
}

TEST(Pickle, isRefused_whenValueContainsItself) {
    EXPECT_EQ(problemOf("]q\0h\0a."sv), "a value contains itself");
}

}  // namespace
}  // namespace threefold
