#include "engine/sample/posed_photos/cameras_json_fields.h"

#include <filesystem>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/write_file.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

TEST(CamerasJsonFields, areAllButTheViews) {
    const TempFolder folder;
    const std::filesystem::path file = folder / kCamerasJsonName;
    writeFileAtomically(file, std::string_view(R"({"made_by": "a maker", "views": [1, 2]})"));
    const auto fields = camerasJsonFields(file);
    ASSERT_TRUE(fields);
    EXPECT_EQ(fields->at("made_by"), "a maker");
    EXPECT_NE(fields->value("views", nlohmann::json()), nlohmann::json({1, 2}));
}

TEST(CamerasJsonFields, areMissing_whenTheFileIsNoObject) {
    const TempFolder folder;
    const std::filesystem::path file = folder / kCamerasJsonName;
    EXPECT_FALSE(camerasJsonFields(file));
    for (const std::string_view text : {"", "[]", "{\"made_by\": "}) {
        writeFileAtomically(file, text);
        EXPECT_FALSE(camerasJsonFields(file)) << text;
    }
}

}  // namespace
}  // namespace threefold::test
