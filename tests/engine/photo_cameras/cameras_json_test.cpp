#include "engine/photo_cameras/cameras_json.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/text/json_object.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing::HasSubstr;

constexpr const char* kMaker = "threefold test";

class CamerasFile : public testing::Test {
  protected:
    fs::path find(bool overwrite = false) const {
        return cameraFileFor(photographs_, kMaker, overwrite);
    }
    std::string messageOfFind() const {
        return messageOf<InputError>([&] { find(); });
    }

    TempFolder folder_;
    std::vector<fs::path> photographs_ = {folder_ / "1.jpg", folder_ / "2.jpg"};
    fs::path file_ = folder_ / "cameras.json";
};

TEST_F(CamerasFile, liesBesideThePhotographs) {
    EXPECT_EQ(find(), file_);
}

TEST_F(CamerasFile, isRefused_withoutPhotographs) {
    photographs_.clear();
    EXPECT_THAT(messageOfFind(), HasSubstr("no photograph"));
}

TEST_F(CamerasFile, isRefused_whenThePhotographsAreInTwoFolders) {
    photographs_.push_back(folder_ / "other/3.jpg");
    EXPECT_THAT(messageOfFind(), HasSubstr("3.jpg"));
}

TEST_F(CamerasFile, isRefused_whenItIsALink) {
    fs::create_symlink(folder_ / "elsewhere.json", file_);
    EXPECT_THAT(messageOfFind(), HasSubstr("symbolic link"));
    EXPECT_THROW(find(true), InputError);
}

TEST_F(CamerasFile, isReplaced_whenItsMakerIsTheSame) {
    writeFileAtomically(file_, ordered_json{{"made_by", kMaker}}.dump());
    EXPECT_EQ(find(), file_);
}

TEST_F(CamerasFile, isReplacedByItsMaker_whenItHasTenThousandPhotographs) {
    CameraSearchResult result;
    result.cameraFile = file_;
    const Lens lens{.width = 40, .height = 30};
    ordered_json views = ordered_json::array();
    for (int i = 0; i < 10'000; ++i) views.push_back(viewJson(photographs_[0], Pose{}, lens));
    writeCameras(result, kMaker, ordered_json::object(), std::move(views));
    EXPECT_GT(fs::file_size(file_), kMaxJsonBytes);
    EXPECT_EQ(find(), file_);
}

TEST_F(CamerasFile, isReplacedOnRequestOnly_whenItsMakerIsAnother) {
    for (const char* text : {R"({"made_by": "someone else"})", "{}", "[]", "no JSON"}) {
        writeFileAtomically(file_, std::string(text));
        EXPECT_THAT(messageOfFind(), HasSubstr("was not written by")) << text;
        EXPECT_EQ(find(true), file_) << text;
    }
}

TEST_F(CamerasFile, hasItsMakersDetailsBeforeTheViews) {
    CameraSearchResult result;
    result.cameraFile = file_;
    result.unit = "mm";
    result.objectBox = Box3d{{0, 0, 0}, {2, 4, 4}};
    const Lens lens{.width = 40, .height = 30};
    writeCameras(result, kMaker, {{"sure", true}},
                 ordered_json::array({viewJson(photographs_[0], Pose{}, lens)}));
    const ordered_json written = ordered_json::parse(asText(readFile(file_)));
    std::vector<std::string> keys;
    for (const auto& [key, value] : written.items()) keys.push_back(key);
    EXPECT_THAT(keys, testing::ElementsAre("made_by", "convention", "matrices", "unit", "up",
                                           "object_centre", "object_size", "sure", "views"));
    EXPECT_EQ(written["unit"], "mm");
    EXPECT_EQ(written["object_centre"], ordered_json({1, 2, 2}));
    EXPECT_EQ(written["object_size"], 6);
    ASSERT_EQ(written["views"].size(), 1U);
    EXPECT_EQ(written["views"][0]["image"], "1.jpg");
    EXPECT_EQ(written["views"][0]["width"], 40);
}

TEST_F(CamerasFile, leavesOutUpAndObjectCentre_whenUnknown) {
    CameraSearchResult result;
    result.cameraFile = file_;
    result.isUpKnown = false;
    writeCameras(result, kMaker, ordered_json::object(), ordered_json::array());
    const ordered_json written = ordered_json::parse(asText(readFile(file_)));
    EXPECT_FALSE(written.contains("up") || written.contains("object_centre"));
    EXPECT_EQ(written["unit"], "unknown");
}

TEST(CamerasFileName, isRefused_whenItIsNotUtf8) {
    EXPECT_NO_THROW(requireNameInJson("\u00e9.jpg"));
    EXPECT_THROW(requireNameInJson("\xe9.jpg"), InputError);
}

TEST(SortedByName, ordersNumbersByTheirValue) {
    const std::vector<fs::path> files = {"a/10.jpg", "a/9.jpg", "a/1.jpg"};
    std::vector<std::string> names;
    for (const CameraPhoto& photograph : sortedByName<CameraPhoto>(files))
        names.push_back(photograph.file.filename().string());
    EXPECT_THAT(names, testing::ElementsAre("1.jpg", "9.jpg", "10.jpg"));
}

}  // namespace
}  // namespace threefold::test
