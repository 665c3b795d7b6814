#include "engine/formats/bytes/data_uri.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold::test {
namespace {

TEST(DataUri, isDecoded) {
    const auto text = [](std::string_view uri) {
        const auto bytes = decodeDataUri(uri);
        return bytes ? std::string(asText(*bytes)) : "damaged";
    };
    EXPECT_EQ(text("data:;base64,TWFueSBtZXNoZXM="), "Many meshes");
    EXPECT_EQ(text("data:image/png;base64,TWFu"), "Man");
    EXPECT_EQ(text("data:,a%20b%2"), "a b%2");
    EXPECT_EQ(text("data:;base64,TWF?"), "damaged");
    EXPECT_EQ(text("data:;base64,TWFuT"), "damaged");
    EXPECT_EQ(text("data:;base64"), "damaged");
    EXPECT_EQ(text("image.png"), "damaged");
    EXPECT_EQ(text("data:;base64,"), "");
}

}  // namespace
}  // namespace threefold::test
